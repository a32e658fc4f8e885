import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { listed } from '../../messages/text.ts';
import { type CommandLine, pageSteps } from '../command-line.ts';
import { HEADING as HEADING_OF } from '../doubts/doubt-text.ts';
import { doubtsOf } from '../doubts/doubts.ts';
import { OUTCOMES } from '../html/look.ts';
import type { JsonFacts } from '../json.ts';
import { starterText } from '../model/actor-text.ts';
import { countsOf, phaseOf, REHEARSAL_BAND, standingOf } from '../model/outcome.ts';
import { feesOf, railTotalsOf, ratesOf } from '../model/rail-totals.ts';
import { sinceText } from '../model/since-words.ts';
import { headlineOf, leadOf } from '../model/summary-words.ts';
import { type UnpaidRow, unpaidGroups } from '../model/unpaid.ts';
import type { CellStyle } from './xlsx-styles.ts';

/** A cell of the summary by its type. Amounts are plain decimals of ours, moments ISO 8601. */
export type SummaryCell =
  | { text: string; style?: CellStyle }
  | { count: number }
  | { amount: string }
  | { moment: string }
  | { blank: CellStyle };

/** Of the first sheet, in characters. */
export const SUMMARY_WIDTHS = [26, 30, 16, 16, 20, 20] as const;

const TITLE: CellStyle = { isBold: true, size: 16 };
const HEADING: CellStyle = { isBold: true, size: 12 };
const COLUMN: CellStyle = { isBold: true, fill: 'sunken' };
const NUMBERS: CellStyle = { ...COLUMN, align: 'right' };
const SOFT: CellStyle = { colour: 'text-soft' };
const BAND: CellStyle = { isBold: true, size: 12, fill: 'rehearsal', colour: 'on-rehearsal' };

/** The first sheet: what became of the run in words, then figures, then by what the report can be proven. */
export function summaryRows(run: RunState, facts: JsonFacts, command: CommandLine, left: number): SummaryCell[][] {
  return [
    ...(run.header?.rehearsal
      ? [[text(REHEARSAL_BAND, BAND), ...SUMMARY_WIDTHS.slice(1).map(() => ({ blank: BAND }))], []]
      : []),
    [text(headlineOf(run), TITLE)],
    ...leadOf(run, facts.since).map((sentence) => [text(sentence)]),
    ...(left === 0 ? [] : [[text(`A spreadsheet holds no more rows: the last ${left} are in report.csv only.`)]]),
    [],
    ...factRows(run, facts),
    [],
    [text('Outcomes', HEADING)],
    ...OUTCOMES.map(({ status, label }) => [text(label), { count: countsOf(run)[status] }]),
    ...doubtRows(run, command),
    ...unpaidRows(run, facts, command),
    ...totalRows(run),
    ...costRows(run),
    ...approvalRows(facts),
    ...proofRows(run, facts, command),
  ];
}

function factRows(run: RunState, { retriedBy }: JsonFacts): SummaryCell[][] {
  const { header } = run;
  assert(header !== null, 'a report of a run that was never created');
  const job = header.job === null ? [] : [fact('Job', text(`${header.job} ${header.period ?? ''}`.trim()))];
  const retries = header.retries === null ? [] : [fact('Retries rows of', text(header.retries))];
  const retried = retriedBy.length === 0 ? [] : [fact('Retried by', text(listed(retriedBy)))];
  return [
    fact('Run', text(header.run_id)),
    fact('File', text(header.input.name)),
    ...job,
    fact('Started', { moment: isoUtc(run.startedAt ?? run.createdAt) }),
    ...(run.startedOnPage === null ? [] : [fact('Started by', text(starterText(run) ?? ''))]),
    fact(
      'Finished',
      run.finishedAt === null
        ? text(`not yet (${standingOf(run).replace('_', ' ')})`)
        : { moment: isoUtc(run.finishedAt) },
    ),
    ...retries,
    ...retried,
  ];
}

function totalRows(run: RunState): SummaryCell[][] {
  const rows = railTotalsOf(run).map(({ currency, rail, payouts, completed, planned, sent }) => [
    text(currency),
    text(rail ?? 'account named in the file'),
    { count: payouts },
    { count: completed },
    { amount: planned },
    { amount: sent },
  ]);
  return table('Totals', ['Currency', 'Rail', 'Payouts', 'Completed', 'Planned', 'Sent'], rows);
}

function costRows(run: RunState): SummaryCell[][] {
  const fees = feesOf(run).map(({ currency, payouts, fees, planned }) => [
    text(currency),
    { count: payouts },
    { amount: fees },
    planned === null ? text('not told', SOFT) : { amount: planned },
  ]);
  const rates = ratesOf(run).map(({ from, to, planned, paid }) => [
    text(`${from} to ${to}`),
    { amount: planned },
    paid === null ? text('none sent', SOFT) : { amount: paid },
  ]);
  return [
    ...table('Fees of completed payouts', ['Currency', 'Completed', 'Fees', 'Planned for all'], fees),
    ...table('Rates', ['From and to', 'Planned rate', 'Rate paid'], rates),
  ];
}

function unpaidRows(run: RunState, { since }: JsonFacts, command: CommandLine): SummaryCell[][] {
  if (phaseOf(run) === 'planned') return [];
  const { groups } = unpaidGroups(run, command, since);
  const rows = groups.map(({ status, code, payouts, message, remedy, first }) => [
    text(status.replace('_', ' ')),
    text(code),
    { count: payouts },
    text(`${message} ${remedy.advice}${sinceSentence(run, first)}`.trim()),
  ]);
  const commands = new Map(groups.flatMap(({ remedy }) => remedy.commands).map((one) => [one.command, one.does]));
  return [
    ...table('Not paid, and what to do', ['Outcome', 'Reason', 'Payouts', 'What to do'], rows),
    ...Array.from(commands, ([command, does]) => [text(does, SOFT), { blank: {} }, { blank: {} }, text(command)]),
  ];
}

/** Rows of a group whose way since is told in one cell. */
const SINCE_NAMED = 5;

function sinceSentence(run: RunState, rows: readonly UnpaidRow[]): string {
  const told = rows.flatMap(({ row, since }) => (since === null ? [] : [`Row ${row} ${sinceText(since, run)}.`]));
  return [...told.slice(0, SINCE_NAMED), ...(told.length > SINCE_NAMED ? ['And others.'] : [])].join(' ');
}

/** Doubts that the summary names: the rows of the other sheet say all about each. */
const DOUBTS_NAMED = 100;

function doubtRows(run: RunState, command: CommandLine): SummaryCell[][] {
  const rows: SummaryCell[][] = [];
  for (const { about, row, payee, amount, currency, account } of doubtsOf(run)) {
    if (rows.length === DOUBTS_NAMED) break;
    rows.push([text(HEADING_OF[about]), text(payee), { count: row }, { amount }, text(currency), text(account)]);
  }
  const show = fact('All about each', text(command('show', run.header?.run_id ?? '')));
  const columns = ['What', 'Payee', 'Row', 'Amount', 'Currency', 'To'];
  return rows.length === 0 ? [] : [...table('Needs you', columns, rows), show];
}

function approvalRows({ approvals }: JsonFacts): SummaryCell[][] {
  const rows = approvals.map(({ approver, by, public_key, signed_at, counts, why_not }) => [
    text(approver),
    { moment: signed_at },
    text(by),
    text(counts ? 'counts' : `no: ${why_not ?? ''}`),
    text(public_key),
  ]);
  return table('Approvals', ['Approver', 'Signed', 'Account', 'Counts', 'Key (Ed25519)'], rows);
}

function proofRows(run: RunState, { head, version }: JsonFacts, command: CommandLine): SummaryCell[][] {
  const { header } = run;
  assert(header !== null, 'a report of a run that was never created');
  const file = header.retries === null ? [fact('SHA-256 of the file', text(header.input.sha256))] : [];
  return [
    [],
    [text('Proof', HEADING)],
    fact('Journal entries', { count: head.n }),
    fact('Journal head', text(head.hash)),
    fact('Digest of the plan', text(header.digest)),
    ...file,
    ...(command === pageSteps ? [] : [fact('Compare with', text(command('verify', header.run_id)))]),
    fact('Written by', text(`payrun ${version}`)),
  ];
}

/** A heading, the names of the columns, and the rows; nothing where there are no rows. */
function table(heading: string, columns: readonly string[], rows: SummaryCell[][]): SummaryCell[][] {
  if (rows.length === 0) return [];
  return [
    [],
    [text(heading, HEADING)],
    columns.map((column, at) => text(column, isNumber(rows[0]?.[at]) ? NUMBERS : COLUMN)),
    ...rows,
  ];
}

/** The name of a column stands over its figures. */
function isNumber(cell: SummaryCell | undefined): boolean {
  return cell !== undefined && ('count' in cell || 'amount' in cell);
}

function fact(term: string, cell: SummaryCell): SummaryCell[] {
  return [text(term, SOFT), cell];
}

function text(words: string, style?: CellStyle): SummaryCell {
  return style === undefined ? { text: words } : { text: words, style };
}
