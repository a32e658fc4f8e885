import { scheduledResult } from '../domain/result.ts';
import { type RunState, scheduledStart } from '../domain/run/run-state.ts';
import { isoUtc } from '../domain/time.ts';
import { doubtJson, doubtsOf } from './model/doubts.ts';
import { countsOf, standingOf } from './model/outcome.ts';
import { remittancesOf } from './model/remittances.ts';
import { approvalInWords, headerOf, type Report } from './model/report.ts';
import { ownColumns, type ReportRow } from './model/rows.ts';
import { countSince } from './model/summary.ts';
import { conversionsOf, totalsOf } from './model/totals.ts';
import type { ReportStart } from './report-result.ts';
import type { ReportText } from './report-text.ts';

/** Where the doubts begin, and after them the rows: everything before is small, and is read back alone by `witness.ts`. */
export const DOUBTS_KEY = ',\n"doubts":[';
const ROWS_KEY = '],\n"rows":[';

/**
 * The run's report as one JSON object, a line for each row, and before the rows one for each payout that is in doubt.
 * A row is an object by column name, the input's own columns first; amounts are texts, `attempts` is a number, and what is not known is null. `journal` notes the journal's head: a
 * witness, outside the journal, that the run went this way up to there.
 */
export function jsonText(report: Report): ReportText {
  const { run, command } = report;
  function* start(): Generator<string> {
    yield `${preamble(report).slice(0, -1)}${DOUBTS_KEY}`;
    let separator = '\n';
    for (const doubt of doubtsOf(run)) {
      yield separator + JSON.stringify(doubtJson(doubt, command));
      separator = ',\n';
    }
    yield ROWS_KEY;
  }
  return { start, row: rowWriter(run), end: '\n]}\n' };
}

function preamble({ run, head, version, sums, retriedBy, since, approvals }: Report): string {
  const header = headerOf(run);
  const { name, sha256, bytes } = header.input;
  const conversions = conversionsOf(run);
  const remittance = remittancesOf(run);
  const start = scheduledStart(run)?.start;
  const first: ReportStart = {
    payrun: version,
    run_id: header.run_id,
    state: standingOf(run),
    rehearsal: header.rehearsal,
    input: { name, sha256, bytes },
    job: header.job,
    retries: header.retries,
    retried_by: [...retriedBy],
    ...(since.rows.size > 0 && {
      since: { ...countSince(since.rows), as_of: since.asOf === null ? null : isoUtc(since.asOf) },
    }),
    digest: header.digest,
    approvals: approvals.map(approvalInWords),
    ...(start !== undefined && { scheduled: scheduledResult(start) }),
    created_at: isoUtc(run.createdAt),
    finished_at: run.finishedAt === null ? null : isoUtc(run.finishedAt),
    counts: countsOf(run),
    totals: totalsOf(run, sums()),
    ...(conversions.length === 0 ? {} : { conversions }),
    ...(remittance !== null && { remittance }),
    journal: { entries: head.n, head: head.hash },
  };
  return JSON.stringify(first);
}

/** Keys are written as text, once for all rows, and so `__proto__` is a column like any other. */
function rowWriter(run: RunState): (row: ReportRow) => string {
  const keys = ownColumns(headerOf(run).input).map((name) => `${JSON.stringify(name)}:`);
  let separator = '\n{';
  return ({ cells, result }) => {
    let text = separator;
    separator = ',\n{';
    for (let at = 0; at < keys.length; at++) text += `${keys[at]}${stringOf(cells[at] ?? '')},`;
    return text + JSON.stringify(result).slice(1);
  };
}

/** `JSON.stringify` of a text, without the call where nothing needs escaping. */
function stringOf(text: string): string {
  return NOTHING_TO_ESCAPE.test(text) ? `"${text}"` : JSON.stringify(text);
}

const NOTHING_TO_ESCAPE = /^[ !#-[\]-~•]*$/;
