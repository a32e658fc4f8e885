import type { Entry, RunCreated } from '../../domain/entry.ts';
import type { KindOfPayment } from '../../domain/kind-of-payment.ts';
import type { Money } from '../../domain/money.ts';
import type { Limits, PlannedConversions, PlannedTotal } from '../../domain/plan.ts';
import type { Problem } from '../../domain/problem.ts';
import { assert } from '../../domain/refusal.ts';
import { applyToRun, newRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { CurrencyTotal } from '../../input/checks/control-figures.ts';
import type { ReadResult } from '../../input/input.ts';
import type { Journal } from '../../journal/journal.ts';
import type { HintSource } from '../../runner/hinted.ts';
import { planDigest, planFacts, rowsOf } from '../../runner/plan/plan-digest.ts';
import { plannedConversions } from '../../runner/plan/planned-conversions.ts';
import { askForBalances, requireFunds } from '../../runner/plan/preflight.ts';
import { smallConversions } from '../../runner/plan/small-conversions.ts';
import type { Comparison } from '../compare/comparison.ts';
import { dayExcess } from '../limits/day-excess.ts';
import { refuseBesideApproved, refuseBesideJob } from '../plan/awaiting.ts';
import { ceilingsOf } from '../plan/ceilings.ts';
import { refuseDay } from '../plan/day-limit.ts';
import { costOf } from '../plan/draw-plan.ts';
import { headerOf, payingOf } from '../plan/gather.ts';
import type { Gathered, Given } from '../plan/given.ts';
import { refuseExcess } from '../plan/limits.ts';
import { refusedWithin } from '../plan/paid-before.ts';
import { compareInput, notifyEntries, payable } from '../plan/plan-input.ts';
import { kindAhead, type Paying, refuseEarly, refuseRepeat, repeatRefusal } from '../plan/repeats.ts';
import { jobHeld, keepingRun, requireJobFree } from '../runs/known-run.ts';
import type { Connection } from '../service/at-service.ts';
import type { ExecutedRun } from './execute-run.ts';
import { executeWatched, type RunDeps } from './run-deps.ts';
import { passedOver, startSeen } from './start-seen.ts';

/** An input as somebody agrees to pay it. */
export type InputProposal = {
  read: ReadResult;
  totals: readonly Money[];
  comparison: Comparison;
  conversions: PlannedConversions | null;
  /** What is converted and may be too little for that. */
  small: readonly Problem[];
  isRehearsal: boolean;
};

export type PayDeps = RunDeps & {
  connect(): Promise<Connection>;
  /** Asks whoever starts it. Throws a `Refusal` where they do not agree. */
  confirm(proposal: InputProposal): Promise<void>;
  /** Files of a job that came between the one that is paid and the last one that was run. */
  onPassedOver(paths: readonly string[]): void;
};

/**
 * Plans and starts an input in one step, once somebody has agreed to pay it. Everything that can be refused is refused before
 * anything is created at the service, in the order earlier runs, service, balance, consent. Throws a `Refusal`.
 */
export async function payInput(
  deps: PayDeps,
  { given, whole, limits }: { given: Given; whole: Gathered; limits: Limits | null },
): Promise<ExecutedRun> {
  const { journal } = deps;
  const { job, settings, profile } = given;
  const ahead = kindAhead(profile);
  if (!settings.skipPaid) refuseExcess(limits, rowsOf(whole.entries));
  await requireJobFree(journal, job?.name ?? null);
  const passed = await passedOver(whole.chosen, journal, ahead);
  if (passed.length > 0) deps.onPassedOver(passed);
  const seen = await journal.startedRuns();
  await refuseEarly(journal, settings, payingOf(given, whole, ahead));
  return deps.whileReceiving(profile, async (hints) => {
    const connection = await deps.connect();
    try {
      const prepared = await prepare(deps, given, whole, { limits, connection });
      return await start(deps, given, prepared, { seen, connection, hints });
    } finally {
      await connection.close();
    }
  });
}

/** A run that was agreed to. `look` looks again at what may have changed since. */
type Prepared = { header: RunCreated; entries: Entry[]; paying: Paying; read: ReadResult; look(): Promise<unknown> };

async function prepare(
  deps: PayDeps,
  given: Given,
  whole: Gathered,
  { limits, connection: { client, scope } }: { limits: Limits | null; connection: Connection },
): Promise<Prepared> {
  const { journal, clock } = deps;
  const { settings } = given;
  const { isRehearsal, held } = await askForBalances(client, clock);
  const kind: KindOfPayment = { rehearsal: isRehearsal, scope };
  const { gathered, paying, repeats } = await payable(given, whole, { journal, kind });
  const { read, entries } = gathered;
  const unsigned = { ...headerOf(given, gathered, { scope, repeats }), rehearsal: isRehearsal, digest: '' };
  if (unsigned.job !== null) await refuseBesideApproved(unsigned, deps);
  await refuseBesideJob(unsigned, null, deps);
  const planned = read.totals.map(plannedTotal);
  const conversions = await plannedConversions(client, entries, ceilingsOf(settings));
  if (conversions !== null || settings.skipPaid) refuseExcess(limits, rowsOf(entries), conversions);
  requireFunds(held, costOf({ totals: planned, conversions }));
  const look = async () => {
    refuseDay(await dayExcess({ limits, header: unsigned, rows: rowsOf(entries), conversions }, deps));
    return compareInput(given, gathered, { header: unsigned, journal, unknown: new Map(), refuses: true });
  };
  const comparison = await look();
  const small = await smallConversions(client, entries, conversions);
  const totals = read.totals.map(({ minor, currency }): Money => ({ minor, currency }));
  await deps.confirm({ read, totals, comparison, conversions, small, isRehearsal });
  const plan = planFacts(unsigned, planned, {
    conversions,
    payees: null,
    warnings: read.problemCounts.warnings + small.length,
    limits,
    cooling_off: [],
    approval: null,
    repeat_window_ms: refusedWithin(given.job),
  });
  const all: Entry[] = [
    ...entries,
    { kind: 'planned', plan },
    ...notifyEntries(given.job?.notify ?? null),
    { kind: 'started', ...deps.actor },
    // A person who lets a file be paid again knows that payments like its rows are at the service.
    ...(settings.allowRepeat === undefined ? [] : [{ kind: 'accounted' as const }]),
  ];
  const header = { ...unsigned, digest: planDigest(plan, rowsOf(entries)) };
  return { header, entries: all, paying, read, look };
}

/** What a run that is confirmed where it is planned costs is seen when it is paid. */
function plannedTotal({ currency, count, minor }: CurrencyTotal): PlannedTotal {
  return { currency, payouts: count, planned_minor: String(minor), fees_minor: null };
}

type At = { seen: number; connection: Connection; hints: HintSource | null };

async function start(
  deps: PayDeps,
  given: Given,
  { header, entries, paying, look }: Prepared,
  { seen, connection, hints }: At,
): Promise<ExecutedRun> {
  const { journal } = deps;
  const { settings } = given;
  const refuses = settings.allowRepeat === undefined;
  const create = (now: number) => journal.createRun({ header, rows: entries, refuseRepeat: refuses, seen: now });
  const lookAgain = async () => {
    const last = await refuseRepeat(journal, settings, paying);
    if (last !== null && last !== header.repeats) throw await repeatRefusal(journal, last, paying);
    await look();
  };
  return keepingRun(header.run_id, async () => {
    const created = await startSeen(journal, seen, create, lookAgain);
    if (created.outcome === 'repeats') throw await repeatRefusal(journal, created.runId, paying);
    if (created.outcome === 'job_held') throw jobHeld(header.job ?? '', created);
    const run = await foldNew(journal, header, entries);
    return executeWatched(deps, { run, writer: created.writer, connection, hints });
  });
}

/** The fold of a run that was written just now: what was written is at hand, and only its time is read back. */
async function foldNew(journal: Journal, header: RunCreated, entries: readonly Entry[]): Promise<RunState> {
  const written = (await journal.runsOfInput(header.input.sha256)).find(({ run_id }) => run_id === header.run_id);
  assert(written, 'a new run is in the journal');
  const run = newRun();
  for (const entry of [header, ...entries]) applyToRun(run, entry, written.created_at);
  return run;
}
