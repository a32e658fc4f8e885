import process from 'node:process';
import { openDataJournal } from '../compose/data-dir.ts';
import { readSettings, type Settings } from '../compose/settings.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Journal } from '../journal/journal.ts';
import { isJournal, journalIn } from '../journal/open.ts';
import { type Io, processIo } from './terminal.ts';

/** Runs a command that only reads the journal, and sets the process's exit code to its answer. */
export async function withJournal(
  options: Record<string, unknown>,
  command: (given: { journal: Journal; io: Io; settings: Settings }) => number | Promise<number>,
): Promise<void> {
  const settings = readSettings(options, process.env);
  if (!(await isJournal(journalIn(settings.dataDir)))) {
    throw new Refusal(
      'usage',
      `There is no journal in ${settings.dataDir}.`,
      'Name the data directory with --data-dir, or make a first run with `payrun run FILE`.',
    );
  }
  const journal = await openDataJournal(settings.dataDir);
  try {
    process.exitCode = await command({ journal, io: processIo(process.env), settings });
  } finally {
    await journal.close();
  }
}
