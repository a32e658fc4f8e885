import { availableMinor, emptyAccount, type LedgerAccount } from '../ledger/ledger.ts';
import { FIRST_HASH, postingHash } from '../ledger/posting-hash.ts';
import type { Row, Store } from '../store/database.ts';

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
 * resolved twice, or by a posting that is not its own; a posting without a transaction that is not between a customer and
 * the world, as those of the admin port are.
 */
export function foldPostings(store: Store, find: Find): Fold {
  const accounts = new Map<number, LedgerAccount>();
  for (const row of store.iterate('SELECT * FROM ledger_account'))
    accounts.set(Number(row.ledger_account), emptyAccount(row));
  const fold: Fold = { accounts, flows: new Map(), worldMinor: new Map() };
  const reserves = new Map<number, string>();
  const below = new Set<LedgerAccount>();
  let hash = FIRST_HASH;
  for (const row of store.iterate('SELECT * FROM posting ORDER BY posting')) {
    const posting = postingOf(row);
    if (postingHash(hash, posting) !== row.hash)
      find(`posting ${posting.posting} is not what was written after the one before it: its hash is another`);
    hash = String(row.hash);
    const debit = accounts.get(posting.debit);
    const credit = accounts.get(posting.credit);
    if (!debit || !credit) {
      find(`posting ${posting.posting} names an account that is not there`);
      continue;
    }
    const amount = BigInt(posting.amount);
    if (debit.code !== credit.code || debit.chain !== credit.chain)
      find(`posting ${posting.posting} takes ${label(debit)} for ${label(credit)}`);
    if (amount <= 0n) find(`posting ${posting.posting} moves ${amount}`);
    if (posting.kind === 'reserve') reserves.set(posting.posting, ownText(posting));
    if (posting.resolves !== null) resolve(posting, posting.resolves, reserves, find);
    apply(posting.kind, debit, credit, amount);
    if (debit.owner.startsWith('customer:') && availableMinor(debit) < 0n && !below.has(debit)) {
      below.add(debit);
      find(`posting ${posting.posting} takes ${label(debit)} below zero`);
    }
    if (posting.transfer !== null) follow(fold, posting.transfer, posting, debit, credit, amount);
    else if (posting.kind !== 'move' || !isFromOutside(debit, credit))
      find(`posting ${posting.posting} from ${label(debit)} to ${label(credit)} belongs to no transaction`);
  }
  return fold;
}

type Posting = {
  posting: number;
  at: number;
  kind: string;
  transfer: number | null;
  debit: number;
  credit: number;
  amount: string;
  resolves: number | null;
};

/** Each column read once: rows of SQLite are slow to look into, and there are many. */
function postingOf(row: Row): Posting {
  const { posting, at, kind, transfer, debit, credit, amount, resolves } = row;
  return {
    posting: Number(posting),
    at: Number(at),
    kind: String(kind),
    transfer: transfer === null ? null : Number(transfer),
    debit: Number(debit),
    credit: Number(credit),
    amount: String(amount),
    resolves: resolves === null ? null : Number(resolves),
  };
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

const OWN = ['transfer', 'debit', 'credit', 'amount'] as const;

/** Between a customer and the world, either way. */
function isFromOutside(debit: LedgerAccount, credit: LedgerAccount): boolean {
  if (debit.owner !== 'world' && credit.owner !== 'world') return false;
  return (debit.owner === 'world' ? credit : debit).owner.startsWith('customer:');
}

/** What a reserve and the posting that resolves it have in common. */
function ownText({ transfer, debit, credit, amount }: Posting): string {
  return `${transfer} ${debit} ${credit} ${amount}`;
}

function resolve(posting: Posting, resolves: number, reserves: Map<number, string>, find: Find): void {
  const reserve = reserves.get(resolves);
  if (reserve === undefined) {
    find(`posting ${posting.posting} resolves ${resolves}, which is no open reserve`);
    return;
  }
  reserves.delete(resolves);
  const own = ownText(posting);
  if (own === reserve) return;
  const parts = reserve.split(' ');
  for (const [place, part] of own.split(' ').entries())
    if (part !== parts[place]) find(`posting ${posting.posting} resolves a reserve of another ${OWN[place]}`);
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

function follow(
  fold: Fold,
  transfer: number,
  { kind }: Posting,
  debit: LedgerAccount,
  credit: LedgerAccount,
  amount: bigint,
): void {
  let flow = fold.flows.get(transfer);
  if (!flow) {
    flow = { reserved: '', posted: 0, released: 0, open: 0, openMinor: 0n, moved: '' };
    fold.flows.set(transfer, flow);
  }
  if (kind === 'reserve') {
    flow.reserved += `${debit.number}>${credit.number}:${amount};`;
    flow.open += 1;
    flow.openMinor += amount;
    return;
  }
  if (kind === 'move') flow.moved += `${debit.number}>${credit.number}:${amount};`;
  else {
    flow.open -= 1;
    flow.openMinor -= amount;
    if (kind === 'post') flow.posted += 1;
    else flow.released += 1;
  }
  if (kind === 'release' || (debit.owner !== 'world' && credit.owner !== 'world')) return;
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

/** Takes one sentence about something that is wrong, naming the row. */
export type Find = (text: string) => void;

/** `GBP` or `USDC on polygon`, of columns where no chain is '' or null. */
export function currencyOf(code: unknown, chain: unknown): string {
  return chain === '' || chain === null ? String(code) : `${code} on ${chain}`;
}
