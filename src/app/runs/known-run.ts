import type { OnPage } from '../../domain/entry.ts';
import type { Loss, NotStarted, RunUnavailable } from '../../domain/outcomes/run-outcome.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import {
  CommitUncertain,
  Deposed,
  type Journal,
  JournalDamaged,
  JournalUnreadable,
  type RunWriter,
} from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';

/** Earlier runs among which the one that was meant is looked for. */
const CANDIDATES_MAX = 1_000;

/** Run ids are at most 64 characters; nothing longer is compared. */
const RUN_ID_MAX = 64;

export type RunRead = { outcome: 'read'; run: RunState } | Unread;
export type Unread = Extract<RunUnavailable, { outcome: 'unknown_run' | 'damaged' }>;

/** The run as its journal has it. */
export async function readRun(journal: Journal, runId: string): Promise<RunRead> {
  if ((await journal.head(runId)) === null) return unknownRun(journal, runId);
  try {
    return { outcome: 'read', run: await foldPages(journal.readRun(runId)) };
  } catch (error) {
    if (error instanceof JournalDamaged) return { outcome: 'damaged', runId, cause: error.message };
    throw error;
  }
}

/** Takes the lease of a run. */
export async function openRun(
  journal: Journal,
  runId: string,
  person: OnPage,
): Promise<{ outcome: 'opened'; writer: RunWriter } | RunUnavailable> {
  const opened = await journal.openRun(runId, person);
  switch (opened.outcome) {
    case 'opened':
      return opened;
    case 'held':
      return heldBy(runId, opened.holder);
    case 'unknown':
      return unknownRun(journal, runId);
  }
}

/** That another process works on the run, before anybody is asked anything; null where none does. */
export async function holderOf(journal: Journal, runId: string): Promise<Held | null> {
  const holder = await journal.holder(runId);
  return holder === null ? null : heldBy(runId, holder);
}

type Held = Extract<RunUnavailable, { outcome: 'held' }>;

function heldBy(runId: string, { pid, host }: { pid: number; host: string }): Held {
  return { outcome: 'held', runId, holder: { pid, host } };
}

/** That there is nothing to go on with: the run is a plan. Null where it was started. */
export function notStartedOf(run: RunState): NotStarted | null {
  if (!isPlannedOnly(run)) return null;
  const { header, cancelled: isCancelled, replacedBy } = run;
  return { outcome: 'not_started', runId: header?.run_id ?? '', isCancelled, replacedBy };
}

/** What `work` gives; where the run is lost meanwhile, how. Nothing is sent after that. */
export async function reportingLoss<Result>(
  runId: string,
  work: () => Promise<Result>,
): Promise<Result | RunUnavailable> {
  try {
    return await work();
  } catch (error) {
    const loss = lossOf(error);
    if (loss === null) throw error;
    return { outcome: 'lost', runId, loss };
  }
}

/** How a run, or the journal, was lost; null for any other error. */
export function lossOf(error: unknown): Loss | null {
  if (error instanceof CommitUncertain) return { why: 'commit_uncertain', cause: causeOf(error) };
  if (error instanceof JournalUnreadable) return { why: 'unreadable', cause: causeOf(error) };
  if (isOutOfDescriptors(error)) return { why: 'out_of_descriptors', cause: error.message };
  return error instanceof Deposed ? { why: error.why, cause: error.message } : null;
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function isOutOfDescriptors(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}

/** That there is no such run, with the one that was probably meant. */
export async function unknownRun(
  journal: Journal,
  runId: string,
): Promise<Extract<RunUnavailable, { outcome: 'unknown_run' }>> {
  const shown = runId.slice(0, RUN_ID_MAX);
  return { outcome: 'unknown_run', runId: shown, near: nearest(shown, await candidates(journal)) };
}

/** None where the list cannot be read: the answer that the run is unknown matters more than the one that was meant. */
async function candidates(journal: Journal): Promise<string[]> {
  try {
    return (await journal.listRuns(CANDIDATES_MAX)).map(({ run_id }) => run_id);
  } catch (error) {
    if (error instanceof JournalDamaged) return [];
    throw error;
  }
}

/** The id with the fewest edits from what was typed, where they are few enough to be slips. */
function nearest(typed: string, ids: readonly string[]): string | null {
  const wanted = typed.toLowerCase();
  let best: { id: string; edits: number } | null = null;
  for (const id of ids) {
    const known = id.toLowerCase();
    const isPart = wanted.length >= 4 && (known.startsWith(wanted) || known.endsWith(wanted));
    const edits = isPart ? 0 : editDistance(wanted, known);
    if (edits <= Math.ceil(known.length / 5) && (best === null || edits < best.edits)) best = { id, edits };
  }
  return best?.id ?? null;
}

/** Levenshtein's distance: insertions, deletions and replacements of single characters. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? a.length;
}
