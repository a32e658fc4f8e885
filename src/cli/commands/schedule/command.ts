import type { Command } from '../../command.ts';
import { DATA, DETACH, flag, HEALTH, LOG, text } from '../../options.ts';

export const schedule: Command = {
  command: 'schedule [jobs..]',
  describe: 'keep running, and run the jobs in jobs/ when they are due',
  options: {
    ...DATA,
    ...LOG,
    ...DETACH,
    ...HEALTH,
    once: flag('run what is due now and exit, for cron'),
    'metrics-file': text('with --once: write metrics to this .prom file, for the textfile collector of node_exporter'),
  },
  conflicts: { health: ['once'] },
  implies: { 'metrics-file': 'once' },
  positionals: {
    jobs: { ...text('the jobs to run, by name or .yaml file (default: all that have a schedule)'), array: true },
  },
  examples: [
    ['schedule', 'run until Ctrl-C or SIGTERM'],
    ['schedule --once', 'what came due in the last ten minutes'],
  ],
  work: () => import('./run.ts'),
};
