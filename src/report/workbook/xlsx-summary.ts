import type { RunState } from '../../domain/run/run-state.ts';
import { type CommandLine, pageSteps } from '../command-line.ts';
import { HEADING as HEADING_OF } from '../doubts/doubt-text.ts';
import { doubtsOf } from '../doubts/doubts.ts';
import { OUTCOMES } from '../html/look.ts';
import type { JsonFacts } from '../json.ts';
import { starterText } from '../model/actor-text.ts';
import { countsOf, phaseOf, REHEARSAL_BAND } from '../model/outcome.ts';
import { sinceText } from '../model/since-words.ts';
import {
  type Cell,
  commandsOf,
  type Fact,
  feesTable,
  isFigure,
  proofFacts,
  ratesTable,
  runFacts,
  totalsTable,
} from '../model/summary.ts';
import { headlineOf, leadOf } from '../model/summary-words.ts';
import { type UnpaidRow, unpaidGroups } from '../model/unpaid.ts';
import type { CellStyle } from './xlsx-styles.ts';

/** A cell of the first sheet. */
export type SummaryCell = (Cell & { style?: CellStyle }) | { blank: CellStyle };

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
    ...[totalsTable(run), feesTable(run), ratesTable(run)].flatMap(({ heading, columns, rows }) => {
      return table(heading, columns, rows);
    }),
    ...approvalRows(facts),
    ...proofRows(run, facts, command),
  ];
}

function factRows(run: RunState, { retriedBy }: JsonFacts): SummaryCell[][] {
  const starter = run.startedOnPage === null ? null : starterText(run);
  return [...runFacts(run, retriedBy), ...(starter === null ? [] : [['Started by', { text: starter }] as const])].map(
    fact,
  );
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
  return [
    ...table('Not paid, and what to do', ['Outcome', 'Reason', 'Payouts', 'What to do'], rows),
    ...Array.from(commandsOf(groups), ([command, does]) => [
      text(does, SOFT),
      { blank: {} },
      { blank: {} },
      text(command),
    ]),
  ];
}

/** Rows of a group whose later runs are named in one cell. */
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
  const show = fact(['All about each', { text: command('show', run.header?.run_id ?? '') }]);
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

function proofRows(run: RunState, facts: JsonFacts, command: CommandLine): SummaryCell[][] {
  const compare = { text: command('verify', run.header?.run_id ?? '') };
  const proof: Fact[] = [
    ['Journal entries', { count: facts.head.n }],
    ...proofFacts(run, facts),
    ...(command === pageSteps ? [] : [['Compare with', compare] as const]),
  ];
  return [[], [text('Proof', HEADING)], ...proof.map(fact)];
}

/** A heading, the names of the columns, and the rows; nothing where there are no rows. */
function table(
  heading: string,
  columns: readonly string[],
  rows: readonly (readonly SummaryCell[])[],
): SummaryCell[][] {
  if (rows.length === 0) return [];
  return [
    [],
    [text(heading, HEADING)],
    columns.map((column, at) => text(column, rows.some((cells) => isFigure(cells[at])) ? NUMBERS : COLUMN)),
    ...rows.map((cells) => [...cells]),
  ];
}

function fact([term, cell]: Fact): SummaryCell[] {
  return [text(term, SOFT), cell];
}

function text(words: string, style?: CellStyle): SummaryCell {
  return style === undefined ? { text: words } : { text: words, style };
}
