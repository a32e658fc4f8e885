import { type Currency, crypto, fiat } from '../../src/domain/currencies.ts';
import type { Entry, Final, Intent, PlacedEntry, RowProblem, RunCreated, RunRow } from '../../src/domain/entry.ts';
import type { PayoutOrder } from '../../src/domain/payee.ts';
import { DEFAULT_PROFILE } from '../../src/domain/profile.ts';
import { foldRun } from '../../src/domain/run/run.ts';
import type { RunState } from '../../src/domain/run/run-state.ts';

/** 2026-11-25T09:00:00.000Z; entry n is n milliseconds later. */
export const STARTED_AT = 1_795_597_200_000;

export const RUN_ID = '20261125-0900-7kq2';

export const AUD = known(fiat('AUD'));
export const JPY = known(fiat('JPY'));
export const USDC = known(crypto('USDC', 'polygon'));

export const HEADER = ['Name', 'Amount', 'CCY', 'Account', 'Note'];
const COLUMNS = ['name', 'amount', 'currency', 'account_number', null];

type Changes = Partial<Columns> & { rehearsal?: boolean };

type Columns = { header: string[]; columns: (string | null)[] };

/** A run as the fold of real entries: its header, its rows, and what happened after. */
export function exampleRun(rows: RunRow[], after: Entry[] = [], changes: Changes = {}): RunState {
  return foldRun(place([runCreated(rows.length, changes), { kind: 'rows', rows }, ...after]));
}

export function runCreated(payouts: number, { rehearsal = false, ...input }: Changes = {}): RunCreated {
  return {
    kind: 'run_created',
    run_id: RUN_ID,
    input: {
      name: 'pay.csv',
      path: 'in/pay.csv',
      sha256: 'ab'.repeat(32),
      bytes: 4_321,
      header: HEADER,
      columns: COLUMNS,
      ...input,
    },
    job: null,
    period: null,
    rehearsal,
    profile: DEFAULT_PROFILE,
    settings: { poll_every_ms: 1_000, wait_timeout_ms: 60_000 },
    digest: 'cd'.repeat(32),
    payouts,
    scope: 'rehearsal',
    report_dir: 'reports',
    repeats: null,
    retries: null,
    corrections_sha256: null,
    job_source: null,
  };
}

export function place(entries: Entry[]): PlacedEntry[] {
  return entries.map((entry, at) => ({ n: at + 1, at: STARTED_AT + at + 1, epoch: 1, entry }));
}

/** A row whose cells stand under `HEADER`. */
export function payoutRow(
  row: number,
  options: { amountMinor?: string; currency?: Currency; account?: string; cells?: string[] } = {},
): RunRow {
  const { amountMinor = '125000', currency = AUD, account = '987654321', cells } = options;
  return {
    row,
    cells: cells ?? [`Payee ${row}`, '1250.00', currency.code, account, ''],
    order: orderOf(row, amountMinor, currency, account),
    problem: null,
  };
}

export function problemRow(
  row: number,
  cells: string[],
  problem: RowProblem = { code: 'amount_not_a_number', params: {} },
): RunRow {
  return { row, cells, order: null, problem };
}

function orderOf(row: number, amountMinor: string, currency: Currency, account: string): PayoutOrder {
  const isCrypto = currency.chain !== null;
  return {
    row,
    payee: { payee_id: `E${row}`, name: `Payee ${row}`, email: null, phone: null, business: null },
    recipient_id: null,
    destination: {
      kind: 'account',
      rail: isCrypto ? 'WEB3' : 'AUD_NPP',
      account_name: `Payee ${row}`,
      fields: {
        account_number: isCrypto ? '' : account,
        national_clearing_code: isCrypto ? '' : '062000',
        bic: '',
        account_type: '',
        wallet_address: isCrypto ? account : '',
        chain: currency.chain ?? '',
      },
    },
    amount_minor: amountMinor,
    currency,
    source: null,
    reference: null,
    description: null,
  };
}

export function intent(
  row: number,
  options: { attempt?: number; amountMinor?: string; currency?: Currency } = {},
): Intent {
  const { attempt = 1, amountMinor = '125000', currency = AUD } = options;
  return {
    kind: 'intent',
    row,
    attempt,
    token: `PR${String(row).padStart(12, '0')}${attempt}`,
    external_account_id: `acc_${row}`,
    recipient_id: `rec_${row}`,
    amount_minor: amountMinor,
    currency,
    received: null,
    request: { operation: 'transaction.transfer', body: '{}', created: 1, expires: 31, nonce: `n${row}` },
  };
}

export function accepted(row: number, attempt = 1): Entry {
  return { kind: 'accepted', row, attempt, transaction_id: `tx_${row}`, by: 'answer' };
}

export function final(row: number, options: Partial<Final> = {}): Final {
  return {
    kind: 'final',
    row,
    transaction_id: `tx_${row}`,
    status: 'COMPLETED',
    code: null,
    message: null,
    sent_minor: '125000',
    sent_currency: AUD,
    received_minor: '125000',
    received_currency: AUD,
    fees_minor: '35',
    ...options,
  };
}

/** A payout that went through, from intent to final state. */
export function completed(row: number, options: { amountMinor?: string; currency?: Currency } = {}): Entry[] {
  const { amountMinor = '125000', currency = AUD } = options;
  const amounts = {
    sent_minor: amountMinor,
    sent_currency: currency,
    received_minor: amountMinor,
    received_currency: currency,
  };
  return [intent(row, options), accepted(row), final(row, amounts)];
}

/** One row in each state that a payout can be in, from row 2 on, in the order of `PayoutState`. */
export function everyState(): RunState {
  const rows = [2, 3, 4, 5, 6, 7, 8, 9].map((row) => payoutRow(row));
  rows.push(problemRow(10, ['Payee 10', 'lots', 'AUD', '987654321', '']));
  return exampleRun(rows, [
    intent(3),
    intent(4),
    { kind: 'doubt', row: 4, attempt: 1, reason: 'the answer was lost (timeout)' },
    intent(5),
    accepted(5),
    ...completed(6),
    intent(7),
    accepted(7),
    final(7, { status: 'FAILED', code: 'ACCOUNT_CLOSED', message: 'The account is closed.' }),
    intent(8),
    { kind: 'rejected', row: 8, attempt: 1, code: 'NOT_PAYABLE', message: 'Not payable.', spent: true },
    intent(9),
    { kind: 'doubt', row: 9, attempt: 1, reason: 'the service answered 500' },
    {
      kind: 'unresolved',
      about: 'no_expiry',
      transactions: [],
      row: 9,
      attempt: 1,
      reason: 'the service does not promise that expired requests are refused.',
    },
  ]);
}

function known(currency: Currency | null): Currency {
  if (currency === null) throw new Error('the currency table lost a currency');
  return currency;
}
