import { z } from 'zod';
import type { Planned } from '../../../app/plan/make-plan.ts';
import { approvalsNeededBy } from '../../../app/plan/plan-result.ts';
import {
  correctedRows,
  jobOfRetry,
  planRetry,
  type RetryRows,
  rowsAsTheyWere,
} from '../../../app/retry/draft-retry.ts';
import { leftOutProblem, type Retriable, readRetriable } from '../../../app/retry/retriable.ts';
import { approvalOf, givenOfRetry } from '../../../compose/given.ts';
import { withLog } from '../../../compose/machine/here.ts';
import { refuseOutput, requireEnding, writeOutput } from '../../../compose/machine/write-output.ts';
import { count, text } from '../../../domain/entries/members.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { runId as runIdText } from '../../../domain/result.ts';
import { messages } from '../../../messages/messages.ts';
import { counted } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { type Here, withJournal } from '../../here.ts';
import { chosenInput, givenHere, refuseInput, showRead } from '../../input/given.ts';
import { exitCode, planned, ranOutput, refusedInput } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { pastText } from '../../plans/compare-text.ts';
import { printPlan } from '../../plans/plan-text.ts';
import { planningHere, preparationHere } from '../../plans/planning.ts';

const sheet = z
  .strictObject({ run_id: runIdText, file: text, rows: count, exit: exitCode })
  .describe('With --to: the rows to be corrected, in a file.');

export const output = z.union([planned, ranOutput, sheet, refusedInput]).meta({
  description:
    'The plan of the rows that were not paid; with --yes the run of it; with --to the file that was written.',
});

/**
 * `payrun retry RUN`: the failed, rejected and unsent rows of a finished run, or corrected ones in their place, written to the
 * journal as a new run that waits to be started. With `--yes` it is started at once, as `payrun run` would.
 */
export async function run(given: Given): Promise<void> {
  let toRun: string | null = null;
  await withJournal(given, async (found) => {
    // One wrong row refuses the corrections: they are few, and each was looked at.
    const here = { ...found, settings: { ...found.settings, onlyValid: false } };
    const retried = await readRetriable(String(given.run), here);
    if (given.to !== undefined) return writeSheet(retried, String(given.to), here, given.force === true);
    const taken =
      given.from === undefined ? rowsAsTheyWere(retried) : await rowsOfFile(String(given.from), retried, here);
    if (taken === null) return EXIT.input;
    const made = await planHere(retried, taken, here);
    if (here.settings.yes) toRun = made.plan.header.run_id;
    return show(made, retried, taken, here);
  });
  if (toRun === null) return;
  const { runPlanned } = await import('../../runs/planned.ts');
  await runPlanned({ ...given, input: toRun });
}

/** `payrun retry RUN --to FILE`. Throws a `Refusal` for a name that cannot be written. */
async function writeSheet(retried: Retriable, path: string, here: Here, mayReplace: boolean): Promise<number> {
  const { command } = here;
  const file = { path, option: '--to', mayReplace };
  requireEnding(file, ['.xlsx']);
  await refuseOutput(file);
  const { correctionSheet } = await import('../../../app/retry/correction-sheet.ts');
  await writeOutput(path, await correctionSheet(retried, command));
  const rows = retried.retryable.rows.length;
  const runId = retried.run.header?.run_id ?? '';
  const next = `Correct them there, then: ${command('retry', runId, '--from', path)}`;
  const result = { run_id: runId, file: path, rows, exit: EXIT.ok };
  return print<z.output<typeof sheet>>(here, result, () => `${path}: ${counted(rows, 'row')} of ${runId}. ${next}\n`);
}

async function planHere(retried: Retriable, taken: RetryRows, here: Here): Promise<Planned> {
  const { settings, io } = here;
  const { job, policy } = await jobOfRetry(retried, here.journal, (known) => approvalOf(known, settings));
  const preparation = await preparationHere(policy, retried.run.header?.job ?? null, { settings, io });
  const given = await givenOfRetry(retried, job, settings);
  return withLog(settings, (log) => {
    const { deps, release } = planningHere({ ...here, log }, given);
    const input = { given, retried, taken, preparation };
    return planRetry({ ...deps, onPlanned: release }, input).finally(release);
  });
}

/** Null where the file's problems refuse it: they are printed. Throws a `Refusal` where its rows correct none. */
async function rowsOfFile(
  from: string,
  retried: Retriable,
  { journal, io, settings }: Here,
): Promise<RetryRows | null> {
  const given = givenHere(await givenOfRetry(retried, null, settings), io);
  const read = await correctedRows(journal, { given, chosen: await chosenInput(from, given), retried });
  if (read.outcome === 'has_problems') {
    refuseInput(read, given);
    return null;
  }
  showRead(read.gathered, given, { showsChanges: false });
  return read.rows;
}

/** Returns the exit code. Where the plan is run at once, only what was left out of it is shown. */
function show(
  { plan, older }: Planned,
  { run: of, retryable }: Retriable,
  { problems }: RetryRows,
  here: Here,
): number {
  const { io, settings, command } = here;
  const { run_id: runId } = plan.header;
  const needed = approvalsNeededBy(plan.facts);
  const left = retryable.leftOut.map((one) => leftOutProblem(one, command, of.header?.run_id ?? ''));
  for (const one of left) io.stderr(`${messages.problems.problemLine(one)}\n`);
  if (!settings.yes) {
    const ofInput = [...problems, ...left];
    return printPlan(here, { plan, ofInput, allowRepeat: undefined, older });
  }
  if (needed > 0) throw new Refusal({ code: 'retry_awaits_approval', runId, needed });
  if (!settings.quiet && !settings.json) io.stderr(pastText(plan.comparison, io.colour));
  return EXIT.ok;
}
