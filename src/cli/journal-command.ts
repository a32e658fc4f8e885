import process from 'node:process';
import { openDataJournal, openLog } from '../compose/data-dir.ts';
import { readSettings, type Settings } from '../compose/settings.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Journal } from '../journal/journal.ts';
import { isJournal, journalIn } from '../journal/open.ts';
import type { Log } from '../platform/log.ts';
import { type Io, processIo } from './terminal.ts';

type Given = { journal: Journal; io: Io; settings: Settings };

/** Runs a command that only reads the journal, and sets the process's exit code to its answer. */
export async function withJournal(
  options: Record<string, unknown>,
  command: (given: Given) => number | Promise<number>,
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

/** The same of a command that works on a run, with the log. */
export function withLoggedJournal(
  options: Record<string, unknown>,
  command: (given: Given & { log: Log }) => Promise<number>,
): Promise<void> {
  return withJournal(options, async (given) => {
    const { log, flush } = openLog(given.settings.dataDir, given.settings.logLevel);
    return command({ ...given, log }).finally(flush);
  });
}
