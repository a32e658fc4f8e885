import { countsFor, type KindAhead } from '../../domain/kind-of-payment.ts';
import { Refusal } from '../../domain/refusal.ts';
import { hashOf, openFile } from '../../input/source/file.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Journal } from '../../journal/journal.ts';

/** More starts of others than anybody makes while one run is looked at. */
const LOOKS_MAX = 20;

/**
 * Starts what was looked at when `seen` runs had been started, or, as often as others were started in between, looks
 * again first. So of two that would pay the same, each of which saw nothing, one sees the other before it starts. Throws
 * what `lookAgain` throws, and a `Refusal` (`others_started`) where others are started without end.
 */
export async function startSeen<Outcome extends { outcome: string }>(
  journal: Pick<Journal, 'startedRuns'>,
  seen: number,
  start: (seen: number) => Promise<Outcome>,
  lookAgain: () => void | Promise<void>,
): Promise<Exclude<Outcome, { outcome: 'moved' }>> {
  let now = seen;
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const started = await start(now);
    if (started.outcome !== 'moved') return started as Exclude<Outcome, { outcome: 'moved' }>;
    now = await journal.startedRuns();
    await lookAgain();
  }
  throw new Refusal({ code: 'others_started' });
}

/** So many older files are looked at: a month of days. */
const FILES_MAX = 31;

/**
 * The files that came between the newest, which is taken, and the last one that was run: nobody pays them by themselves. None
 * where none of the others was ever run, since then all of them are older than the job.
 */
export async function passedOver(
  { others }: ChosenInput,
  journal: Pick<Journal, 'runsOfInput'>,
  { rehearsal, scope }: KindAhead,
): Promise<string[]> {
  const kind = { rehearsal: rehearsal ?? false, scope };
  const passed: string[] = [];
  for (const path of others.slice(0, FILES_MAX)) {
    const sha256 = await hashAt(path);
    if (sha256 === null) continue;
    const runs = await journal.runsOfInput(sha256);
    if (runs.some(({ isPlanned, header }) => !isPlanned && countsFor(kind, header))) return passed;
    passed.push(path);
  }
  return [];
}

/** Null for what cannot be read as an input. */
async function hashAt(path: string): Promise<string | null> {
  try {
    return await hashOf(await openFile(path));
  } catch {
    return null;
  }
}
