import type { Command } from '../../command.ts';
import { DATA, LOG, text } from '../../options.ts';

const PAYEE = {
  ...DATA,
  ...LOG,
  'payee-id': text('the payee, by payee ID'),
  name: text('the payee, by name where files have no payee ID'),
  email: text("with --name, the payee's e-mail"),
};

const list: Command = {
  command: 'list',
  describe: 'who is on hold, since when, by whom and why',
  options: DATA,
  examples: [['hold list --json', 'for programs']],
  work: async () => {
    const { listHolds, listOutput } = await import('./run.ts');
    return { run: listHolds, output: listOutput };
  },
};

const release: Command = {
  command: 'release',
  describe: 'let a payee be paid again',
  options: { ...PAYEE, reason: text('why, for the record') },
  examples: [['hold release --payee-id E1023 --reason "called them back"', 'the next payment pays them']],
  work: async () => {
    const { release: run, releaseOutput: output } = await import('./run.ts');
    return { run, output };
  },
};

export const hold: Command = {
  command: 'hold',
  describe: 'stop paying a payee in every run, including those under way',
  options: { ...PAYEE, reason: text('why, for the record and for those who plan payments') },
  examples: [
    ['hold --payee-id E1023 --reason "a mail asked for another account"', 'also holds every account they were paid on'],
    ['hold --name "Ada Byron" --reason "left the company"', 'where files have no payee ids'],
  ],
  below: [list, release],
  work: () => import('./run.ts'),
};
