import { z } from 'zod';
import type { LeftRun } from '../../app/run/left-run.ts';
import { type Leaving, leavingBy, withQueue } from '../../compose/worker/queue.ts';
import { count } from '../../domain/entries/members.ts';
import { assert } from '../../domain/refusal.ts';
import { inputPlace, runId as runIdText, sha256 } from '../../domain/result.ts';
import { messages } from '../../messages/messages.ts';
import { counted, printable } from '../../messages/text.ts';
import { total, totalsOf } from '../../report/model/totals.ts';
import { EXIT } from '../exit.ts';
import type { LoggedHere } from '../here.ts';
import { exitCode, rehearsal } from '../json/outputs.ts';
import { print } from '../json/print.ts';

/** What `--detach` prints. */
export const leftOutput = z
  .strictObject({
    run_id: runIdText,
    state: z.literal('queued'),
    rehearsal,
    input: inputPlace,
    digest: sha256.describe('The SHA-256 of the plan.'),
    payouts: count,
    totals: z.array(total),
    exit: exitCode,
  })
  .meta({ id: 'queued', description: 'A run that was left to workers.' });
type LeftOutput = z.output<typeof leftOutput>;

/**
 * Leaves a run to workers, and prints that. The queue is opened first: where it cannot be used, nothing is begun. Returns the
 * exit code. Throws a `Refusal`.
 */
export async function leaveHere(here: LoggedHere, leave: (leaving: Leaving) => Promise<LeftRun>): Promise<number> {
  const { settings, log } = here;
  const left = await withQueue(settings, log, (queue) => leave(leavingBy(queue)));
  return print<LeftOutput>(here, outputOf(left), () => leftText(left, here));
}

function outputOf({ runId, run }: LeftRun): LeftOutput {
  assert(run.header !== null, 'a run without its header');
  const { input, digest, rehearsal: isRehearsal } = run.header;
  const { name, path, sha256: hash, bytes } = input;
  const of = { run_id: runId, state: 'queued' as const, rehearsal: isRehearsal };
  const payouts = run.payouts.size;
  return { ...of, input: { name, path, sha256: hash, bytes }, digest, payouts, totals: totalsOf(run), exit: EXIT.ok };
}

function leftText({ runId, run }: LeftRun, { command }: LoggedHere): string {
  assert(run.header !== null, 'a run without its header');
  const band = run.header.rehearsal ? `${messages.outcomes.rehearsalBand()}\n` : '';
  const payouts = `${counted(run.payouts.size, 'payout')} from ${printable(run.header.input.name)}`;
  return `${band}Run ${runId}: ${payouts}, left to workers.\nwatch it   ${command('resume', runId)}\nsee it     ${command('show', runId)}\n`;
}
