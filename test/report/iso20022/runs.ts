import { type Currency, fiat } from '../../../src/domain/currencies.ts';
import type { Entry, Final, RunRow } from '../../../src/domain/entry.ts';
import type { RunState } from '../../../src/domain/run/run-state.ts';
import {
  AUD,
  accepted,
  completed,
  everyState,
  exampleRun,
  final,
  intent,
  JPY,
  payoutRow,
  problemRow,
  USDC,
} from '../example-run.ts';

export function money(code: string): Currency {
  const currency = fiat(code);
  if (currency === null) throw new Error(`${code} is no currency`);
  return currency;
}

const EUR = money('EUR');
const KWD = money('KWD');

/** Names and references that others have written. */
export const HOSTILE = [
  ']]><evil/>&amp;',
  'Zoë 🧑‍🌾 "Q" <b>',
  'bell\u0007 nul\u0000 escape\u001b line\nfeed\u2028',
  'half \ud83e of a pair, and \uffff',
  `${'n'.repeat(139)}🧑${'n'.repeat(860)}`,
  '\u0001\u0002',
];

/** The row with other texts of its payee. */
export function named(row: RunRow, name: string, reference: string | null = null): RunRow {
  if (row.order === null) throw new Error('a row without an order');
  return { ...row, order: { ...row.order, reference, payee: { ...row.order.payee, name } } };
}

export function failed(row: number, code: string | null, message: string | null = null): Entry[] {
  return [intent(row), accepted(row), final(row, { status: 'FAILED', code, message })];
}

/** A payout that was converted: what left, and what arrived. */
export function converted(row: number, sent: [string, Currency], received: [string, Currency]): Entry[] {
  const amounts: Partial<Final> = {
    sent_minor: sent[0],
    sent_currency: sent[1],
    received_minor: received[0],
    received_currency: received[1],
  };
  return [intent(row, { amountMinor: sent[0], currency: sent[1] }), accepted(row), final(row, amounts)];
}

const all = [2, 3, 4].map((row) => payoutRow(row));

/** Runs of every kind that a bank file can be of. */
export const RUNS: Readonly<Record<string, () => RunState>> = {
  'all paid': () =>
    exampleRun(
      all,
      all.flatMap(({ row }) => completed(row)),
    ),
  'partly failed': () =>
    exampleRun(all, [...completed(2), ...failed(3, 'ACCOUNT_CLOSED', 'It is closed.'), ...completed(4)]),
  'all failed': () =>
    exampleRun(
      all,
      all.flatMap(({ row }) => failed(row, 'INSUFFICIENT_BALANCE')),
    ),
  'every state': everyState,
  stopped: () => exampleRun(all, [...completed(2), intent(3), { kind: 'stopped', reason: 'interrupted' }]),
  cancelled: () =>
    exampleRun(all, [
      ...completed(2),
      { kind: 'cancelled', by: 'anna@desk-7' },
      ...[3, 4].map(
        (row): Entry => ({ kind: 'not_submitted', row, code: 'cancelled', message: { code: 'cancelled_unsent' } }),
      ),
    ]),
  converted: () =>
    exampleRun(all, [
      ...converted(2, ['100000', EUR], ['115012', AUD]),
      ...converted(3, ['250000', JPY], ['1612', EUR]),
      ...converted(4, ['10000000', USDC], ['1650', AUD]),
    ]),
  crypto: () => {
    const rows = [
      payoutRow(2),
      payoutRow(3, { amountMinor: '12500000', currency: USDC, account: `0x${'ab'.repeat(20)}` }),
    ];
    return exampleRun(rows, [...completed(2), ...completed(3, { amountMinor: '12500000', currency: USDC })]);
  },
  'other decimals': () => {
    const rows = [
      payoutRow(2, { amountMinor: '1500', currency: JPY }),
      payoutRow(3, { amountMinor: '1234567', currency: KWD }),
      payoutRow(4, { amountMinor: '9'.repeat(25) }),
    ];
    return exampleRun(rows, [
      ...completed(2, { amountMinor: '1500', currency: JPY }),
      ...completed(3, { amountMinor: '1234567', currency: KWD }),
      ...completed(4, { amountMinor: '9'.repeat(25) }),
    ]);
  },
  'hostile texts': () => {
    const rows = HOSTILE.map((text, at) => named(payoutRow(at + 2), text, text));
    return exampleRun(rows, [
      ...rows.slice(1).flatMap(({ row }, at) => (at % 2 === 0 ? completed(row) : failed(row, 'NEW_CODE', HOSTILE[at]))),
    ]);
  },
  'a row with problems': () => exampleRun([problemRow(2, ['Payee 2', 'lots', 'AUD', '1', ''])]),
  'without payouts': () => exampleRun([]),
  rehearsed: () => exampleRun(all, [...completed(2), ...failed(3, null)], { rehearsal: true }),
};
