import { countsFor, type KindAhead } from '../../../domain/kind-of-payment.ts';
import { hashOf, openFile } from '../../../input/source/file.ts';
import type { ChosenInput } from '../../../job/choose-input.ts';
import type { Journal } from '../../../journal/journal.ts';

/** So many older files are looked at: a month of days. */
const FILES_MAX = 31;

/**
 * What to tell of files that came between the newest, which is taken, and the last one that was run: nobody pays them by
 * themselves. Null where there are none, or where none of the others was ever run, since then all of them are older than
 * the job.
 */
export async function passedOver(
  { others }: ChosenInput,
  journal: Pick<Journal, 'runsOfInput'>,
  { rehearsal, scope }: KindAhead,
): Promise<string | null> {
  const kind = { rehearsal: rehearsal ?? false, scope };
  const passed: string[] = [];
  for (const path of others.slice(0, FILES_MAX)) {
    const sha256 = await hashAt(path);
    if (sha256 === null) continue;
    if ((await journal.runsOfInput(sha256)).some(({ isPlanned, header }) => !isPlanned && countsFor(kind, header)))
      return passed.length === 0 ? null : textOf(passed);
    passed.push(path);
  }
  return null;
}

function textOf(paths: readonly string[]): string {
  const files = paths.join(', ');
  return `Not taken, and never run: ${files}. To pay one, save it again, so that it is the newest, and run the job.`;
}

/** Null for what cannot be read as an input. */
async function hashAt(path: string): Promise<string | null> {
  try {
    return await hashOf(await openFile(path));
  } catch {
    return null;
  }
}
