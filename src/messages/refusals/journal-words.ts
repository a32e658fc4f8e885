import type { DatabaseFault, JournalReason } from '../../domain/refusals/journal-reasons.ts';
import { MOVE_WORDS } from '../move-words.ts';
import { either, t } from '../translate.ts';
import type { WordsOf } from './refusal-words.ts';

const otherDirectory = () => t`Name a data directory that you may write to.`;

/** Why the journal cannot be used. */
export const JOURNAL_WORDS: WordsOf<JournalReason['code']> = {
  no_journal_url: ({ url }) => ({
    message: t`${url} names no journal.`,
    remedy: t`Name one as sqlite:PATH, or a database as postgres://USER@HOST/DATABASE.`,
  }),
  database_unusable: ({ database, fault }) => {
    const [message, remedy] = databaseText(database, fault);
    const page = t`Ask the person who operates payrun to look at the database.`;
    return { message, nothingSent: true, remedy: { command_line: remedy, page }, details: { database } };
  },
  journal_locked: () => ({
    message: t`Another process keeps the journal locked.`,
    remedy: t`Wait until it is done, then try again.`,
  }),
  journal_not_a_file: ({ path }) => ({
    message: t`${path} is not a file.`,
    remedy: t`Name another data directory, or move what is there.`,
    details: { path },
  }),
  journal_not_usable: ({ path, cause }) => ({
    message: t`${path} cannot be used: ${cause}.`,
    remedy: otherDirectory(),
    details: { path },
  }),
  journal_disk_failed: ({ path, cause }) => ({
    message: t`${path} cannot be read or written: ${cause}.`,
    nothingSent: true,
    remedy: t`Make room on the disk, or repair it; then try again.`,
    details: { path },
  }),
  journal_of_another_program: ({ path, isDatabase }) => ({
    message: isDatabase
      ? t`The schema payrun in ${path} is of another program.`
      : t`${path} is a database of another program.`,
    remedy: isDatabase ? t`Name another database.` : t`Name another data directory.`,
    details: { path },
  }),
  journal_newer: ({ path, isDatabase, version, known }) => ({
    message: t`${path} was written by a newer payrun: its schema is ${version}, and this payrun knows ${known}.`,
    remedy: t`Use that newer payrun for this ${either(isDatabase, 'database', 'data directory')}; an older one could misread what is paid.`,
    details: { path, version, known },
  }),
  ...MOVE_WORDS,
  journal_not_on_local_disk: ({ path }) => ({
    message: t`${path} cannot be kept in WAL mode.`,
    remedy: t`Name a data directory on a local disk.`,
    details: { path },
  }),
  sqlite_too_old: ({ version, needed }) => ({
    message: t`SQLite ${version} can damage a journal; ${needed} or newer is needed.`,
    remedy: t`Use Node 24.15 or newer.`,
    details: { version },
  }),
  sqlite_setting_refused: ({ name, value, actual }) => ({
    message: t`SQLite keeps ${name} at ${actual} where the journal needs ${value}.`,
    remedy: t`Use the Node that payrun was installed with.`,
    details: { name, value },
  }),
};

function databaseText(database: string, fault: DatabaseFault): [message: string, remedy: string] {
  switch (fault.why) {
    case 'unreachable':
      return [
        t`The database ${database} cannot be reached: ${fault.cause}.`,
        t`Check the address, that the server is running, and that a password is given if it wants one; then try again.`,
      ];
    case 'login':
      return [
        t`The database ${database} refuses the login: ${fault.cause}.`,
        t`Check the user and the password: in PGPASSWORD, a password file (PGPASSFILE), or the URL.`,
      ];
    case 'missing':
      return [t`There is no database ${database}: ${fault.cause}.`, t`Create it (createdb), or name another one.`];
    case 'rights':
      return [
        t`The user of ${database} lacks a permission: ${fault.cause}.`,
        t`Run payrun once as the owner of the schema, which makes or upgrades its tables, then grant the permissions: samples/deploy/postgres-roles.sql.`,
      ];
    case 'full':
      return [
        t`The database ${database} has no room: ${fault.cause}.`,
        t`Make room on the disk of the server, then try again.`,
      ];
    case 'too_many_connections':
      return [
        t`The database ${database} takes no more connections: ${fault.cause}.`,
        t`Close other connections, or raise max_connections; then try again.`,
      ];
    case 'read_only':
      return [
        t`The database ${database} can only be read: ${fault.cause}.`,
        t`It may be a standby: name the primary server. Otherwise set default_transaction_read_only to off.`,
      ];
    case 'tls':
      return [
        t`No secure connection to ${database}: ${fault.cause}.`,
        t`Name the server's certificate authority (sslrootcert=FILE), or check sslmode and the server's name.`,
      ];
    case 'replaced':
      return [
        t`Another server, or a restored copy, took the place of ${database}.`,
        t`Make sure that the old server takes no more commits, then start this again.`,
      ];
    case 'too_old':
      return [
        t`PostgreSQL ${fault.version} is too old for the journal in ${database}: ${fault.needed} or newer is needed.`,
        t`Upgrade the server, or name another one.`,
      ];
    case 'encoding':
      return [
        t`The database ${database} is encoded as ${fault.encoding}, and names need UTF8.`,
        t`Create one with: createdb --encoding UTF8 --template template0`,
      ];
    case 'not_durable':
      return [
        t`The database ${database} has ${fault.setting} off: a power cut could lose payments that it has acknowledged.`,
        t`Set ${fault.setting} to on, for the server, the database and the user.`,
      ];
  }
}
