import type { Planned } from '../../../app/plan/make-plan.ts';
import { approvalsNeededBy } from '../../../app/plan/plan-result.ts';
import { preparationOf } from '../../../app/plan/preparer.ts';
import {
  correctedRows,
  jobOfRetry,
  planRetry,
  type RetryRows,
  rowsAsTheyWere,
} from '../../../app/retry/draft-retry.ts';
import { leftOutProblem, type Retriable, readRetriable } from '../../../app/retry/retriable.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { openLog } from '../../../compose/data-dir.ts';
import { approvalOf, givenOfRetry, policyPlace } from '../../../compose/given.ts';
import { actorHere } from '../../../compose/person.ts';
import { planDeps } from '../../../compose/run-deps.ts';
import type { Settings } from '../../../compose/settings.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Journal } from '../../../journal/journal.ts';
import { problemLine } from '../../../messages/problems/problem-words.ts';
import { machineClock } from '../../../platform/machine.ts';
import { EXIT } from '../../exit.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { withJournal } from '../../journal-command.ts';
import { pastText } from '../../paid/compare-text.ts';
import { makerHere, notifyHere } from '../../plans/maker.ts';
import { planJson, planText } from '../../plans/plan-text.ts';
import { chosenInput, givenHere, refuseInput, showRead } from '../../plans/prepared-run.ts';
import type { Io } from '../../terminal.ts';

type Means = { journal: Journal; io: Io; settings: Settings };

/**
 * `payrun retry RUN`: the failed, rejected and unsent rows of a finished run, or corrected ones in their place, written to the
 * journal as a new run that waits to be started. With `--yes` it is started at once, as `payrun run` would.
 */
export async function runRetry(options: Record<string, unknown>): Promise<void> {
  const from = options.from === undefined ? null : String(options.from);
  let planned: string | null = null;
  await withJournal(options, async ({ journal, io, settings: given }) => {
    // One wrong row refuses the corrections: they are few, and each was looked at.
    const settings = { ...given, onlyValid: false };
    const means = { journal, io, settings };
    const retried = await readRetriable(String(options.run), { journal, clock: machineClock });
    if (options.to !== undefined)
      return (await import('./retry-sheet.ts')).retrySheet(retried, String(options.to), {
        ...means,
        command: commandsFor(settings),
        force: options.force === true,
      });
    const taken = from === null ? rowsAsTheyWere(retried) : await rowsOfFile(from, retried, means);
    if (taken === null) return EXIT.input;
    const made = await planHere(retried, taken, means);
    if (settings.yes) planned = made.plan.header.run_id;
    return show(made, retried, taken, means);
  });
  if (planned === null) return;
  const { runPlanned } = await import('../run/planned.ts');
  await runPlanned({ ...options, input: planned });
}

async function planHere(retried: Retriable, taken: RetryRows, { journal, io, settings }: Means): Promise<Planned> {
  const interrupt = stopOnInterrupt(() => io.stderr('Stopping: nothing was sent.\n'));
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  try {
    const { job, policy } = await jobOfRetry(retried, journal, (known) => approvalOf(known, settings));
    const place = policyPlace(retried.run.header?.job ?? null, settings);
    const preparation = await preparationOf(policy, makerHere(policy, settings, io), place);
    const given = givenOfRetry(retried, job, settings);
    const notify = notifyHere({ io, log }, commandsFor(settings));
    const by = { actor: actorHere(), stop: interrupt.signal, notify };
    const deps = { ...planDeps({ journal, settings, log, io }, given, by), onPlanned: () => interrupt.release() };
    return await planRetry(deps, { given, retried, taken, preparation });
  } finally {
    flush();
    interrupt.release();
  }
}

/** Null where the file's problems refuse it: they are printed. Throws a `Refusal` where its rows correct none. */
async function rowsOfFile(
  from: string,
  retried: Retriable,
  { journal, io, settings }: Means,
): Promise<RetryRows | null> {
  const given = givenHere(givenOfRetry(retried, null, settings), io);
  const read = await correctedRows(journal, { given, chosen: await chosenInput(from, given), retried });
  if (read.outcome === 'has_problems') {
    refuseInput(read, given);
    return null;
  }
  showRead(read.gathered, given, { showsChanges: false });
  return read.rows;
}

/** Returns the exit code. Where the plan is run at once, only what was left out is said of it. */
function show(
  { plan, older }: Planned,
  { run, retryable }: Retriable,
  { problems }: RetryRows,
  { io, settings }: Means,
) {
  const command = commandsFor(settings);
  const { header, facts } = plan;
  const needed = approvalsNeededBy(facts);
  const runId = run.header?.run_id ?? '';
  const left = retryable.leftOut.map((one) => leftOutProblem(one, command, runId));
  for (const one of left) io.stderr(`${problemLine(one)}\n`);
  if (settings.yes && needed > 0) {
    const what = `${header.run_id} waits for ${needed === 1 ? 'an approval' : `${needed} approvals`}. Nothing was sent.`;
    throw new Refusal('refused', what, `Have it approved: ${command('approve', header.run_id, '--key', 'FILE')}`, {
      run_id: header.run_id,
    });
  }
  if (settings.yes && !settings.quiet && !settings.json) io.stderr(pastText(plan.comparison, io.colour));
  if (settings.yes) return EXIT.ok;
  const shown = { plan, ofInput: [...problems, ...left], allowRepeat: undefined, older };
  const text = settings.json
    ? planJson({ ...shown, exit: EXIT.ok }, command)
    : planText({ ...shown, colour: io.colour }, command);
  io.stdout(text);
  return EXIT.ok;
}
