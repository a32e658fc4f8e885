import type { DatabaseFault, JournalReason } from '../../domain/refusals/journal-reasons.ts';
import { MOVE_WORDS } from '../move-words.ts';
import type { WordsOf } from './refusal-words.ts';

const OTHER_DIRECTORY = 'Name a data directory that you may write to.';

/** Why the journal cannot be used. */
export const JOURNAL_WORDS: WordsOf<JournalReason['code']> = {
  no_journal_url: ({ url }) => ({
    message: `${url} names no journal.`,
    remedy: 'Name one as sqlite:PATH, or a database as postgres://USER@HOST/DATABASE.',
  }),
  database_unusable: ({ database, fault }) => {
    const [message, remedy] = databaseText(database, fault);
    const page = 'Ask the person who operates payrun to look at the database.';
    return { message, nothingSent: true, remedy: { command_line: remedy, page }, details: { database } };
  },
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
  journal_of_another_program: ({ path, isDatabase }) => ({
    message: isDatabase
      ? `The schema payrun in ${path} is of another program.`
      : `${path} is a database of another program.`,
    remedy: isDatabase ? 'Name another database.' : 'Name another data directory.',
    details: { path },
  }),
  journal_newer: ({ path, isDatabase, version, known }) => ({
    message: `${path} was written by a newer payrun: its schema is ${version}, and this payrun knows ${known}.`,
    remedy: `Use that newer payrun for this ${isDatabase ? 'database' : 'data directory'}; an older one could misread what is paid.`,
    details: { path, version, known },
  }),
  ...MOVE_WORDS,
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

function databaseText(database: string, fault: DatabaseFault): [message: string, remedy: string] {
  switch (fault.why) {
    case 'unreachable':
      return [
        `The database ${database} cannot be reached: ${fault.cause}.`,
        'Check the address, that the server is running, and that a password is given if it wants one; then try again.',
      ];
    case 'login':
      return [
        `The database ${database} refuses the login: ${fault.cause}.`,
        'Check the user and the password: in PGPASSWORD, a password file (PGPASSFILE), or the URL.',
      ];
    case 'missing':
      return [`There is no database ${database}: ${fault.cause}.`, 'Create it (createdb), or name another one.'];
    case 'rights':
      return [
        `The user of ${database} lacks a permission: ${fault.cause}.`,
        'Run payrun once as the owner of the schema, which makes or upgrades its tables, then grant the permissions: samples/deploy/postgres-roles.sql.',
      ];
    case 'full':
      return [
        `The database ${database} has no room: ${fault.cause}.`,
        'Make room on the disk of the server, then try again.',
      ];
    case 'too_many_connections':
      return [
        `The database ${database} takes no more connections: ${fault.cause}.`,
        'Close other connections, or raise max_connections; then try again.',
      ];
    case 'read_only':
      return [
        `The database ${database} can only be read: ${fault.cause}.`,
        'It may be a standby: name the primary server. Otherwise set default_transaction_read_only to off.',
      ];
    case 'tls':
      return [
        `No secure connection to ${database} comes about: ${fault.cause}.`,
        "Name the server's certificate authority (sslrootcert=FILE), or check sslmode and the server's name.",
      ];
    case 'replaced':
      return [
        `Another server, or a restored copy, took the place of ${database}.`,
        'Make sure that the old server takes no more commits, then start this again.',
      ];
    case 'too_old':
      return [
        `PostgreSQL ${fault.version} is too old for the journal in ${database}: ${fault.needed} or newer is needed.`,
        'Upgrade the server, or name another one.',
      ];
    case 'encoding':
      return [
        `The database ${database} is encoded as ${fault.encoding}, and names need UTF8.`,
        'Create one with: createdb --encoding UTF8 --template template0',
      ];
    case 'not_durable':
      return [
        `The database ${database} has ${fault.setting} off: a power cut could lose payments that it has acknowledged.`,
        `Set ${fault.setting} to on, for the server, the database and the user.`,
      ];
  }
}
