import process from 'node:process';
import { z } from 'zod';
import { keepNamed, type MoveProgress, moveNamed, shownJournal } from '../../../compose/machine/journals.ts';
import { readSettings } from '../../../compose/settings.ts';
import { count, text } from '../../../domain/entries/members.ts';
import { counted } from '../../../messages/text.ts';
import { machineClock } from '../../../platform/machine.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { type Io, processIo } from '../../terminal.ts';

export const output = z
  .strictObject({
    state: z
      .enum(['moved', 'interrupted', 'kept'])
      .describe('`kept`: the copy was cancelled, and the first journal is in use as before.'),
    from: text,
    to: text,
    runs: count,
    entries: count.describe('Entries of all runs.'),
    added: count.describe('Entries that this call has added to the other journal.'),
    exit: exitCode,
  })
  .meta({ description: 'What became of the runs that are moved from one journal to another.' });
type Output = z.output<typeof output>;

/** `payrun journal copy FROM TO`. Sets the exit code; 130 where it was interrupted, and the next call continues it. */
export async function run(given: Given): Promise<void> {
  const settings = readSettings(given, process.env);
  const io = processIo(process.env);
  const named = { from: String(given.from), to: String(given.to) };
  const shown = { from: shownJournal(named.from), to: shownJournal(named.to) };
  const printed = (result: Omit<Output, 'from' | 'to'>, words: string) =>
    print<Output>({ io, settings }, { ...result, ...shown }, () => `${words}\n`);
  if (given.cancel === true) {
    await keepNamed(named);
    const kept = { state: 'kept' as const, runs: 0, entries: 0, added: 0, exit: EXIT.ok };
    process.exitCode = printed(
      kept,
      `${shown.from} is in use again. ${shown.to} stays closed until a copy of it finishes.`,
    );
    return;
  }
  const { outcome, runs, entries, added } = await moveNamed(named, {
    onInterrupt: () => io.stderr('Stopping. The same command continues.\n'),
    onProgress: progressLines(io, settings.quiet),
  });
  const exit = outcome === 'moved' ? EXIT.ok : EXIT.interrupted;
  process.exitCode = printed(
    { state: outcome, runs, entries, added, exit },
    wordsOf({ outcome, runs, entries, added }, shown),
  );
}

function wordsOf(
  { outcome, runs, entries, added }: { outcome: Output['state']; runs: number; entries: number; added: number },
  { from, to }: { from: string; to: string },
): string {
  if (outcome === 'interrupted')
    return `Interrupted: ${added} entries were copied, and until the same command finishes neither journal takes runs.`;
  return [
    `Moved ${counted(runs, 'run')} with ${entries} entries, ${added} of them now. Every run is proven in both journals.`,
    `From now on: ${to}`,
    `${from} no longer starts, resumes or pays anything. Keep it as a backup.`,
  ].join('\n');
}

const LINE_EVERY_MS = 2_000;

const STEPS: Readonly<Record<MoveProgress['step'], string>> = {
  proving_source: 'proving the copied entries',
  copying: 'copying',
  proving_target: 'proving the copy',
};

/** A line every two seconds, and at the beginning of each step. */
function progressLines(io: Io, quiet: boolean): (progress: MoveProgress) => void {
  let last: { step: MoveProgress['step']; atMs: number } | null = null;
  return ({ step, done, total }) => {
    const atMs = machineClock.monotonicMs();
    if (quiet || (last?.step === step && atMs - last.atMs < LINE_EVERY_MS)) return;
    last = { step, atMs };
    io.stderr(`${STEPS[step]}: ${done} of ${total} entries\n`);
  };
}
