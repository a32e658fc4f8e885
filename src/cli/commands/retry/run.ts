import { comparedRows } from '../../../app/compare/comparison.ts';
import { limitsOf, refuseExcess } from '../../../app/plan/limits.ts';
import { matchRows } from '../../../app/retry/corrections.ts';
import type { Retriable } from '../../../app/retry/retriable.ts';
import { approvalsNeeded } from '../../../approval/check.ts';
import type { Entry, InputFile, RunCreated, RunRow } from '../../../domain/entry.ts';
import type { Problem } from '../../../domain/problem.ts';
import { assert, Refusal } from '../../../domain/refusal.ts';
import type { Journal } from '../../../journal/journal.ts';
import { machineClock, machineRandomness } from '../../../platform/machine.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { newRunId, RowGatherer } from '../../../runner/plan/plan.ts';
import { rowsOf } from '../../../runner/plan/plan-digest.ts';
import { askForBalances } from '../../../runner/plan/preflight.ts';
import { retryHash } from '../../../runner/submit/retries.ts';
import { commandsFor } from '../../command-hints.ts';
import { openLog, stopOnInterrupt } from '../../compose.ts';
import { type Connection, connect } from '../../connection/connect.ts';
import { connectionSettings } from '../../connection/service-connection.ts';
import { noteOf } from '../../connection/webhooks.ts';
import { EXIT } from '../../exit.ts';
import { jobToday, sourceOf } from '../../jobs/job-today.ts';
import { withJournal } from '../../journal-command.ts';
import { pastText } from '../../paid/compare-text.ts';
import { actorHere } from '../../person.ts';
import { ceilingsOf, withinJob } from '../../plans/ceilings.ts';
import { type DrawnPlan, drawPlan } from '../../plans/draw-plan.ts';
import { notifyEntries } from '../../plans/notify-entries.ts';
import { notifyPlanned } from '../../plans/plan-notices.ts';
import { planJson, planText } from '../../plans/plan-text.ts';
import { gather } from '../../plans/prepared-run.ts';
import { policyPlace, preparationOf } from '../../plans/preparer.ts';
import { NO_OLDER_PLANS } from '../../plans/replaced-plans.ts';
import { keepingRun } from '../../runs/lost-run.ts';
import type { Settings } from '../../settings.ts';
import type { Io } from '../../terminal.ts';
import { interrupted, shortWarnings } from '../plan/run.ts';
import { retryPolicy } from './retry-policy.ts';
import { leftOutProblem, readRetried, requireNewFile } from './retry-rows.ts';

/** The rows of a retry, and what stands for its input. */
type Taken = { rows: RunRow[]; input: InputFile; corrections_sha256: string | null; problems: Problem[] };

type Means = { journal: Journal; io: Io; settings: Settings; command: CommandLine };

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
    const means = { journal, io, settings, command: commandsFor(settings) };
    const retried = readRetried(journal, String(options.run), { ...means, dataDir: settings.dataDir });
    if (options.to !== undefined)
      return (await import('./retry-sheet.ts')).retrySheet(retried, String(options.to), {
        ...means,
        force: options.force === true,
      });
    const taken = from === null ? rowsOfRun(retried) : await rowsOfFile(from, retried, means);
    if (taken === null) return EXIT.input;
    const plan = await planRetry(retried, taken, means);
    if (settings.yes) planned = plan.header.run_id;
    return show(plan, retried, taken, means);
  });
  if (planned === null) return;
  const { runPlanned } = await import('../run/planned.ts');
  await runPlanned({ ...options, input: planned });
}

function rowsOfRun({ run, retryable, family }: Retriable): Taken {
  assert(run.header !== null, 'a run without its header');
  const input = { ...run.header.input, sha256: retryHash(family) };
  return { rows: retryable.rows, input, corrections_sha256: null, problems: [] };
}

/** Null where the file's problems refuse it: they are printed. Throws a `Refusal` where its rows correct none. */
async function rowsOfFile(from: string, retried: Retriable, { journal, io, settings, command }: Means) {
  const { profile, key } = connectionSettings(retried.run, settings);
  const given = { job: null, period: null, settings, io, profile, key };
  const gathered = await gather(from, given, { isCorrection: true });
  if (gathered === null) return null;
  const { read, entries } = gathered;
  requireNewFile(journal, retried.run, read.input, command);
  const rows = matchRows(rowsOf(entries), retried);
  const input = { ...read.input, sha256: retryHash(retried.family) };
  return { rows, input, corrections_sha256: read.input.sha256, problems: read.problems };
}

/** The plan, on disk when it resolves and held by nobody. */
async function planRetry(retried: Retriable, taken: Taken, means: Means): Promise<DrawnPlan> {
  const { journal, io, settings, command } = means;
  const place = { journal, dataDir: settings.dataDir, clock: machineClock };
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  const interrupt = stopOnInterrupt(() => io.stderr('Stopping: nothing was sent.\n'));
  try {
    const way = connectionSettings(retried.run, settings);
    const job = retried.run.header === null ? null : await jobToday(retried.run.header);
    const policy = await retryPolicy(retried, job, means);
    const preparation = await preparationOf(
      policy,
      settings,
      io,
      policyPlace(retried.run.header?.job ?? null, settings),
    );
    const connection = await connect({ ...way, dataDir: settings.dataDir, log, note: noteOf(io, settings) });
    try {
      const header = headerOf(retried, taken, connection, {
        ...means,
        profile: way.profile,
        job_source: job && sourceOf(job),
      });
      const { isRehearsal, held } = await askForBalances(connection.client, machineClock);
      if (isRehearsal !== header.rehearsal) throw anotherService(header.retries ?? '', command);
      const limits = job === null ? (retried.run.plan?.limits ?? null) : limitsOf(job);
      refuseExcess(limits, taken.rows);
      const gatherer = new RowGatherer();
      for (const row of taken.rows) gatherer.add(row);
      const subject = {
        header,
        entries: gatherer.finish(),
        warnings:
          taken.problems.filter(({ code }) => code !== 'account_changed').length + retried.retryable.leftOut.length,
        limits,
        approval: preparation.approval,
        // Those of the plan that is retried, since its approval was for them, or lower ones that its job names today.
        ceilings: withinJob(retried.run.plan?.conversions?.ceilings ?? ceilingsOf(means.settings), job),
        repeatWindowMs: null,
        compare:
          taken.corrections_sha256 === null
            ? null
            : (unsigned: RunCreated) => comparedRows(unsigned, taken.rows, { repeat_window_ms: null, limits }, place),
      };
      const drawn = await drawPlan(subject, {
        ...place,
        held,
        client: connection.client,
        log,
        stop: interrupt.signal,
      });
      if (interrupt.signal.aborted) throw interrupted();
      const { settings: notify } = retried.run.notices;
      const entries = [...subject.entries, ...notifyEntries(notify)];
      await keep(drawn, entries, preparation.sign(drawn.header.digest), means);
      interrupt.release();
      await notifyPlanned(notify, drawn, { io, log, command, ...place });
      return drawn;
    } finally {
      await connection.close();
    }
  } finally {
    interrupt.release();
    flush();
  }
}

function headerOf(
  { run }: Retriable,
  { input, rows, corrections_sha256 }: Taken,
  { scope }: Connection,
  { settings, command, profile, job_source }: Means & Pick<RunCreated, 'profile' | 'job_source'>,
): Omit<RunCreated, 'digest'> {
  const { header } = run;
  assert(header !== null, 'a run without its header');
  if (scope !== header.scope) throw anotherService(header.run_id, command);
  return {
    kind: 'run_created',
    run_id: newRunId(machineClock.wallMs(), machineRandomness),
    input,
    job: header.job,
    rehearsal: header.rehearsal,
    // The run that is retried has paid its period.
    period: null,
    profile,
    settings: {
      poll_every_ms: settings.pollEvery ?? header.settings.poll_every_ms,
      wait_timeout_ms: settings.waitTimeout ?? header.settings.wait_timeout_ms,
    },
    payouts: rows.length,
    scope,
    report_dir: settings.reportDir ?? header.report_dir,
    repeats: null,
    retries: header.run_id,
    corrections_sha256,
    job_source,
  };
}

/** Elsewhere nothing shows what became of the rows. */
function anotherService(runId: string, command: CommandLine): Refusal {
  return new Refusal(
    'usage',
    `${runId} ran at another service, or with another key. Nothing was sent.`,
    `Retry it there, with the options that it ran with: ${command('retry', runId)}`,
    { run_id: runId },
  );
}

async function keep(
  { header, facts }: DrawnPlan,
  rows: Entry[],
  signature: string | undefined,
  { journal, command }: Means,
): Promise<void> {
  await keepingRun(header.run_id, command, async () => {
    const entries: Entry[] = [...rows, { kind: 'planned', plan: facts, signature, ...actorHere() }];
    const created = await journal.createRun({ header, rows: entries, refuseRepeat: true });
    assert(created.outcome !== 'job_held' && created.outcome !== 'moved', 'a plan needs no job, and is not started');
    if (created.outcome === 'created') return created.writer.release();
    const what = `${header.retries} was retried meanwhile, as ${created.runId}. Nothing was sent.`;
    const remedy = `See \`${command('show', created.runId)}\`, and what is left to retry when it is over.`;
    throw new Refusal('refused', what, remedy, { run_id: created.runId });
  });
}

/** Returns the exit code. Where the plan is run at once, only what was left out is said of it. */
function show(plan: DrawnPlan, { run, retryable }: Retriable, { problems }: Taken, { io, settings, command }: Means) {
  const { header, facts } = plan;
  const needed = facts.approval === null ? 0 : approvalsNeeded(facts.approval, facts);
  const runId = run.header?.run_id ?? '';
  const left = retryable.leftOut.map((one) => leftOutProblem(one, command, runId));
  for (const { message, remedy } of left) io.stderr(`${message} ${remedy}\n`);
  if (settings.yes && needed > 0) {
    const what = `${header.run_id} waits for ${needed === 1 ? 'an approval' : `${needed} approvals`}. Nothing was sent.`;
    throw new Refusal('refused', what, `Have it approved: ${command('approve', header.run_id, '--key', 'FILE')}`, {
      run_id: header.run_id,
    });
  }
  if (settings.yes && !settings.quiet && !settings.json) io.stderr(pastText(plan.comparison, io.colour));
  if (settings.yes) return EXIT.ok;
  const shown = {
    plan,
    ofInput: [...problems, ...left],
    short: shortWarnings(plan),
    allowRepeat: undefined,
    older: NO_OLDER_PLANS,
  };
  const text = settings.json
    ? planJson({ ...shown, exit: EXIT.ok }, command)
    : planText({ ...shown, colour: io.colour }, command);
  io.stdout(text);
  return EXIT.ok;
}
