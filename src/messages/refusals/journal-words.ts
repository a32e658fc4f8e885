import type { JournalReason } from '../../domain/refusals/journal-reasons.ts';
import type { WordsOf } from './refusal-words.ts';

const OTHER_DIRECTORY = 'Name a data directory that you may write to.';

/** Why the journal cannot be used. */
export const JOURNAL_WORDS: WordsOf<JournalReason['code']> = {
  no_journal_url: ({ url }) => ({
    message: `${url} names no journal.`,
    remedy: 'Name one as sqlite:PATH, such as sqlite:.payrun/journal.db.',
  }),
  journal_locked: () => ({
    message: 'Another process keeps the journal locked.',
    remedy: 'Wait until it is done, then try again.',
  }),
  journal_not_a_file: ({ path }) => ({
    message: `${path} is not a file.`,
    remedy: 'Name another data directory, or move what is there.',
    details: { path },
  }),
  journal_not_usable: ({ path, cause }) => ({
    message: `${path} cannot be used: ${cause}.`,
    remedy: OTHER_DIRECTORY,
    details: { path },
  }),
  journal_disk_failed: ({ path, cause }) => ({
    message: `${path} cannot be read or written: ${cause}.`,
    nothingSent: true,
    remedy: 'Make room on the disk, or repair it; then try again.',
    details: { path },
  }),
  journal_of_another_program: ({ path }) => ({
    message: `${path} is a database of another program.`,
    remedy: 'Name another data directory.',
    details: { path },
  }),
  journal_newer: ({ path, version, known }) => ({
    message: `${path} was written by a newer payrun: its schema is ${version}, and this payrun knows ${known}.`,
    remedy: 'Use that newer payrun for this data directory; an older one could misread what is paid.',
    details: { path, version, known },
  }),
  journal_not_on_local_disk: ({ path }) => ({
    message: `${path} cannot be kept in WAL mode.`,
    remedy: 'Name a data directory on a local disk.',
    details: { path },
  }),
  sqlite_too_old: ({ version, needed }) => ({
    message: `SQLite ${version} can damage a journal; ${needed} or newer is needed.`,
    remedy: 'Use Node 24.15 or newer.',
    details: { version },
  }),
  sqlite_setting_refused: ({ name, value, actual }) => ({
    message: `SQLite keeps ${name} at ${actual} where the journal needs ${value}.`,
    remedy: 'Use the Node that payrun was installed with.',
    details: { name, value },
  }),
};
