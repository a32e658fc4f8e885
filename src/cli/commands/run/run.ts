import process from 'node:process';
import { mappingOf } from '../../../app/check/check-result.ts';
import { dayExcess } from '../../../app/limits/day-excess.ts';
import { ceilingsOf } from '../../../app/plan/ceilings.ts';
import { compareInput } from '../../../app/plan/compare-input.ts';
import { refuseDay } from '../../../app/plan/day-limit.ts';
import { costOf } from '../../../app/plan/draw-plan.ts';
import { headerOf, payingOf } from '../../../app/plan/gather.ts';
import type { Gathered } from '../../../app/plan/given.ts';
import { limitsOf, refuseExcess } from '../../../app/plan/limits.ts';
import { notifyEntries } from '../../../app/plan/notify-entries.ts';
import { refusedWithin } from '../../../app/plan/paid-before.ts';
import { kindAhead, type Paying, refuseEarly, refuseRepeat, repeatRefusal } from '../../../app/plan/repeats.ts';
import { withoutPaid } from '../../../app/plan/skip-paid.ts';
import { startSeen } from '../../../app/run/start-seen.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { connect } from '../../../compose/connect.ts';
import { openDataJournal, openLog } from '../../../compose/data-dir.ts';
import { actorHere } from '../../../compose/person.ts';
import { noteOf, readWebhookKeys, whileReceiving } from '../../../compose/webhooks.ts';
import type { Entry, RunCreated } from '../../../domain/entry.ts';
import type { Log } from '../../../domain/log.ts';
import type { Money } from '../../../domain/money.ts';
import type { Limits, PlannedTotal } from '../../../domain/plan.ts';
import { assert, Refusal } from '../../../domain/refusal.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import { applyToRun, newRun } from '../../../domain/run/run.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import type { CurrencyTotal } from '../../../input/checks/control-figures.ts';
import type { CreateRunOutcome, Journal, RunWriter } from '../../../journal/journal.ts';
import { problemLine } from '../../../messages/problems/problem-words.ts';
import { machineClock } from '../../../platform/machine.ts';
import { planDigest, planFacts, rowsOf } from '../../../runner/plan/plan-digest.ts';
import { plannedConversions } from '../../../runner/plan/planned-conversions.ts';
import { askForBalances, requireFunds } from '../../../runner/plan/preflight.ts';
import { smallConversions } from '../../../runner/plan/small-conversions.ts';
import type { HintSource } from '../../../runner/wait/hinted.ts';
import { EXIT } from '../../exit.ts';
import { notifyingOfRefusals } from '../../jobs/refused-notices.ts';
import { firstText } from '../../paid/compare-text.ts';
import { conversionNotes } from '../../plans/conversion-text.ts';
import { type Given, gather, openGiven } from '../../plans/prepared-run.ts';
import { type PlanMeans, refuseBesideApproved, refuseBesideJob } from '../../plans/replaced-plans.ts';
import { executeAndReport } from '../../runs/execution.ts';
import { keepingRun } from '../../runs/lost-run.ts';
import { jobHeld, requireJobFree } from '../../runs/open-run.ts';
import { unnamedRailsText } from '../check/check-text.ts';
import { askToPay } from './consent.ts';
import { passedOver } from './passed-over.ts';

const PERIOD_OF_PLAN = 'A plan has its period already, and --period cannot change it.';

const CEILINGS_OF_PLAN =
  'A plan has its ceilings already, and --rate-ceiling and --run-rate-ceiling cannot change them.';

const ROWS_OF_PLAN = 'A plan has its rows already, and --skip-paid cannot change them.';

/** What `newRunId` makes. A file of that name is a file all the same where it has an ending. */
const RUN_ID = /^R\d{8}-[0-9A-HJKMNP-TV-Z]{8}$/;

/**
 * `payrun run FILE|JOB`: everything that can be refused is refused before anything is created at the service, in the order
 * job, options, key file, input, earlier runs, service, balance, consent. `payrun run RUN` does what was planned.
 */
export async function runRun(options: Record<string, unknown>): Promise<void> {
  if (RUN_ID.test(String(options.input))) {
    if (options.period !== undefined) throw new Refusal('usage', PERIOD_OF_PLAN, 'Leave --period out.');
    if (options.rateCeiling !== undefined || options.runRateCeiling !== undefined)
      throw new Refusal('usage', CEILINGS_OF_PLAN, 'Leave them out, or make a new plan with them.');
    if (options.skipPaid !== undefined)
      throw new Refusal('usage', ROWS_OF_PLAN, 'Leave it out, or make a new plan with it.');
    const { runPlanned } = await import('./planned.ts');
    return runPlanned(options);
  }
  return notifyingOfRefusals(options, () => runInput(options));
}

async function runInput(options: Record<string, unknown>): Promise<void> {
  const given = await openGiven(options);
  const { job, settings, io, profile } = given;
  if (job?.approval || settings.approval !== undefined) return planInstead(String(options.input), given);
  const keys = readWebhookKeys(profile, process.env);
  const limits = limitsOf(job);
  const gathered = await gather(String(options.input), given, { showsChanges: true });
  if (gathered === null) return;
  if (!settings.skipPaid) refuseExcess(limits, rowsOf(gathered.entries));
  const journal = await openDataJournal(settings.dataDir);
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  try {
    if (job !== null) await requireJobFree(journal, job.name);
    const over = await passedOver(gathered.chosen, journal, kindAhead(profile));
    if (over !== null) io.stderr(`${over}\n`);
    const seen = await journal.startedRuns();
    await refuseEarly(journal, settings, payingOf(given, gathered, kindAhead(profile)));
    const receiving = { webhooks: profile.webhooks, keys, journal, log, note: noteOf(io, settings) };
    await whileReceiving(receiving, (hints) => pay(given, gathered, { seen, limits, journal, log, hints }));
  } finally {
    flush();
    await journal.close();
  }
}

/** A job that has to be approved is planned, and its plan is run once it was: `--yes` is no approval. */
async function planInstead(named: string, given: Given): Promise<void> {
  const { planOf } = await import('../plan/run.ts');
  await planOf(named, given, EXIT.refused);
  if (process.exitCode === EXIT.refused)
    given.io.stderr('Refused: this is paid from an approved plan only. The plan was made, and nothing was sent.\n');
}

/** `seen` is how many runs had been started when the first look was taken. */
type Means = {
  seen: number;
  limits: Limits | null;
  journal: Journal;
  log: Log;
  hints: HintSource | null;
};

/** From the service's first answer to the report. Sets the process's exit code. */
async function pay(given: Given, whole: Gathered, { seen, limits, journal, log, hints }: Means): Promise<void> {
  const { profile, key, settings, io } = given;
  const connection = await connect({ profile, key, dataDir: settings.dataDir, log, note: noteOf(io, settings) });
  const { client, scope } = connection;
  try {
    const command = commandsFor(settings);
    const { isRehearsal, held } = await askForBalances(client, machineClock);
    const paying = payingOf(given, whole, { rehearsal: isRehearsal, scope });
    const repeats = await refuseRepeat(journal, settings, paying);
    const gathered = await withoutPaid(given, whole, { journal, kind: { rehearsal: isRehearsal, scope } });
    const { read } = gathered;
    const created = headerOf(given, gathered, { scope, repeats });
    await refuseBeside(created, { journal, settings, command });
    const totals = read.totals.map(({ minor, currency }): Money => ({ minor, currency }));
    const planned = read.totals.map(plannedTotal);
    const conversions = await plannedConversions(client, gathered.entries, ceilingsOf(settings));
    if (conversions !== null || settings.skipPaid) refuseExcess(limits, rowsOf(gathered.entries), conversions);
    requireFunds(held, costOf({ totals: planned, conversions }));
    const { payouts, input } = read;
    const unsigned = { ...created, rehearsal: isRehearsal, digest: '' };
    const look = async () => {
      const ofDay = { limits, header: unsigned, rows: rowsOf(gathered.entries), conversions };
      refuseDay(await dayExcess(ofDay, { journal, clock: machineClock }));
      return compareInput(given, gathered, { header: unsigned, journal, unknown: new Map(), refuses: true });
    };
    const first = firstText(await look(), io.colour);
    const small = await smallConversions(client, gathered.entries, conversions);
    const notes = [...unnamedRailsText(read), ...conversionNotes(conversions), ...small.map(problemLine)];
    await askToPay(io, settings, { payouts, from: input.name, totals, first, notes, isRehearsal });
    const plan = planFacts(unsigned, planned, {
      conversions,
      payees: null,
      warnings: read.problemCounts.warnings + small.length,
      limits,
      cooling_off: [],
      approval: null,
      repeat_window_ms: refusedWithin(given.job),
    });
    const header: RunCreated = { ...unsigned, digest: planDigest(plan, rowsOf(gathered.entries)) };
    const entries: Entry[] = [
      ...gathered.entries,
      { kind: 'planned', plan },
      ...notifyEntries(given.job?.notify ?? null),
      { kind: 'started', ...actorHere() },
      // A person who lets a file be paid again knows that payments like its rows are at the service.
      ...(settings.allowRepeat === undefined ? [] : [{ kind: 'accounted' as const }]),
    ];
    const refuses = settings.allowRepeat === undefined;
    const lookAgain = async () => {
      const last = await refuseRepeat(journal, settings, paying);
      if (last !== null && last !== repeats) throw await repeatRefusal(journal, last, paying);
      await look();
    };
    process.exitCode = await keepingRun(header.run_id, async () => {
      const create = (now: number) => journal.createRun({ header, rows: entries, refuseRepeat: refuses, seen: now });
      const writer = await writerOf(await startSeen(journal, seen, create, lookAgain), given, {
        journal,
        paying,
      });
      const run = await foldNew(journal, [header, ...entries]);
      const reading = { inferred_rails: read.inferredRails, ...mappingOf(read) };
      const executed = await executeAndReport({ run, journal, writer, connection, log, io, settings, hints, reading });
      return ENDING_EXIT[executed.ending];
    });
  } finally {
    await connection.close();
  }
}

/** Throws a `Refusal` (`refused`) where a plan waits that people have approved, or have to, and that would pay the same. */
async function refuseBeside(header: Omit<RunCreated, 'digest' | 'rehearsal'>, means: PlanMeans): Promise<void> {
  if (header.job !== null) await refuseBesideApproved(header, means);
  await refuseBesideJob(header, null, means);
}

/** What a run that is confirmed where it is planned costs is seen when it is paid. */
function plannedTotal({ currency, count, minor }: CurrencyTotal): PlannedTotal {
  return { currency, payouts: count, planned_minor: String(minor), fees_minor: null };
}

/** The fold of a run that was written just now: what was written is at hand, and only its time is read back. */
async function foldNew(journal: Journal, entries: Entry[]): Promise<RunState> {
  const [header] = entries;
  assert(header?.kind === 'run_created', 'a run begins with its creation');
  const written = (await journal.runsOfInput(header.input.sha256)).find(({ run_id }) => run_id === header.run_id);
  assert(written, 'a new run is in the journal');
  const run = newRun();
  for (const entry of entries) applyToRun(run, entry, written.created_at);
  return run;
}

type NotMoved = Exclude<CreateRunOutcome, { outcome: 'moved' }>;

/** Throws a `Refusal` where the run was not created. */
async function writerOf(
  created: NotMoved,
  { job }: Given,
  { journal, paying }: { journal: Journal; paying: Paying },
): Promise<RunWriter> {
  if (created.outcome === 'repeats') throw await repeatRefusal(journal, created.runId, paying);
  if (created.outcome === 'job_held') throw jobHeld(job?.name ?? '', created);
  return created.writer;
}
