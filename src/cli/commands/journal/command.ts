import type { Command } from '../../command.ts';
import { DATA, flag, required, text } from '../../options.ts';

const { json, quiet } = DATA;

const copy: Command = {
  command: 'copy <from> <to>',
  describe: 'move all runs to another journal, SQLite to PostgreSQL or back, and prove every entry in both',
  options: { json, quiet, cancel: flag('cancel an interrupted copy and keep using FROM') },
  positionals: {
    from: required('a data directory, or a database (postgres://USER@HOST/DATABASE)'),
    to: required('the other journal, likewise; created if missing'),
  },
  examples: [
    [
      'journal copy .payrun postgres://payrun_worker@db.example/payrun',
      'into a database; after an interruption, the same command continues',
    ],
    ['journal copy postgres://payrun_worker@db.example/payrun .payrun', 'back to a file'],
  ],
  work: () => import('./copy.ts'),
};

const check: Command = {
  command: 'check',
  describe: 'prove every run, as verify does, and show how safely the journal is stored',
  options: DATA,
  examples: [
    ['journal check --database postgres://payrun_worker@db.example/payrun', 'including its settings and standbys'],
  ],
  work: () => import('./check.ts'),
};

const backup: Command = {
  command: 'backup <to>',
  describe: 'copy the journal to a new file, even while a run is under way, and prove every run in the copy',
  options: DATA,
  positionals: { to: text('the new file; it never replaces one') },
  examples: [['journal backup /backup/journal-2026-11-25.db', 'after every run']],
  work: () => import('./backup.ts'),
};

export const journal: Command = {
  command: 'journal',
  describe: 'move the journal, check it, back it up',
  below: [copy, check, backup],
  demand: 'Give one of: copy, check, backup.',
  examples: [['journal backup /backup/journal.db', 'a copy that is proven']],
  work: null,
};
