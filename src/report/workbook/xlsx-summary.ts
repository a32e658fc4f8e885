import { messages } from '../../messages/messages.ts';
import { doubtsOf } from '../model/doubts.ts';
import { countsOf, phaseOf } from '../model/outcome.ts';
import { headerOf, isForPage, isRehearsal, type Report } from '../model/report.ts';
import {
  type Cell,
  type Column,
  type Fact,
  feesTable,
  headlineOf,
  isFigure,
  leadOf,
  proofFacts,
  ratesTable,
  runFacts,
  type Table,
  totalsTable,
} from '../model/summary.ts';
import { actsOf, type UnpaidRow, unpaidGroups } from '../model/unpaid.ts';
import type { CellStyle } from './xlsx-styles.ts';

/** A cell of the first sheet. */
export type SummaryCell = (Cell & { style?: CellStyle }) | { blank: CellStyle };

/** Of the first sheet, in characters. */
export const SUMMARY_WIDTHS = [26, 30, 16, 16, 20, 20] as const;

const TITLE: CellStyle = { isBold: true, size: 16 };
const HEADING: CellStyle = { isBold: true, size: 12 };
const COLUMN: CellStyle = { isBold: true, fill: 'sunken' };
const NUMBERS: CellStyle = { ...COLUMN, align: 'right' };
const SOFT: CellStyle = { colour: 'ink-2' };
const BAND: CellStyle = { isBold: true, size: 12, fill: 'test-bg', colour: 'test-ink' };

/** The first sheet: what became of the run in words, then figures, then by what the report can be proven. */
export function summaryRows(report: Report, left: number): SummaryCell[][] {
  const { run, since, sums } = report;
  const { headlineText, leadText, CELL_TEXTS, PAGE_TEXTS } = messages.summary;
  const { rehearsalBand, STATUS_LABELS } = messages.outcomes;
  const counts = Object.entries(countsOf(run)) as [keyof typeof STATUS_LABELS, number][];
  const blanks = SUMMARY_WIDTHS.slice(1).map(() => ({ blank: BAND }));
  return [
    ...(isRehearsal(run) ? [[text(rehearsalBand(), BAND), ...blanks], []] : []),
    [text(headlineText(headlineOf(run)), TITLE)],
    ...leadOf(run, since, sums).map((lead) => [text(leadText(lead))]),
    ...(left === 0 ? [] : [[text(CELL_TEXTS.rows_left(left))]]),
    [],
    ...factRows([...runFacts(report), ...starterFact(report)]),
    [],
    [text(PAGE_TEXTS.outcomes, HEADING)],
    ...counts.map(([status, count]) => [text(STATUS_LABELS[status]), { count }]),
    ...doubtRows(report),
    ...unpaidRows(report),
    ...[totalsTable(report), feesTable(report), ratesTable(report), approvalsTable(report)].flatMap((table) =>
      tableRows(table.table, table.columns, table.rows),
    ),
    ...proofRows(report),
  ];
}

function starterFact({ run }: Report): Fact[] {
  const starter = run.startedOnPage === null ? null : messages.actors.starterText(run);
  return starter === null ? [] : [['started_by', { text: starter }]];
}

function unpaidRows(report: Report): SummaryCell[][] {
  const { run, since, command } = report;
  const { actText, adviceText, outcomeText, STATUS_LABELS } = messages.outcomes;
  if (phaseOf(run) === 'planned') return [];
  const resume = command('resume', headerOf(run).run_id);
  const { groups } = unpaidGroups(run, (why) => outcomeText(why, resume), since);
  const rows = groups.map(({ status, code, payouts, message, remedy, first }) => {
    const words = `${message} ${adviceText(remedy)}${sinceSentences(report, first)}`;
    return [text(STATUS_LABELS[status]), text(code), { count: payouts }, text(words.trim())];
  });
  const acts = actsOf(groups).map((act) => actText(act, command));
  return [
    ...tableRows('unpaid', ['outcome', 'reason', 'payouts', 'remedy'], rows),
    ...acts.map(({ command, does }) => [text(does, SOFT), { blank: {} }, { blank: {} }, text(command)]),
  ];
}

/** Rows of a group whose later runs are named in one cell. */
const SINCE_NAMED = 5;

function sinceSentences({ run }: Report, rows: readonly UnpaidRow[]): string {
  const { CELL_TEXTS } = messages.summary;
  const sentences = rows.flatMap(({ row, since }) =>
    since === null ? [] : [CELL_TEXTS.since(row, messages.outcomes.sinceText(since, isRehearsal(run)))],
  );
  const others = sentences.length > SINCE_NAMED ? [CELL_TEXTS.and_others] : [];
  return [...sentences.slice(0, SINCE_NAMED), ...others].join(' ');
}

/** Doubts that the summary names: the rows of the other sheet say all about each. */
const DOUBTS_NAMED = 100;

function doubtRows(report: Report): SummaryCell[][] {
  const { run, command } = report;
  const rows = doubtsOf(run)
    .take(DOUBTS_NAMED)
    .map(({ about, row, payee, amount, currency, account }) => [
      ...[text(messages.doubts.DOUBT_KINDS[about].heading), text(payee)],
      ...[{ count: row }, { amount }, text(currency), text(account)],
    ])
    .toArray();
  if (rows.length === 0) return [];
  const show: Fact = ['show', { text: command('show', headerOf(run).run_id) }];
  const columns: Column[] = ['what', 'payee', 'row', 'amount', 'currency', 'to'];
  return [...tableRows('doubts', columns, rows), ...factRows([show])];
}

function approvalsTable({ approvals }: Report): Table {
  const { CELL_TEXTS } = messages.summary;
  const rows = approvals.map(({ approver, by, public_key, signed_at, why_not: why }): Cell[] => [
    { text: approver },
    { moment: signed_at },
    { text: by },
    { text: why === null ? CELL_TEXTS.counts : CELL_TEXTS.void(messages.approvals.WHY_VOID[why]) },
    { text: public_key },
  ]);
  return { table: 'approvals', columns: ['approver', 'signed', 'account', 'counts', 'key'], rows };
}

function proofRows(report: Report): SummaryCell[][] {
  const { run, head, command } = report;
  const compare: Fact = ['compare', { text: command('verify', headerOf(run).run_id) }];
  const facts: Fact[] = [
    ['entries', { count: head.n }],
    ...proofFacts(report),
    ...(isForPage(report) ? [] : [compare]),
  ];
  return [[], [text(messages.summary.PAGE_TEXTS.proof, HEADING)], ...factRows(facts)];
}

/** A heading, the names of the columns, and the rows; nothing where there are no rows. */
function tableRows(
  table: Table['table'],
  columns: readonly Column[],
  rows: readonly (readonly SummaryCell[])[],
): SummaryCell[][] {
  if (rows.length === 0) return [];
  const { COLUMN_TITLES, TABLES } = messages.summary;
  const styleAt = (at: number) => (rows.some((cells) => isFigure(cells[at])) ? NUMBERS : COLUMN);
  return [
    [],
    [text(TABLES[table].heading, HEADING)],
    columns.map((column, at) => text(COLUMN_TITLES[column], styleAt(at))),
    ...rows.map((cells) => [...cells]),
  ];
}

function factRows(facts: readonly Fact[]): SummaryCell[][] {
  return facts.map(([term, cell]) => [text(messages.summary.FACT_TERMS[term], SOFT), cell]);
}

function text(words: string, style?: CellStyle): SummaryCell {
  return style === undefined ? { text: words } : { text: words, style };
}
