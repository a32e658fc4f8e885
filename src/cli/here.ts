import process from 'node:process';
import {
  type Here as HereWithoutIo,
  type LoggedHere as LoggedHereWithoutIo,
  requireJournal,
  withJournal as withJournalOf,
  withLog,
} from '../compose/machine/here.ts';
import { readSettings } from '../compose/settings.ts';
import type { Given } from './command.ts';
import { type Io, processIo } from './terminal.ts';

/** What a command works with. */
export type Here = HereWithoutIo & { io: Io };
export type LoggedHere = LoggedHereWithoutIo & { io: Io };

/** Runs a command over a journal that exists, and sets the process's exit code to its answer. */
export async function withJournal(given: Given, command: (here: Here) => number | Promise<number>): Promise<void> {
  const settings = readSettings(given, process.env);
  await requireJournal(settings);
  const io = processIo(process.env);
  process.exitCode = await withJournalOf(settings, (here) => command({ ...here, io }));
}

/** The same of a command that works on a run, with the log. */
export function withLoggedJournal(given: Given, command: (here: LoggedHere) => Promise<number>): Promise<void> {
  return withJournal(given, (here) => withLog(here.settings, (log) => command({ ...here, log })));
}
