import { availableMinor, type LedgerAccount } from '../ledger.ts';
import { FIRST_HASH, type HashedPosting, postingHash } from '../posting-hash.ts';
import type { Row, Store } from '../store/database.ts';
import { currencyOf, type Find } from './findings.ts';

/** What the postings say about one transfer, each leg as `debit>credit:amount;` by the accounts' numbers. */
export type Flow = {
  /** The legs of its reserve, in their order. */
  reserved: string;
  /** How many of them were posted, were released, are open; and how much the open ones are. */
  posted: number;
  released: number;
  open: number;
  openMinor: bigint;
  /** The legs that it moved at once. */
  moved: string;
};

export type Fold = {
  accounts: Map<number, LedgerAccount>;
  flows: Map<number, Flow>;
  /** By currency, what transfers moved to the world, less what they brought from there. */
  worldMinor: Map<string, bigint>;
};

/**
 * Reads all postings once, in their order, and makes every balance from nothing. Finds: a break in the chain of hashes;
 * a posting of two currencies or of nothing; a customer that went below zero, at whatever moment; a reserve that was
 * resolved twice, or by a posting that is not its own.
 */
export function foldPostings(store: Store, find: Find): Fold {
  const accounts = new Map<number, LedgerAccount>();
  for (const row of store.iterate('SELECT * FROM ledger_account')) accounts.set(Number(row.ledger_account), empty(row));
  const fold: Fold = { accounts, flows: new Map(), worldMinor: new Map() };
  const reserves = new Map<number, Row>();
  const below = new Set<LedgerAccount>();
  let hash = FIRST_HASH;
  for (const row of store.iterate('SELECT * FROM posting ORDER BY posting')) {
    if (postingHash(hash, row as HashedPosting) !== row.hash)
      find(`posting ${row.posting} is not what was written after the one before it: its hash is another`);
    hash = String(row.hash);
    const debit = accounts.get(Number(row.debit));
    const credit = accounts.get(Number(row.credit));
    if (!debit || !credit) {
      find(`posting ${row.posting} names an account that is not there`);
      continue;
    }
    const amount = BigInt(String(row.amount));
    if (debit.code !== credit.code || debit.chain !== credit.chain)
      find(`posting ${row.posting} takes ${label(debit)} for ${label(credit)}`);
    if (amount <= 0n) find(`posting ${row.posting} moves ${amount}`);
    if (row.kind === 'reserve') reserves.set(Number(row.posting), row);
    if (row.resolves !== null) resolve(row, reserves, find);
    apply(String(row.kind), debit, credit, amount);
    if (debit.owner.startsWith('customer:') && availableMinor(debit) < 0n && !below.has(debit)) {
      below.add(debit);
      find(`posting ${row.posting} takes ${label(debit)} below zero`);
    }
    if (row.transfer !== null) follow(fold, row, debit, credit, amount);
  }
  return fold;
}

/** Compares the balances that are kept with those that the postings make, and debits with credits. */
export function checkAccounts(store: Store, { accounts }: Fold, find: Find): void {
  const sums = new Map<string, { pending: bigint; posted: bigint }>();
  for (const row of store.iterate('SELECT * FROM ledger_account')) {
    const account = accounts.get(Number(row.ledger_account));
    if (!account) continue;
    compare(row.debits_pending, account.debitsPending, `${label(account)}: pending debits`, find);
    compare(row.credits_pending, account.creditsPending, `${label(account)}: pending credits`, find);
    compare(row.debits_posted, account.debitsPosted, `${label(account)}: posted debits`, find);
    compare(row.credits_posted, account.creditsPosted, `${label(account)}: posted credits`, find);
    if (account.debitsPending < 0n || account.creditsPending < 0n)
      find(`${label(account)} has less than nothing pending`);
    const key = currencyOf(row.code, row.chain);
    const sum = sums.get(key) ?? { pending: 0n, posted: 0n };
    sum.pending += kept(row.debits_pending) - kept(row.credits_pending);
    sum.posted += kept(row.debits_posted) - kept(row.credits_posted);
    sums.set(key, sum);
  }
  for (const [key, { pending, posted }] of sums)
    if (pending !== 0n || posted !== 0n)
      find(`the accounts in ${key}: debits and credits differ by ${pending} pending, ${posted} posted`);
}

/** `customer:1 GBP`. */
export function label(account: LedgerAccount): string {
  return `${account.owner} ${currencyOf(account.code, account.chain)}`;
}

function resolve(row: Row, reserves: Map<number, Row>, find: Find): void {
  const reserve = reserves.get(Number(row.resolves));
  if (!reserve) {
    find(`posting ${row.posting} resolves ${row.resolves}, which is no open reserve`);
    return;
  }
  reserves.delete(Number(row.resolves));
  for (const name of ['transfer', 'debit', 'credit', 'amount'])
    if (reserve[name] !== row[name]) find(`posting ${row.posting} resolves a reserve of another ${name}`);
}

function apply(kind: string, debit: LedgerAccount, credit: LedgerAccount, amount: bigint): void {
  if (kind === 'reserve') {
    debit.debitsPending += amount;
    credit.creditsPending += amount;
    return;
  }
  if (kind === 'post' || kind === 'release') {
    debit.debitsPending -= amount;
    credit.creditsPending -= amount;
  }
  if (kind === 'post' || kind === 'move') {
    debit.debitsPosted += amount;
    credit.creditsPosted += amount;
  }
}

function follow(fold: Fold, row: Row, debit: LedgerAccount, credit: LedgerAccount, amount: bigint): void {
  const transfer = Number(row.transfer);
  let flow = fold.flows.get(transfer);
  if (!flow) {
    flow = { reserved: '', posted: 0, released: 0, open: 0, openMinor: 0n, moved: '' };
    fold.flows.set(transfer, flow);
  }
  const leg = `${debit.number}>${credit.number}:${amount};`;
  if (row.kind === 'reserve') {
    flow.reserved += leg;
    flow.open += 1;
    flow.openMinor += amount;
    return;
  }
  if (row.kind === 'move') flow.moved += leg;
  else {
    flow.open -= 1;
    flow.openMinor -= amount;
    if (row.kind === 'post') flow.posted += 1;
    else flow.released += 1;
  }
  if (row.kind === 'release' || (debit.owner !== 'world' && credit.owner !== 'world')) return;
  const key = currencyOf(debit.code, debit.chain);
  const sum = fold.worldMinor.get(key) ?? 0n;
  fold.worldMinor.set(key, debit.owner === 'world' ? sum - amount : sum + amount);
}

function compare(stored: unknown, folded: bigint, what: string, find: Find): void {
  if (stored !== String(folded)) find(`${what} are kept as ${stored}, the postings make ${folded}`);
}

/** What is kept, or nothing where it is no number: `compare` has found that. */
function kept(stored: unknown): bigint {
  return /^-?\d+$/.test(String(stored)) ? BigInt(String(stored)) : 0n;
}

function empty(row: Row): LedgerAccount {
  return {
    number: Number(row.ledger_account),
    owner: String(row.owner),
    code: String(row.code),
    chain: row.chain === '' ? null : String(row.chain),
    debitsPending: 0n,
    creditsPending: 0n,
    debitsPosted: 0n,
    creditsPosted: 0n,
  };
}
