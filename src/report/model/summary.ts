import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { listed } from '../../messages/text.ts';
import type { JsonFacts } from '../json.ts';
import { standingOf } from './outcome.ts';
import { feesOf, railTotalsOf, ratesOf } from './totals.ts';
import type { UnpaidGroup } from './unpaid.ts';

// What the page and the first sheet of the workbook show beside the rows, each in its own form.

/** A cell by its type. Amounts are plain decimals of ours, moments ISO 8601. `isMissing`: the text stands for no figure. */
export type Cell =
  | { text: string; isMissing?: boolean }
  | { id: string }
  | { count: number }
  | { amount: string }
  | { moment: string };

export type Fact = readonly [term: string, cell: Cell];

/** `caption` says what its figures are. */
export type Table = {
  heading: string;
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
};

/** Which run it is. */
export function runFacts(run: RunState, retriedBy: readonly string[]): Fact[] {
  const header = headerOf(run);
  const unfinished = { text: `not yet (${standingOf(run).replace('_', ' ')})` };
  return [
    ['Run', { id: header.run_id }],
    ['File', { text: header.input.name }],
    ...facts('Job', header.job === null ? null : { text: `${header.job} ${header.period ?? ''}`.trim() }),
    ['Started', { moment: isoUtc(run.startedAt ?? run.createdAt) }],
    ['Finished', run.finishedAt === null ? unfinished : { moment: isoUtc(run.finishedAt) }],
    ...facts('Retries rows of', header.retries === null ? null : { text: header.retries }),
    ...facts('Retried by', retriedBy.length === 0 ? null : { text: listed(retriedBy) }),
  ];
}

/** By what the report can be compared with the journal. */
export function proofFacts(run: RunState, { head, version }: JsonFacts): Fact[] {
  const { digest, retries, input } = headerOf(run);
  return [
    ['Journal head', { id: head.hash }],
    ['Digest of the plan', { id: digest }],
    ...facts('SHA-256 of the file', retries === null ? { id: input.sha256 } : null),
    ['Written by', { text: `payrun ${version}` }],
  ];
}

/** Per currency and rail. */
export function totalsTable(run: RunState): Table {
  return {
    heading: 'Totals',
    caption: 'Totals per currency and rail, in what payees receive',
    columns: ['Currency', 'Rail', 'Payouts', 'Completed', 'Planned', sentTitle(run)],
    rows: railTotalsOf(run).map(({ currency, rail, payouts, completed, planned, sent }) => [
      { text: currency },
      { text: rail ?? 'account named in the file' },
      { count: payouts },
      { count: completed },
      { amount: planned },
      { amount: sent },
    ]),
  };
}

function sentTitle({ header }: RunState): string {
  return header?.rehearsal ? 'Sent in the rehearsal' : 'Sent';
}

/** What completed payouts cost. */
export function feesTable(run: RunState): Table {
  const fees = feesOf(run);
  const isPlanned = fees.some(({ planned }) => planned !== null);
  return {
    heading: 'Fees',
    caption: 'Fees of completed payouts, in what was sent',
    columns: ['Currency', 'Completed', 'Fees', ...(isPlanned ? ['Planned for all'] : [])],
    rows: fees.map(({ currency, payouts, fees, planned }) => [
      { text: currency },
      { count: payouts },
      { amount: fees },
      ...(isPlanned ? [figure(planned, 'not stated')] : []),
    ]),
  };
}

/** At which rates currencies were exchanged. */
export function ratesTable(run: RunState): Table {
  return {
    heading: 'Rates',
    caption: 'Rates: what one unit of the first currency brings of the second',
    columns: ['From and to', 'Planned rate', 'Rate paid'],
    rows: ratesOf(run).map(({ from, to, planned, paid }) => [
      { text: `${from} to ${to}` },
      { amount: planned },
      figure(paid, 'none sent'),
    ]),
  };
}

/** Each command that helps with payouts that are not paid, once: most reasons have the same. */
export function commandsOf(groups: readonly UnpaidGroup[]): ReadonlyMap<string, string> {
  return new Map(groups.flatMap(({ remedy }) => remedy.commands).map(({ command, does }) => [command, does]));
}

/** Whether a column of cells like this one holds figures. */
export function isFigure(cell: object | undefined): boolean {
  return cell !== undefined && ('count' in cell || 'amount' in cell);
}

function figure(amount: string | null, missing: string): Cell {
  return amount === null ? { text: missing, isMissing: true } : { amount };
}

function facts(term: string, cell: Cell | null): Fact[] {
  return cell === null ? [] : [[term, cell]];
}

function headerOf({ header }: RunState) {
  assert(header !== null, 'a report of a run that was never created');
  return header;
}
