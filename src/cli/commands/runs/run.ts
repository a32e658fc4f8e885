import { type ListedRun, listRuns } from '../../../app/history/list-runs.ts';
import { standingNow, undamaged } from '../../../app/runs/known-run.ts';
import type { RunStanding } from '../../../domain/run/run-state.ts';
import { formatAge, isoUtc } from '../../../domain/time.ts';
import type { Journal } from '../../../journal/journal.ts';
import { foldPages } from '../../../journal/pages.ts';
import { REHEARSAL_BAND } from '../../../messages/report/outcome-words.ts';
import { countsText } from '../../../messages/text.ts';
import { machineClock } from '../../../platform/machine.ts';
import { countsOf } from '../../../report/model/outcome.ts';
import { retriesByRun } from '../../../runner/retries.ts';
import { EXIT } from '../../exit.ts';
import { jsonLine } from '../../json/line.ts';
import { textTable } from '../../tables.ts';
import type { Io } from '../../terminal.ts';
import type { RunListed, RunsOutput } from './json.ts';

/** `payrun runs`: every run, newest first. Returns the exit code. Throws a Refusal where the journal is damaged. */
export async function runsCommand(
  journal: Journal,
  { stdout }: Pick<Io, 'stdout'>,
  { json }: { json: boolean },
): Promise<number> {
  const runs = await undamaged(null, () => listed(journal));
  if (json) stdout(jsonLine<RunsOutput>({ runs: runs.map(({ shown }) => shown) }));
  else stdout(runs.length === 0 ? 'No runs yet. Make the first with `payrun run FILE`.\n' : runsText(runs));
  return EXIT.ok;
}

type Shown = { shown: RunListed; summary: ListedRun['summary'] };

async function listed(journal: Journal): Promise<Shown[]> {
  const runs = await listRuns(journal);
  const summaries = runs.map(({ summary }) => summary);
  const retries = await retriesByRun(journal, summaries);
  const all: Shown[] = [];
  // One after another: a run that has to be read whole is not kept beside others.
  for (const run of runs) {
    const { summary } = run;
    const { header, run_id, created_at } = summary;
    const { name, path, sha256, bytes } = header.input;
    const shown = {
      run_id,
      ...(endingOf(run) ?? (await standing(journal, run_id))),
      rehearsal: header.rehearsal,
      input: { name, path, sha256, bytes },
      job: header.job,
      period: header.period,
      retries: header.retries,
      retried_by: retries.get(run_id) ?? [],
      created_at: isoUtc(created_at),
    };
    all.push({ shown, summary });
  }
  return all;
}

/** The state of a run that is over, and the counts with which it finished. */
type Ending = Pick<RunListed, 'state' | 'counts'>;

/** Null where the run has to be read whole: it is not over, or a payout was perhaps paid twice. */
function endingOf({ finished: counts, isCancelled, hasSurfaced }: ListedRun): Ending | null {
  if (counts === null || hasSurfaced) return null;
  if (counts.unresolved > 0) return { state: 'needs_decision', counts };
  return { state: isCancelled ? 'cancelled' : 'finished', counts };
}

async function standing(journal: Journal, runId: string): Promise<Ending> {
  const run = await foldPages(journal.readRun(runId));
  return { state: await standingNow(journal, run, runId), counts: countsOf(run) };
}

const COLUMNS = [
  { title: 'RUN' },
  { title: 'STATE' },
  { title: 'CREATED' },
  { title: 'JOB', widthMax: 24 },
  { title: 'INPUT', widthMax: 40 },
  { title: 'PAYOUTS' },
];

function runsText(runs: readonly Shown[]): string {
  const rows = runs.map(({ shown: { run_id, state, rehearsal, input, job, created_at, counts }, summary }) => [
    run_id,
    stateText(state, summary),
    // To the second: people compare it with their clock.
    `${created_at.slice(0, 10)} ${created_at.slice(11, 19)}Z`,
    job ?? '',
    input.name,
    countsText(counts) + (rehearsal ? ' (rehearsal)' : ''),
  ]);
  const table = textTable(COLUMNS, rows);
  return runs.some(({ shown }) => shown.rehearsal) ? `${table}\n(rehearsal) ${REHEARSAL_BAND}\n` : table;
}

/** A plan with its age; one that was cancelled before anybody started it is no cancelled run. */
function stateText(state: RunStanding, { isPlanned, created_at }: ListedRun['summary']): string {
  if (state === 'planned') return `planned ${formatAge(machineClock.wallMs() - created_at)} ago`;
  return isPlanned ? 'cancelled plan' : state.replace('_', ' ');
}
