import { z } from 'zod';
import { count, text } from '../../domain/entries/members.ts';
import { time } from '../../domain/result.ts';
import { isoUtc } from '../../domain/time.ts';
import type { QueuedRun } from '../../journal/queued-run.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import { inOneLine } from '../../messages/text.ts';

/** A run that is left to workers, as programs read it. */
export const waitingRun = z
  .strictObject({
    since: time,
    tries: count.describe('How often a worker tried it and had to leave it.'),
    next_try_at: time.nullable().describe('Null where no worker will try it again.'),
    why: text.nullable().describe('Why the last worker left it.'),
  })
  .describe('A run that was left to workers, and is not over.');
export type WaitingRun = z.output<typeof waitingRun>;

export function waitingRunOf(queued: QueuedRun, command: CommandLine): WaitingRun {
  const { queuedAt, tries, dueAt, why } = queued;
  return {
    since: isoUtc(queuedAt),
    tries,
    next_try_at: dueAt === null ? null : isoUtc(dueAt),
    why: why === null ? null : whyText(why, command),
  };
}

/** Why a worker left a run, in one line. */
export function whyText(why: NonNullable<QueuedRun['why']>, command: CommandLine): string {
  const place = { command, near: (file: string) => file };
  return inOneLine(messages.refusals.refusalText({ reason: why }, place).message);
}
