import type { Command } from '../../command.ts';
import { DATA, several, text } from '../../options.ts';

export const verify: Command = {
  command: 'verify [run]',
  describe: "prove that a run's journal was not altered; without a run, that no run was altered or deleted",
  options: {
    ...DATA,
    'report-dir': text('where the reports are (default: where the runs put them)'),
    witness: several('a report or a heads-….txt that was kept elsewhere, to compare the journal with (repeatable)'),
  },
  positionals: { run: text('the run id (default: every run)') },
  examples: [
    ['verify R20261125-7K3M9QZ2', 'recompute the chain of every entry'],
    ['verify --witness /safe/heads-R20261125-7K3M9QZ2.txt', 'compare every run with records kept elsewhere'],
  ],
  work: () => import('./run.ts'),
};
