import type { Report } from '../../app/run/run-deps.ts';
import type { Withdrawals } from '../../approval/check.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal } from '../../journal/journal.ts';
import { isJournal, type JournalPlace, journalOf } from '../../journal/open.ts';
import { shownUrl } from '../../journal/place.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { machineClock, machineRandomness } from '../../platform/machine.ts';
import { commandsFor } from '../command-hints.ts';
import { type LogSettings, openDataJournal, openLog, withDataDir } from '../data-dir.ts';
import { reportIn } from '../run-deps.ts';
import type { Settings } from '../settings.ts';
import { withdrawalsOf } from '../withdrawals.ts';

/** What use cases that read and write the journal of a data directory need, on this machine. */
export type Here = {
  journal: Journal;
  settings: Settings;
  clock: Clock;
  randomness: Randomness;
  /** Writes reports, and commands for people in this data directory. */
  report: Report;
  command: CommandLine;
  withdrawals(run: RunState): Promise<Withdrawals>;
};

export type LoggedHere = Here & { log: Log };

export function hereWith(journal: Journal, settings: Settings): Here {
  return {
    journal,
    settings,
    clock: machineClock,
    randomness: machineRandomness,
    report: reportIn(commandsFor(settings)),
    command: commandsFor(settings),
    withdrawals: (run) => withdrawalsOf(run, settings),
  };
}

/** Does the work over the journal, which is made where there is none, and closes it. */
export async function withJournal<Result>(
  settings: Settings,
  work: (here: Here) => Result | Promise<Result>,
): Promise<Result> {
  const journal = await openDataJournal(settings);
  try {
    return await work(hereWith(journal, settings));
  } finally {
    await journal.close();
  }
}

/** The same, with the log, which is written when it returns. */
export function withLoggedJournal<Result>(
  settings: Settings,
  work: (here: LoggedHere) => Promise<Result>,
): Promise<Result> {
  return withDataDir(settings, ({ journal, log }) => work({ ...hereWith(journal, settings), log }));
}

export async function withLog<Result>(settings: LogSettings, work: (log: Log) => Promise<Result>): Promise<Result> {
  const { log, flush } = openLog(settings);
  return work(log).finally(flush);
}

export function hasJournal(place: JournalPlace): Promise<boolean> {
  return isJournal(journalOf(place));
}

/** Throws a `Refusal` (`no_journal`) where there is none. */
export async function requireJournal(place: JournalPlace): Promise<void> {
  if (await hasJournal(place)) return;
  const { dataDir, database } = place;
  throw new Refusal({ code: 'no_journal', dataDir, database: database === undefined ? null : shownUrl(database) });
}
