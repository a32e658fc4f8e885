import { onFirstUse } from '../../domain/lazy/on-first-use.ts';
import type { DeliveryFault } from '../../domain/outcomes/notice-outcome.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Witness } from '../../journal/journal.ts';
import { messages } from '../../messages/messages.ts';
import { countsOf, endingOf, standingOf } from '../../report/model/outcome.ts';
import { conversionsOf, type Sums, sumsOf, totalsOf } from '../../report/model/totals.ts';
import { REPORT_FORMATS } from '../../report/report-text.ts';
import { writeHeads } from '../../report/witness.ts';
import { retriedBy } from '../../runner/retries.ts';
import type { RunEnd } from '../../runner/run.ts';
import { approvalsAt } from '../approve/approvals.ts';
import type { ExecutedRun, RunDeps, Watching } from './run-deps.ts';
import type { RunResult } from './run-result.ts';

/** A run that ended or stopped, with what only the process that looks at it knows. */
export function executedRun(
  { run, sums }: Reported,
  end: RunEnd,
  also: Pick<RunResult, 'report' | 'remittance'>,
): ExecutedRun {
  const result = { ...resultOf(run, sums()), ...also, ...haltOf(end) };
  return { ending: endingOf(run, stoppedBy(end)), end, run, result };
}

/** A run that ended elsewhere, or earlier: its report is written here. `end`: how it ended. */
export async function reportEnded(
  deps: ReportDeps & Pick<RunDeps, 'advice'>,
  watching: Watching,
  run: RunState,
  end: RunEnd,
): Promise<ExecutedRun> {
  const advice = await adviceResult(deps, watching, run, null);
  const head = await deps.journal.head(run.header?.run_id ?? '');
  const reported = reportedOf(run);
  const report = head === null ? [] : await reportRun(deps, watching, reported, head);
  const executed = executedRun(reported, end, { ...advice, report });
  watching.onEnded(executed);
  return executed;
}

/** What the result of a run holds of the advice to its payees. */
export async function adviceResult(
  { advice }: Pick<RunDeps, 'advice'>,
  { onEvent }: Watching,
  run: RunState,
  unsentAdvice: DeliveryFault | null,
): Promise<Pick<RunResult, 'remittance'>> {
  if ((run.notices.settings?.remittance ?? null) === null) return {};
  const remittance = await advice(run, unsentAdvice);
  if (remittance !== null && remittance.to_do.length > 0) onEvent({ event: 'advice_to_do', lines: remittance.to_do });
  return { remittance };
}

/** A run that ended, and what its report and its result both add up of all its rows. */
export type Reported = { run: RunState; sums: () => Sums };

export function reportedOf(run: RunState): Reported {
  return { run, sums: onFirstUse(() => sumsOf(run)) };
}

/** What writes the report of a run. */
export type ReportDeps = Pick<RunDeps, 'journal' | 'clock' | 'report' | 'reportDir'>;

/**
 * Writes the report, and how far each run goes. `head`: the end of the run that it reports. The files of the report. Who was
 * paid stands in the journal: a report that cannot be written changes neither that nor how the run ended.
 */
export async function reportRun(
  deps: ReportDeps,
  watching: Watching,
  { run, sums }: Reported,
  head: Witness,
): Promise<string[]> {
  const { journal, clock } = deps;
  assert(run.header, 'a run without its header');
  const directory = deps.reportDir ?? run.header.report_dir;
  const retries = await retriedBy(journal, run.header.run_id);
  const { approvals } = approvalsAt(run, clock.wallMs());
  let files: string[] = [];
  try {
    files = await deps.report({ run, sums, head, directory, formats: REPORT_FORMATS, retriedBy: retries, approvals });
  } catch (error) {
    watching.onEvent({ event: 'report_not_written', why: whyOf(error) });
  }
  await noteHeads(deps, watching, directory);
  return files;
}

/** How far each run goes is kept outside of the journal too. What cannot be written there changes nothing of the run. */
async function noteHeads({ journal }: ReportDeps, { onEvent }: Watching, directory: string): Promise<void> {
  try {
    const written = await writeHeads(journal, directory);
    const [first] = written?.against ?? [];
    if (written === null || first === undefined) return;
    onEvent({ event: 'heads_against', path: written.path, runId: first.runId, n: first.n });
  } catch (error) {
    onEvent({ event: 'heads_not_noted', why: whyOf(error) });
  }
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function resultOf(run: RunState, sums: Sums): Omit<RunResult, 'report'> {
  assert(run.header, 'a run without its header');
  const { run_id, input, digest, rehearsal } = run.header;
  const { name, path, sha256, bytes } = input;
  const conversions = conversionsOf(run);
  const converted = conversions.length === 0 ? {} : { conversions };
  const of = { run_id, state: standingOf(run), rehearsal, input: { name, path, sha256, bytes }, digest };
  return { ...of, counts: countsOf(run), totals: totalsOf(run, sums), ...converted };
}

function haltOf(end: RunEnd): Pick<RunResult, 'message'> {
  return end.end === 'halted' ? { message: messages.stops.stopText(end.why, 'command_line') } : {};
}

/** Null where the run is finished. */
export function stoppedBy(end: RunEnd): RunState['stopped'] {
  if (end.end === 'finished') return null;
  return end.end === 'interrupted' ? 'interrupted' : end.reason;
}
