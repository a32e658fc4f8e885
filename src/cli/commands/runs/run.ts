import { type ListedRun as Listed, listRuns } from '../../../app/history/list-runs.ts';
import type { Counts } from '../../../domain/entry.ts';
import type { RunStanding } from '../../../domain/run/run-state.ts';
import { formatAge, isoUtc, parseIso } from '../../../domain/time.ts';
import type { Journal } from '../../../journal/journal.ts';
import { foldPages } from '../../../journal/pages.ts';
import { machineClock } from '../../../platform/machine.ts';
import { countsOf, REHEARSAL_BAND } from '../../../report/model/outcome.ts';
import { retriesByRun } from '../../../runner/retries.ts';
import { EXIT } from '../../exit.ts';
import { jsonLine } from '../../json/line.ts';
import { standingNow, undamaged } from '../../runs/known-run.ts';
import { textTable } from '../../tables.ts';
import type { RunListed, RunsOutput } from './json.ts';

type Io = { stdout(text: string): void; stderr(text: string): void };

/** `isPlan`: nobody has started it. */
type ListedRun = RunListed & { isPlan: boolean };

/** `payrun runs`: every run, newest first. Returns the exit code. Throws a Refusal where the journal is damaged. */
export async function runsCommand(journal: Journal, io: Io, { json }: { json: boolean }): Promise<number> {
  const runs = await undamaged(null, () => listed(journal));
  if (json) io.stdout(jsonLine<RunsOutput>({ runs: runs.map(({ isPlan: _, ...run }) => run) }));
  else io.stdout(runs.length === 0 ? 'No runs yet. Make the first with `payrun run FILE`.\n' : runsText(runs));
  return EXIT.ok;
}

async function listed(journal: Journal): Promise<ListedRun[]> {
  const runs = await listRuns(journal);
  const retries = await retriesByRun(
    journal,
    runs.map(({ summary }) => summary),
  );
  const all: ListedRun[] = [];
  // One after another: a run that has to be read whole is not kept beside others.
  for (const run of runs) {
    const { header, run_id, created_at, isPlanned } = run.summary;
    const { name, path, sha256, bytes } = header.input;
    all.push({
      run_id,
      ...(endingOf(run) ?? (await standing(journal, run_id))),
      isPlan: isPlanned,
      rehearsal: header.rehearsal,
      input: { name, path, sha256, bytes },
      job: header.job,
      period: header.period,
      retries: header.retries,
      retried_by: retries.get(run_id) ?? [],
      created_at: isoUtc(created_at),
    });
  }
  return all;
}

/** How a run that is over is called, and the counts with which it finished. */
type Ending = Pick<ListedRun, 'state' | 'counts'>;

/** Null where the run has to be read whole: it is not over, or a payout was perhaps paid twice. */
function endingOf({ finished: counts, isCancelled, hasSurfaced }: Listed): Ending | null {
  if (counts === null || hasSurfaced) return null;
  if (counts.unresolved > 0) return { state: 'needs_decision', counts };
  return { state: isCancelled ? 'cancelled' : 'finished', counts };
}

async function standing(journal: Journal, runId: string): Promise<Ending> {
  const run = await foldPages(journal.readRun(runId));
  return { state: await standingNow(journal, run, runId), counts: countsOf(run) };
}

function runsText(runs: readonly ListedRun[]): string {
  const rows = runs.map(({ run_id, state, isPlan, rehearsal, input, job, created_at, counts }) => [
    run_id,
    stateText(state, isPlan, created_at),
    // To the second: people compare it with their clock.
    `${created_at.slice(0, 10)} ${created_at.slice(11, 19)}Z`,
    job ?? '',
    input.name,
    outcomeText(counts) + (rehearsal ? ' (rehearsal)' : ''),
  ]);
  const table = textTable(
    [
      { title: 'RUN' },
      { title: 'STATE' },
      { title: 'CREATED' },
      { title: 'JOB', widthMax: 24 },
      { title: 'INPUT', widthMax: 40 },
      { title: 'PAYOUTS' },
    ],
    rows,
  );
  return runs.some(({ rehearsal }) => rehearsal) ? `${table}\n(rehearsal) ${REHEARSAL_BAND}\n` : table;
}

/** How long a plan has waited, and that one which nobody started is over. */
function stateText(state: RunStanding, isPlan: boolean, createdAt: string): string {
  if (state === 'planned') return `planned ${formatAge(machineClock.wallMs() - (parseIso(createdAt) ?? 0))} ago`;
  return isPlan ? 'cancelled plan' : state.replace('_', ' ');
}

/** `38 completed, 2 failed`; `none` for a run without payouts. */
export function outcomeText(counts: Counts): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([status, count]) => `${count} ${status.replace('_', ' ')}`).join(', ') || 'none';
}
