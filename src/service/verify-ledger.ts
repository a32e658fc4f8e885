import { availableMinor, type LedgerAccount } from './ledger.ts';
import type { Row, Store } from './store/database.ts';
import { verifyDeliveries } from './webhooks/verify-deliveries.ts';

/**
 * Recomputes every balance from the postings alone and compares; returns one sentence for each thing that is wrong, at
 * most `FINDINGS_MAX` of them, none where all is well. Reads the database as it is on disk and shares no arithmetic of
 * the ledger but the account's shape. Run it outside a transaction.
 *
 * 1. Each posting has one currency, and in each currency debits equal credits, pending and posted.
 * 2. Each account's balances are the fold of its postings.
 * 3. No customer has spent more than it has.
 * 4. A pending transfer's reserve is open and is its amount and fee, or there is none for lack of cover.
 * 5. A final transfer has nothing open; COMPLETED posted exactly amount and fee, FAILED nothing.
 * 6. Each reserve is resolved at most once, by a posting of its own accounts and amount.
 * 7. The totals of listings are the fold of the transfers.
 */
export function verifyLedger(store: Store): string[] {
  const findings: string[] = [];
  const find = (text: string): void => {
    if (findings.length < FINDINGS_MAX) findings.push(text);
  };
  const { accounts, flows } = foldPostings(store, find);
  checkAccounts(store, accounts, find);
  checkTransfers(store, flows, find);
  checkTotals(store, find);
  for (const text of verifyDeliveries(store)) find(text);
  for (const row of store.all('PRAGMA foreign_key_check')) find(`a row of ${row.table} points at nothing`);
  return findings;
}

const FINDINGS_MAX = 100;

type Find = (text: string) => void;

/** What the postings say about one transfer. */
type Flow = { openMinor: bigint; postedMinor: bigint; deliveredMinor: bigint; receivedMinor: bigint };

function foldPostings(store: Store, find: Find) {
  const accounts = new Map<number, LedgerAccount>();
  for (const row of store.iterate('SELECT * FROM ledger_account')) accounts.set(Number(row.ledger_account), empty(row));
  const flows = new Map<number, Flow>();
  const reserves = new Map<number, Row>();
  for (const row of store.iterate('SELECT * FROM posting ORDER BY posting')) {
    const debit = accounts.get(Number(row.debit));
    const credit = accounts.get(Number(row.credit));
    const amount = BigInt(String(row.amount));
    if (!debit || !credit) {
      find(`posting ${row.posting} names an account that is not there`);
      continue;
    }
    if (debit.code !== credit.code || debit.chain !== credit.chain) find(`posting ${row.posting} has two currencies`);
    if (amount <= 0n) find(`posting ${row.posting} moves ${amount}`);
    if (row.kind === 'reserve') reserves.set(Number(row.posting), row);
    if (row.resolves !== null) resolve(row, reserves, find);
    apply(String(row.kind), debit, credit, amount);
    if (row.transfer !== null) follow(flows, Number(row.transfer), String(row.kind), debit, credit, amount);
  }
  return { accounts, flows };
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

function follow(
  flows: Map<number, Flow>,
  transfer: number,
  kind: string,
  debit: LedgerAccount,
  credit: LedgerAccount,
  amount: bigint,
): void {
  const flow = flows.get(transfer) ?? { openMinor: 0n, postedMinor: 0n, deliveredMinor: 0n, receivedMinor: 0n };
  flows.set(transfer, flow);
  if (kind === 'reserve') flow.openMinor += amount;
  if (kind === 'post' || kind === 'release') flow.openMinor -= amount;
  if (kind === 'post') flow.postedMinor += amount;
  if (kind === 'move' && debit.owner.startsWith('rail:') && credit.owner === 'world') flow.deliveredMinor += amount;
  if (kind === 'move' && debit.owner === 'world' && credit.owner.startsWith('customer:')) flow.receivedMinor += amount;
}

function checkAccounts(store: Store, accounts: Map<number, LedgerAccount>, find: Find): void {
  const sums = new Map<string, { pending: bigint; posted: bigint }>();
  for (const row of store.iterate('SELECT * FROM ledger_account')) {
    const account = accounts.get(Number(row.ledger_account));
    if (!account) continue;
    const label = `${account.owner} ${account.code} ${account.chain ?? ''}`.trim();
    compare(row.debits_pending, account.debitsPending, `${label}: pending debits`, find);
    compare(row.credits_pending, account.creditsPending, `${label}: pending credits`, find);
    compare(row.debits_posted, account.debitsPosted, `${label}: posted debits`, find);
    compare(row.credits_posted, account.creditsPosted, `${label}: posted credits`, find);
    if (account.owner.startsWith('customer:') && availableMinor(account) < 0n) find(`${label} is below zero`);
    if (account.debitsPending < 0n || account.creditsPending < 0n) find(`${label} has less than nothing pending`);
    const key = `${account.code} ${account.chain ?? ''}`;
    const sum = sums.get(key) ?? { pending: 0n, posted: 0n };
    sum.pending += account.debitsPending - account.creditsPending;
    sum.posted += account.debitsPosted - account.creditsPosted;
    sums.set(key, sum);
  }
  for (const [key, { pending, posted }] of sums)
    if (pending !== 0n || posted !== 0n)
      find(`${key}: debits and credits differ by ${pending} pending, ${posted} posted`);
}

function checkTransfers(store: Store, flows: Map<number, Flow>, find: Find): void {
  const none: Flow = { openMinor: 0n, postedMinor: 0n, deliveredMinor: 0n, receivedMinor: 0n };
  for (const row of store.iterate('SELECT transfer, id, kind, status, out_value, fee_value FROM transfer')) {
    const flow = flows.get(Number(row.transfer)) ?? none;
    const amount = BigInt(String(row.out_value));
    const whole = amount + BigInt(String(row.fee_value));
    const expected = expectedFlow(String(row.kind), String(row.status), amount, whole);
    const isOpen = row.status === 'PENDING' && flow.openMinor === whole;
    if (flow.openMinor !== 0n && !isOpen) find(`${row.id} is ${row.status} with ${flow.openMinor} reserved`);
    for (const name of ['postedMinor', 'deliveredMinor', 'receivedMinor'] as const)
      if (flow[name] !== expected[name])
        find(`${row.id} is ${row.status}: ${name} is ${flow[name]}, not ${expected[name]}`);
  }
}

function expectedFlow(kind: string, status: string, amount: bigint, whole: bigint): Omit<Flow, 'openMinor'> {
  if (status !== 'COMPLETED') return { postedMinor: 0n, deliveredMinor: 0n, receivedMinor: 0n };
  if (kind === 'deposit') return { postedMinor: 0n, deliveredMinor: 0n, receivedMinor: amount };
  return { postedMinor: whole, deliveredMinor: amount, receivedMinor: 0n };
}

function checkTotals(store: Store, find: Find): void {
  const folded = store.all(FOLDED_TOTALS);
  const kept = store.all(KEPT_TOTALS);
  if (JSON.stringify(folded) !== JSON.stringify(kept))
    find(`the totals of listings are ${JSON.stringify(kept)}, the transfers make ${JSON.stringify(folded)}`);
}

const FOLDED_TOTALS = `SELECT customer, kind, count(*) AS transfers, CAST(sum(usd_cents) AS text) AS usd_cents
  FROM transfer WHERE status <> 'FAILED' GROUP BY customer, kind ORDER BY customer, kind`;
const KEPT_TOTALS = `SELECT customer, kind, transfers, CAST(usd_cents AS text) AS usd_cents
  FROM transfer_total WHERE transfers <> 0 OR usd_cents <> 0 ORDER BY customer, kind`;

function compare(kept: unknown, folded: bigint, label: string, find: Find): void {
  if (kept !== String(folded)) find(`${label} are kept as ${kept}, the postings make ${folded}`);
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
