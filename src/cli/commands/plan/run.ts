import process from 'node:process';
import { limitsOf, refuseExcess } from '../../../app/plan/limits.ts';
import type { Entry } from '../../../domain/entry.ts';
import type { Problem } from '../../../domain/problem.ts';
import { assert, Refusal } from '../../../domain/refusal.ts';
import type { Journal } from '../../../journal/journal.ts';
import { machineClock } from '../../../platform/machine.ts';
import { rowsOf } from '../../../runner/plan/plan-digest.ts';
import { askForBalances, shortages } from '../../../runner/plan/preflight.ts';
import { commandsFor } from '../../command-hints.ts';
import { openDataJournal, openLog, stopOnInterrupt } from '../../compose.ts';
import { connect } from '../../connection/connect.ts';
import { noteOf } from '../../connection/webhooks.ts';
import { EXIT } from '../../exit.ts';
import { notifyingOfRefusals } from '../../jobs/refused-notices.ts';
import { compareInput } from '../../paid/compare-input.ts';
import { refusedWithin } from '../../paid/paid-before.ts';
import { kindAhead, type Paying, refuseEarly, refuseRepeat, repeatRefusal } from '../../paid/repeats.ts';
import { withoutPaid } from '../../paid/skip-paid.ts';
import { actorHere } from '../../person.ts';
import { ceilingsOf } from '../../plans/ceilings.ts';
import { costOf, type DrawnPlan, drawPlan, type PlanSubject } from '../../plans/draw-plan.ts';
import { notifyEntries } from '../../plans/notify-entries.ts';
import { notifyPlanned } from '../../plans/plan-notices.ts';
import { planJson, planText, type ShownPlan } from '../../plans/plan-text.ts';
import { type Gathered, type Given, gather, headerOf, openGiven, payingOf } from '../../plans/prepared-run.ts';
import { approvalOf, policyPlace, preparationOf } from '../../plans/preparer.ts';
import { refuseBesideApproved, refuseBesideJob, replaceOlder } from '../../plans/replaced-plans.ts';
import { keepingRun } from '../../runs/lost-run.ts';
import { jobHeld } from '../../runs/open-run.ts';
import type { Io } from '../../terminal.ts';

/**
 * `payrun plan FILE`: everything that `run` would look at, written to the journal as a run that waits to be started.
 * Nothing is written to the service.
 */
export async function runPlan(options: Record<string, unknown>): Promise<void> {
  await notifyingOfRefusals(options, async () => planOf(String(options.input), await openGiven(options), EXIT.ok));
}

/**
 * The same, of what was read of the command line. `exit` is what the command ends with where the plan was written: one that
 * was not asked for by name is not made beside one that is approved.
 */
export async function planOf(named: string, given: Given, exit: number): Promise<void> {
  const { job, settings, io, profile, key } = given;
  const limits = limitsOf(job);
  const policy = await approvalOf(job?.approval ?? null, settings);
  const preparation = await preparationOf(policy, settings, io, policyPlace(job, settings));
  const whole = await gather(named, given, { showsChanges: true });
  if (whole === null) return;
  if (!settings.skipPaid) refuseExcess(limits, rowsOf(whole.entries));
  const journal = openDataJournal(settings.dataDir);
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  const interrupt = stopOnInterrupt(() => io.stderr('Stopping: nothing was sent.\n'));
  try {
    refuseEarly(journal, settings, payingOf(given, whole, kindAhead(profile)));
    const connection = await connect({ profile, key, dataDir: settings.dataDir, log, note: noteOf(io, settings) });
    try {
      const { isRehearsal: rehearsal, held } = await askForBalances(connection.client, machineClock);
      const { scope } = connection;
      const paying = payingOf(given, whole, { rehearsal, scope });
      const repeats = refuseRepeat(journal, settings, paying);
      const gathered = withoutPaid(given, whole, { journal, kind: { rehearsal, scope } });
      const header = { ...headerOf(given, gathered, { scope, repeats }), rehearsal };
      const means = { journal, settings, command: commandsFor(settings) };
      if (exit !== EXIT.ok) await refuseBesideApproved(header, means);
      await refuseBesideJob(header, preparation.approval, means);
      const subject: PlanSubject = {
        header,
        entries: gathered.entries,
        warnings: countOthers(gathered),
        limits,
        approval: preparation.approval,
        ceilings: ceilingsOf(settings),
        repeatWindowMs: refusedWithin(job),
        compare: (unsigned, unknown) =>
          compareInput(given, gathered, { header: unsigned, journal, unknown, refuses: job !== null }),
      };
      const plan = await drawPlan(subject, {
        journal,
        dataDir: settings.dataDir,
        held,
        client: connection.client,
        log,
        stop: interrupt.signal,
      });
      if (interrupt.signal.aborted) throw interrupted();
      const signature = preparation.sign(plan.header.digest);
      const notify = job?.notify ?? null;
      const entries = [...gathered.entries, ...notifyEntries(notify)];
      await keep(journal, plan, { entries, signature, paying }, settings);
      show({ plan, older: await replaceOlder(plan.header, means) }, gathered, io, {
        ...settings,
        exit,
      });
      process.exitCode = exit;
      interrupt.release();
      await notifyPlanned(notify, plan, {
        io,
        log,
        command: commandsFor(settings),
        journal,
        dataDir: settings.dataDir,
      });
    } finally {
      await connection.close();
    }
  } finally {
    interrupt.release();
    flush();
    journal.close();
  }
}

type Planned = { entries: Entry[]; signature: string | undefined; paying: Paying };

type Kept = { dataDir: string; allowRepeat?: string | undefined };

/** On disk when it resolves, and held by nobody. The entries are given away, so that they and their text are not held both. */
async function keep(journal: Journal, { header, facts }: DrawnPlan, given: Planned, settings: Kept) {
  const command = commandsFor(settings);
  await keepingRun(header.run_id, command, async () => {
    const refuse = settings.allowRepeat === undefined;
    given.entries.push({ kind: 'planned', plan: facts, signature: given.signature, ...actorHere() });
    const created = await journal.createRun({ header, rows: givenAway(given.entries), refuseRepeat: refuse });
    if (created.outcome === 'repeats') throw repeatRefusal(journal, created.runId, command, given.paying);
    if (created.outcome === 'job_held') throw jobHeld(header.job ?? '', created);
    assert(created.outcome === 'created', 'a plan was made to be started');
    await created.writer.release();
  });
}

function* givenAway(entries: Entry[]): Generator<Entry> {
  for (let entry = entries.shift(); entry !== undefined; entry = entries.shift()) yield entry;
}

/** The warnings of the input but for changed accounts, which the comparison with earlier runs says with more. */
function countOthers({ read }: Gathered): number {
  const changed = read.problemGroups.filter(({ code }) => code === 'account_changed');
  return read.problemCounts.warnings - changed.reduce((sum, { count }) => sum + count, 0);
}

type Shown = Kept & { json: boolean; exit: number };

function show(
  { plan, older }: Pick<ShownPlan, 'plan' | 'older'>,
  { read }: Gathered,
  io: Io,
  { json, exit, ...settings }: Shown,
): void {
  const command = commandsFor(settings);
  const shown = {
    plan,
    ofInput: read.problems,
    short: shortWarnings(plan),
    allowRepeat: settings.allowRepeat,
    older,
  };
  io.stdout(json ? planJson({ ...shown, exit }, command) : planText({ ...shown, colour: io.colour }, command));
}

/** What the service shows, and what may be otherwise when the plan is run: short balances, too little to convert, the day's limit. */
export function shortWarnings({ facts, held, small, ofDay }: DrawnPlan): Problem[] {
  const short = shortages(held, costOf(facts)).map((missing) => ({
    severity: 'warning' as const,
    code: 'balance_short',
    sheet: null,
    row: null,
    column: null,
    cell: null,
    value: null,
    message: `The balance is short. ${missing}.`,
    remedy: 'Fund the balance before the plan is run, which looks again.',
  }));
  return [...short, ...small, ...ofDay];
}

export function interrupted(): Refusal {
  return new Refusal(
    'refused',
    'Interrupted. Nothing was sent, and no plan was written.',
    'Run the same command again.',
  );
}
