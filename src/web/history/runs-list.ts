import { listRuns } from '../../app/history/list-runs.ts';
import type { Counts } from '../../domain/entry.ts';
import type { RunPhase } from '../../domain/run/run-state.ts';
import type { Journal, RunSummary } from '../../journal/journal.ts';
import { overtakenRetries } from '../../runner/submit/retries.ts';
import { searchable } from '../shell/words.ts';

/** How a run is called in the history: a plan that was cancelled, or can be started no more, is none that waits. */
export type ListedState = RunPhase | 'cancelled_plan' | 'overtaken_plan';

export const LISTED_STATES: readonly { state: ListedState; label: string }[] = [
  { state: 'planned', label: 'planned' },
  { state: 'running', label: 'under way' },
  { state: 'stopped', label: 'stopped' },
  { state: 'finished', label: 'finished' },
  { state: 'cancelled_plan', label: 'cancelled plan' },
  { state: 'overtaken_plan', label: 'plan that can be paid no more' },
];

/** `counts` is null where the run is not over: only its journal tells. */
export type RunInHistory = { summary: RunSummary; state: ListedState; counts: Counts | null };

export type RunsQuery = { state: ListedState | null; text: string; page: number };

export type RunsPage = { query: RunsQuery; runs: RunInHistory[]; matching: number; pages: number };

export const RUNS_OF_A_PAGE = 25;
const TEXT_MAX = 100;

export function runsQueryOf(asked: Record<string, string | undefined>): RunsQuery {
  const state = LISTED_STATES.find((one) => one.state === asked.state)?.state ?? null;
  const page = /^[1-9]\d{0,5}$/.test(asked.page ?? '') ? Number(asked.page) : 1;
  return { state, text: (asked.q ?? '').trim().slice(0, TEXT_MAX), page };
}

/** Every run, newest first, without reading any of them whole. */
export async function runsInHistory(journal: Journal): Promise<RunInHistory[]> {
  const runs = await listRuns(journal);
  const overtaken = overtakenRetries(runs.map(({ summary }) => summary));
  const all: RunInHistory[] = [];
  for (const { summary, finished: counts, isCancelled, replacedBy } of runs) {
    const { run_id, isPlanned } = summary;
    if (isPlanned) {
      const isGone = isCancelled || replacedBy !== null;
      const state = isGone ? 'cancelled_plan' : overtaken.has(run_id) ? 'overtaken_plan' : 'planned';
      all.push({ summary, state, counts: null });
    } else if (counts !== null) all.push({ summary, state: 'finished', counts });
    else all.push({ summary, state: (await journal.holder(run_id)) === null ? 'stopped' : 'running', counts: null });
  }
  return all;
}

/** One page of the runs that are asked for. A page after the last is the last. */
export async function runsPage(journal: Journal, query: RunsQuery): Promise<RunsPage> {
  const found = (await runsInHistory(journal)).filter((run) => isMeant(run, query));
  const pages = Math.max(1, Math.ceil(found.length / RUNS_OF_A_PAGE));
  const page = Math.min(query.page, pages);
  const runs = found.slice((page - 1) * RUNS_OF_A_PAGE, page * RUNS_OF_A_PAGE);
  return { query: { ...query, page }, runs, matching: found.length, pages };
}

function isMeant({ summary, state }: RunInHistory, query: RunsQuery): boolean {
  if (query.state !== null && state !== query.state) return false;
  if (query.text === '') return true;
  const wanted = searchable(query.text);
  const { input, job, period } = summary.header;
  return [summary.run_id, input.name, job, period].some((text) => text != null && searchable(text).includes(wanted));
}
