import { z } from 'zod';
import { durationText, percentText, rateText, wholeText } from '../values.ts';

/** How the run goes: the options of the command line of the same names. */
export const runPart = {
  rate: rateText.optional().describe('requests a second, such as 10, 100/10s, 60/m; 0 for no limit'),
  concurrency: wholeText(1, 1_024).optional().describe('requests under way at once'),
  poll_every: durationText.optional().describe('the shortest pause between polls, such as 1s'),
  wait_timeout: durationText.optional().describe('the longest wait for final statuses, such as 2h'),
  rate_ceiling: percentText
    .optional()
    .describe('how much dearer than planned a payout from another currency may become, such as 0.5%'),
  run_rate_ceiling: percentText.optional().describe('the same for all payouts of one pair of currencies together'),
  report_dir: z.string().min(1).optional().describe('where reports go, beside this file'),
  log_level: z.enum(['error', 'warn', 'info', 'debug']).optional().describe('what the log file has'),
  only_valid: z.boolean().optional().describe('pay the rows without problems, and report the others'),
  skip_paid: z.boolean().optional().describe('leave out the rows that earlier runs paid, and report them'),
  yes: z.boolean().optional().describe('do not ask before paying'),
  quiet: z.boolean().optional().describe('no progress'),
};
