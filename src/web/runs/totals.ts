import { PAYOUTS_OF_A_TOTAL_MIN } from '../../app/people/sight.ts';
import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import { currencyKey, formatMajor } from '../../domain/money.ts';
import type { ListedRun, RunPhase, RunState } from '../../domain/run/run-state.ts';
import type { SinceOfRun } from '../../domain/run/since.ts';
import { counted, grouped } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { rowsWithCopies, statusOf } from '../../report/model/outcome.ts';
import { WorkedOut } from '../once.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { type Column, count, table } from '../shell/parts.ts';
import { ROW_STATES, type RowIndex, type RowState, stateLabel } from './rows/row-index.ts';

/**
 * The groups payouts are counted in, in the order of the bar. `failed` includes rejected; `sending` includes accepted
 * but not final.
 */
const PARTS = ['completed', 'failed', 'unconfirmed', 'sending', 'not_sent'] as const;

export type Part = (typeof PARTS)[number];

type PartCounts = Readonly<Record<Part, number>>;

/**
 * Amounts in minor units of what payees receive. `sent`: accepted and not reported failed. `remaining`: not sent,
 * failed or rejected.
 */
type CurrencyTotals = {
  currency: Currency;
  payouts: number;
  counts: PartCounts;
  planned: bigint;
  sent: bigint;
  remaining: bigint;
};

/**
 * All payouts of a run, and those of each currency in order of first appearance. Rows without an order have no
 * currency.
 */
export type RunTotals = { counts: PartCounts; currencies: readonly CurrencyTotals[] };

/** A run, and the states of its rows. */
type Rows = { run: ListedRun; rows: RowIndex };

/** As of the newest entry, without scanning the rows. `phase`: the run's phase, by its lease too. */
export function runTotals({ run, rows }: Rows, phase: RunPhase): RunTotals {
  const partOf = (state: RowState, mayHaveCopy = false) => partIn(state, { run, phase, mayHaveCopy });
  const counts = noCounts();
  for (const state of ROW_STATES) counts[partOf(state)] += rows.counts[state];
  const currencies = new Map<string, Counted>();
  for (const [key, sums] of rows.currencies) {
    const totals: Counted = { currency: sums.currency, ...nothing(), counts: noCounts() };
    for (const state of ROW_STATES) add(totals, sums[state], partOf(state), state);
    currencies.set(key, totals);
  }
  for (const row of rowsWithCopies(run)) {
    const state = rows.stateAt(rows.placeOf(row) ?? -1);
    if (state === undefined || partOf(state) === partOf(state, true)) continue;
    counts[partOf(state)]--;
    counts[partOf(state, true)]++;
    const order = run.rows[rows.placeOf(row) ?? -1]?.order;
    const totals = order && currencies.get(currencyKey(order.currency));
    if (!totals) continue;
    const minor = BigInt(order.amount_minor);
    add(totals, { payouts: -1, minor: -minor }, partOf(state), state);
    add(totals, { payouts: 1, minor }, partOf(state, true), state);
  }
  return { counts, currencies: [...currencies.values()] };
}

type Counted = CurrencyTotals & { counts: Record<Part, number> };

const noCounts = (): Record<Part, number> => ({ completed: 0, failed: 0, unconfirmed: 0, sending: 0, not_sent: 0 });
const nothing = () => ({ payouts: 0, planned: 0n, sent: 0n, remaining: 0n });

function add(totals: Counted, { payouts, minor }: { payouts: number; minor: bigint }, part: Part, state: RowState) {
  totals.payouts += payouts;
  totals.counts[part] += payouts;
  totals.planned += minor;
  if (state === 'accepted' || state === 'completed') totals.sent += minor;
  if (part === 'failed' || part === 'not_sent') totals.remaining += minor;
}

type Within = { run: RunState; phase: RunPhase; mayHaveCopy: boolean };

/** An unanswered request is under way while a process waits for it; an accepted one, until the run is over. */
export function partIn(state: RowState, { run: { cancelled }, phase, mayHaveCopy }: Within): Part {
  if (phase === 'planned') return 'not_sent';
  const status = statusOf(state, cancelled, mayHaveCopy);
  if (status === 'not_submitted') return 'not_sent';
  if (status === 'rejected') return 'failed';
  if (status !== 'unresolved') return status;
  const isUnderWay = state === 'accepted' ? phase !== 'finished' : state === 'sending' && phase === 'running';
  return isUnderWay ? 'sending' : 'unconfirmed';
}

const PAID = new WorkedOut<SinceOfRun, ReadonlyMap<string, bigint>>();

/** The same, but without what other runs have paid or are sending: that no longer remains. */
export function withoutPaidSince(totals: RunTotals, { run, rows }: Rows, since: SinceOfRun): RunTotals {
  if (since.rows.size === 0) return totals;
  const paid = PAID.of(since, 0, () => {
    const sums = new Map<string, bigint>();
    for (const [row, { standing }] of since.rows) {
      const order = standing === 'planned' ? null : run.rows[rows.placeOf(row) ?? -1]?.order;
      if (!order) continue;
      const key = currencyKey(order.currency);
      sums.set(key, (sums.get(key) ?? 0n) + BigInt(order.amount_minor));
    }
    return sums;
  });
  const currencies = totals.currencies.map((one) => {
    return { ...one, remaining: one.remaining - (paid.get(currencyKey(one.currency)) ?? 0n) };
  });
  return { ...totals, currencies };
}

/**
 * `isOver`: nothing will change any more. `isBrief`: for people who may not see amounts. `isLive`: its legend names each
 * state before it has payouts, so that nothing jumps. `beside`: stands beside the currencies.
 */
type TotalsShown = { isOver?: boolean; isBrief?: boolean; isLive?: boolean; beside?: Shown };

/** How much is paid: one bar over all payouts, and a row per currency. */
export function totalsPart(totals: RunTotals, shown: TotalsShown): Html {
  const { counts, currencies } = totals;
  const all = PARTS.reduce((sum, part) => sum + counts[part], 0);
  const without = currencies.reduce((left, { payouts }) => left - payouts, all);
  const { isLive = false, isBrief = false, beside = null } = shown;
  const columns = isLive && !isBrief ? liveColumns() : columnsOf(totals, shown);
  const shares = table(t`Table of the totals`, columns, currencies, { className: 'rows fit' });
  const byCurrency = isLive ? html`<section><h3>By currency</h3>${shares}</section>` : shares;
  const figures = currencies.length > 0 && byCurrency;
  return html`<section class="totals" aria-labelledby="totals-head"><h2 id="totals-head"${isLive && html` class="hidden"`}>Totals</h2>
${totalsBar(counts, shown)}
${beside ? html`<div class="live-figures">${figures}${beside}</div>` : figures}
${without > 0 && html`<p class="soft small">${counted(without, 'row')} with errors: without a currency.</p>`}</section>`;
}

/** The state whose label names each group. Once a run is over, unconfirmed payouts need a decision. */
const STATE_OF = {
  completed: 'completed',
  failed: 'failed',
  unconfirmed: 'in_doubt',
  sending: 'sending',
  not_sent: 'not_submitted',
};

function partLabel(part: Part, isOver: boolean): string {
  return stateLabel(isOver && part === 'unconfirmed' ? 'unresolved' : STATE_OF[part]);
}

/** In thousandths of the bar: one unconfirmed payout among a hundred thousand must be visible. */
const SEGMENT_LEAST = 6;
const WHOLE = 1_000;

/** The bar and its legend, which includes zeros, so that it shows that nothing is in doubt. */
export function totalsBar(counts: PartCounts, { isOver = false, isLive = false }: TotalsShown): Html {
  let from = 0;
  const segments = widthsOf(counts).flatMap(([part, width]) => {
    if (width === 0) return [];
    const rect = html`<rect class="${part}" x="${from}" y="0" width="${width}" height="10"/>`;
    from += width;
    return [rect];
  });
  const isShown = (part: Part) => isLive || counts[part] > 0 || part !== 'sending';
  const items = PARTS.filter(isShown).map(
    (part) =>
      html`<li><i class="swatch ${part}"></i><span>${partLabel(part, isOver)}</span> <b>${count(counts[part])}</b></li>`,
  );
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${segments}</svg>
<ul class="legend-line${isLive && ' large'}">${items}</ul>`;
}

/** Widths add up to the whole: the widest gives up what raised small ones to the minimum. */
function widthsOf(counts: PartCounts): [Part, number][] {
  const all = PARTS.reduce((sum, part) => sum + counts[part], 0);
  const widths = PARTS.map((part): [Part, number] => {
    const share = all === 0 ? 0 : Math.round((counts[part] * WHOLE) / all);
    return [part, counts[part] === 0 ? 0 : Math.max(SEGMENT_LEAST, share)];
  });
  const over = widths.reduce((sum, [, width]) => sum + width, all === 0 ? 0 : -WHOLE);
  const widest = Math.max(...widths.map(([, width]) => width));
  const at = widths.findIndex(([, width]) => width === widest);
  return widths.map(([part, width], place) => [part, place === at ? width - over : width]);
}

/** Columns only for wide screens are soft. Figures that may still change are not underlined as final. */
function columnsOf({ counts, currencies }: RunTotals, shown: TotalsShown): Column<CurrencyTotals>[] {
  const { isOver = false, isBrief = false } = shown;
  const number = (part: Part): Column<CurrencyTotals> => [
    partLabel(part, isOver),
    (one) => count(one.counts[part]),
    'number soft',
  ];
  const has = (part: Part) => (counts[part] > 0 ? [number(part)] : []);
  const isSent = currencies.some(({ sent }) => sent > 0n);
  const isLeft = currencies.some(({ remaining }) => remaining > 0n);
  return [
    [t`Currency`, ({ currency }) => currencyLabel(currency), 'head'],
    [t`Payouts`, ({ payouts }) => count(payouts), 'number soft'],
    [t`Planned`, (one) => plannedCell(one, isBrief), 'number'],
    ...has('completed'),
    ...(isBrief || !isSent ? [] : [sumColumn(t`Sent`, ({ sent }) => sent, isOver && !isLeft, isLeft)]),
    ...has('sending'),
    ...has('failed'),
    ...has('unconfirmed'),
    ...has('not_sent'),
    ...(isBrief || !isLeft ? [] : [sumColumn(t`Remaining`, ({ remaining }) => remaining, isOver)]),
  ];
}

/** How much of each currency is sent. */
const liveColumns = (): Column<CurrencyTotals>[] => [
  [t`Currency`, ({ currency }) => currencyLabel(currency), 'head'],
  [t`Sent`, (one) => amountOf(one.sent, one), 'number'],
  [t`Total`, (one) => amountOf(one.planned, one), 'number'],
  [t`Share`, shareCell, 'number'],
];

const SHARE_WIDTH = 48;

function shareCell({ sent, planned }: CurrencyTotals): Html {
  const percent = planned === 0n ? 0 : Number((sent * 100n) / planned);
  return html`<span class="share"><svg viewBox="0 0 ${SHARE_WIDTH} 8" aria-hidden="true"><rect class="track" width="${SHARE_WIDTH}" height="8" rx="2"/><rect class="sending" width="${(percent * SHARE_WIDTH) / 100}" height="8" rx="2"/></svg>${percent}%</span>`;
}

type SumOf = (one: CurrencyTotals) => bigint;

function sumColumn(title: string, sum: SumOf, isFinal: boolean, isSoft = false): Column<CurrencyTotals> {
  const cell = (one: CurrencyTotals): Shown => {
    const amount = amountOf(sum(one), one);
    return isFinal ? html`<span class="final">${amount}</span>` : amount;
  };
  return [title, cell, isSoft ? 'number soft' : 'number'];
}

/** A total of few payouts would reveal single amounts. */
function plannedCell(one: CurrencyTotals, isBrief: boolean): Shown {
  if (isBrief && one.payouts < PAYOUTS_OF_A_TOTAL_MIN) return html`<span class="soft">total hidden</span>`;
  return amountOf(one.planned, one);
}

function amountOf(minor: bigint, { currency }: CurrencyTotals): string {
  return grouped(formatMajor(minor, currency.decimals));
}
