import type { Headline, LeadFact, SinceCounts } from '../../domain/outcomes/payout-outcome.ts';
import { isPlannedOnly, type RunState, scheduledStart } from '../../domain/run/run-state.ts';
import { NOTHING_SINCE, type SinceOfRun } from '../../domain/run/since.ts';
import { isoUtc } from '../../domain/time.ts';
import { zoneText } from '../../domain/zone.ts';
import { messages } from '../../messages/messages.ts';
import type { COLUMN_TITLES, FACT_TERMS, TABLES } from '../../messages/report/summary-words.ts';
import { countDoubts } from './doubts.ts';
import { countsOf, phaseOf, standingOf } from './outcome.ts';
import { headerOf, isRehearsal, type Report } from './report.ts';
import { feesOf, railTotalsOf, ratesOf, type Sums, sumsOf, totalsOf } from './totals.ts';

// What the page and the first sheet of the workbook show beside the rows, each in its own form.

/** A cell by its type. Amounts are plain decimals of ours, moments ISO 8601. `isMissing`: the text stands for no figure. */
export type Cell =
  | { text: string; isMissing?: boolean }
  | { id: string }
  | { count: number }
  | { amount: string }
  | { moment: string };

export type Fact = readonly [term: keyof typeof FACT_TERMS, cell: Cell];

export type Column = keyof typeof COLUMN_TITLES;

export type Table = {
  table: keyof typeof TABLES;
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
};

/** What became of a run in one line. */
export function headlineOf(run: RunState): Headline {
  return {
    total: run.payouts.size,
    completed: countsOf(run).completed,
    isPlanned: isPlannedOnly(run),
    isRehearsal: isRehearsal(run),
  };
}

/** What needs somebody, loudest first, then what was sent and how long it took. */
export function leadOf(run: RunState, since = NOTHING_SINCE, sums = () => sumsOf(run)): LeadFact[] {
  const { unresolved } = countsOf(run);
  const phase = phaseOf(run);
  const doubts = countDoubts(run);
  // What is unresolved and in no doubt is not final yet, or was not looked up after a cancellation.
  const open = unresolved - (doubts - run.surfaced.length);
  const leads: LeadFact[] = [];
  if (doubts > 0) leads.push({ fact: 'doubts', count: doubts });
  leads.push(...brokenPromise(run));
  if (open > 0) leads.push({ fact: 'not_final', count: open });
  if (run.returned.size > 0) leads.push({ fact: 'returned', count: run.returned.size });
  if (run.cancelled) leads.push(isPlannedOnly(run) ? { fact: 'plan_over', end: run.planEnd } : { fact: 'cancelled' });
  else if (phase === 'running' || phase === 'stopped') leads.push({ fact: 'unfinished' });
  return [...leads, ...notPaid(run, since), ...sentOf(run, sums())];
}

/** A payment that was made after its deadline. */
export function brokenPromise({ expiryBroken }: RunState): LeadFact[] {
  if (expiryBroken === null) return [];
  const { row, transaction_id: transactionId, late_ms: lateMs } = expiryBroken;
  return [{ fact: 'promise_broken', transactionId, row, lateMs }];
}

function notPaid(run: RunState, { rows }: SinceOfRun): LeadFact[] {
  const { failed, rejected, not_submitted: notSubmitted } = countsOf(run);
  if (isPlannedOnly(run) || failed + rejected + notSubmitted === 0) return [];
  const since = countSince(rows);
  return [{ fact: 'not_paid', failed, rejected, notSubmitted, since, isRehearsal: isRehearsal(run) }];
}

/** How many stand how. */
export function countSince(rows: SinceOfRun['rows']): SinceCounts {
  const counts = { paid: 0, under_way: 0, planned: 0 };
  for (const { standing } of rows.values()) counts[standing]++;
  return counts;
}

function sentOf(run: RunState, sumsByRail: Sums): LeadFact[] {
  const sums = totalsOf(run, sumsByRail)
    .filter(({ sent }) => /[1-9]/.test(sent))
    .map(({ sent: amount, currency }) => ({ amount, currency }));
  if (sums.length === 0) return [];
  const tookMs = run.finishedAt === null ? null : run.finishedAt - (run.startedAt ?? run.createdAt);
  return [{ fact: 'sent', sums, isRehearsal: isRehearsal(run), tookMs }];
}

/** Which run it is. */
export function runFacts({ run, retriedBy }: Report): Fact[] {
  const { run_id, input, job, period, retries } = headerOf(run);
  const start = scheduledStart(run)?.start ?? null;
  const unfinished = { text: messages.summary.CELL_TEXTS.unfinished(standingOf(run)) };
  return [
    ['run', { id: run_id }],
    ['file', { text: input.name }],
    ...facts('job', job === null ? null : { text: `${job} ${period ?? ''}`.trim() }),
    ...facts('scheduled', start === null ? null : { text: zoneText(start.at, start.time_zone) }),
    ['started', { moment: isoUtc(run.startedAt ?? run.createdAt) }],
    ['finished', run.finishedAt === null ? unfinished : { moment: isoUtc(run.finishedAt) }],
    ...facts('retries', retries === null ? null : { text: retries }),
    ...facts('retried_by', retriedBy.length === 0 ? null : { text: messages.text.listed(retriedBy) }),
  ];
}

/** By what the report can be compared with the journal. */
export function proofFacts({ run, head, version }: Report): Fact[] {
  const { digest, retries, input } = headerOf(run);
  return [
    ['head', { id: head.hash }],
    ['digest', { id: digest }],
    ...facts('sha256', retries === null ? { id: input.sha256 } : null),
    ['version', { text: `payrun ${version}` }],
  ];
}

/** Per currency and rail. */
export function totalsTable({ run, sums }: Report): Table {
  return {
    table: 'totals',
    columns: ['currency', 'rail', 'payouts', 'completed', 'planned', isRehearsal(run) ? 'rehearsed' : 'sent'],
    rows: railTotalsOf(run, sums()).map(({ currency, rail, payouts, completed, planned, sent }) => [
      { text: currency },
      { text: rail ?? messages.summary.CELL_TEXTS.no_rail },
      { count: payouts },
      { count: completed },
      { amount: planned },
      { amount: sent },
    ]),
  };
}

/** What completed payouts cost. */
export function feesTable({ run }: Report): Table {
  const fees = feesOf(run);
  const isPlanned = fees.some(({ planned }) => planned !== null);
  return {
    table: 'fees',
    columns: ['currency', 'completed', 'fees', ...(isPlanned ? (['planned_fees'] as const) : [])],
    rows: fees.map(({ currency, payouts, fees, planned }) => [
      { text: currency },
      { count: payouts },
      { amount: fees },
      ...(isPlanned ? [figure(planned, messages.summary.CELL_TEXTS.not_stated)] : []),
    ]),
  };
}

/** At which rates currencies were exchanged. */
export function ratesTable({ run }: Report): Table {
  return {
    table: 'rates',
    columns: ['pair', 'planned_rate', 'paid_rate'],
    rows: ratesOf(run).map(({ from, to, planned, paid }) => [
      { text: messages.summary.CELL_TEXTS.pair(from, to) },
      { amount: planned },
      figure(paid, messages.summary.CELL_TEXTS.none_sent),
    ]),
  };
}

/** Whether a column of cells like this one holds figures. */
export function isFigure(cell: object | undefined): boolean {
  return cell !== undefined && ('count' in cell || 'amount' in cell);
}

function figure(amount: string | null, missing: string): Cell {
  return amount === null ? { text: missing, isMissing: true } : { amount };
}

function facts(term: Fact[0], cell: Cell | null): Fact[] {
  return cell === null ? [] : [[term, cell]];
}
