import { z } from 'zod';
import { connection } from '../connection.ts';
import { durationText, payerId, percentText, rateText, wholePercentText, wholeText } from '../values.ts';

/** Where it is paid: one of both, or neither for a rehearsal. */
export const servicePart = {
  profile: z.string().min(1).optional().describe('the file of a connection profile, beside this file'),
  service: connection.optional().describe('the connection profile itself'),
};

/** How the run goes: the options of the command line of the same names. */
export const runPart = {
  rate: rateText.optional().describe('requests a second, such as 10, 100/10s, 60/m; 0 for no limit'),
  concurrency: wholeText(1, 1_024).optional().describe('requests under way at once'),
  poll_every: durationText.optional().describe('the shortest pause between polls, such as 1s'),
  wait_timeout: durationText.optional().describe('the longest wait for final statuses, such as 2h'),
  rate_ceiling: percentText
    .optional()
    .describe('how much more than planned a payout from another currency may cost, such as 0.5%'),
  run_rate_ceiling: percentText.optional().describe('the same for all payouts of one pair of currencies together'),
  entity: payerId.optional().describe('the company that pays, by its id in the Settings of the page (default main)'),
  report_dir: z.string().min(1).optional().describe('where reports go, beside this file'),
  log_level: z.enum(['error', 'warn', 'info', 'debug']).optional().describe('the level of the log file'),
  only_valid: z.boolean().optional().describe('pay the rows without problems, and report the others'),
  skip_paid: z.boolean().optional().describe('leave out the rows that earlier runs paid, and report them'),
  yes: z.boolean().optional().describe('do not ask before paying'),
  quiet: z.boolean().optional().describe('no progress'),
};

/** What a run is compared with. */
export const comparePart = {
  repeat_window: durationText
    .optional()
    .describe('how long the same amount to the same account is refused, such as 20d (default); 0s for never'),
  amount_change: wholePercentText(/^(1000|\d{1,3})%$/, 1_000)
    .optional()
    .describe("by how much a payee's pay may differ from the last run's before plan reports it, such as 25% (default)"),
};
