import process from 'node:process';
import { namedOnPage } from '../../../app/actor.ts';
import { compareWithPast } from '../../../app/compare/compare-runs.ts';
import { dayExcess } from '../../../app/limits/day-excess.ts';
import { refuseDay } from '../../../app/plan/day-limit.ts';
import { costOf, lookForPayees } from '../../../app/plan/draw-plan.ts';
import { refuseExcess } from '../../../app/plan/limits.ts';
import { allowedBy, plannedWithin, refusePaidBefore } from '../../../app/plan/paid-before.ts';
import type { ExecutedRun } from '../../../app/run/execute-run.ts';
import { startSeen } from '../../../app/run/start-seen.ts';
import type { Client } from '../../../client/client.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { type Connection, connect } from '../../../compose/connect.ts';
import { openLog } from '../../../compose/data-dir.ts';
import { actorHere } from '../../../compose/person.ts';
import { connectionSettings } from '../../../compose/service-connection.ts';
import type { Settings } from '../../../compose/settings.ts';
import { noteOf, readWebhookKeys, whileReceiving } from '../../../compose/webhooks.ts';
import { withdrawalsOf } from '../../../compose/withdrawals.ts';
import type { Log } from '../../../domain/log.ts';
import { currencyKey, type Money } from '../../../domain/money.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import { COOLING_OFF } from '../../../domain/run/left-out.ts';
import { applyToRun } from '../../../domain/run/run.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../../domain/run/run-state.ts';
import type { Journal, RunWriter } from '../../../journal/journal.ts';
import type { SigningKey } from '../../../keys/ed25519.ts';
import { rowsText } from '../../../messages/text.ts';
import { machineClock, machineRandomness } from '../../../platform/machine.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { markCancelled } from '../../../runner/cancel.ts';
import { plannedPayees } from '../../../runner/plan/planned-payees.ts';
import { preflight } from '../../../runner/plan/preflight.ts';
import type { HintSource } from '../../../runner/wait/hinted.ts';
import { stopOnInterrupt } from '../../interrupt.ts';
import { requireToday } from '../../jobs/job-today.ts';
import { withJournal } from '../../journal-command.ts';
import { requireApproved, requireRowsApproved } from '../../plans/approvals.ts';
import { plannedNotes } from '../../plans/conversion-text.ts';
import { refuseBesideJob } from '../../plans/replaced-plans.ts';
import { changed, fileGone, ranMeanwhile, requirePlan } from '../../plans/waiting-plan.ts';
import { executeAndReport, type Watcher } from '../../runs/execution.ts';
import { readKnownRun } from '../../runs/known-run.ts';
import { keepingRun } from '../../runs/lost-run.ts';
import { jobHeld, openToWrite, requireJobFree } from '../../runs/open-run.ts';
import type { Io } from '../../terminal.ts';
import { askToPay } from './consent.ts';

/** `person` is the one on the page for whom it is started. */
type Means = { journal: Journal; io: Io; settings: Settings; person: string | null; watcher?: Watcher };
type Held = Means & { writer: RunWriter; command: CommandLine };

/**
 * `payrun run RUN`: does exactly what was planned, or refuses. The journal's rows, the file, the service, its payees and
 * accounts and the balances have to be as they were, and enough approvers have signed; then the plan is started once, by one process.
 */
export async function runPlanned(options: Record<string, unknown>): Promise<void> {
  await withJournal(
    options,
    async (given) => ENDING_EXIT[(await startPlan(String(options.input), { ...given, person: null })).ending],
  );
}

/** Throws a `Refusal` where it is not started. */
export async function startPlan(runId: string, means: Means): Promise<ExecutedRun> {
  const { journal, settings, person } = means;
  const command = commandsFor(settings);
  return keepingRun(runId, async () => {
    const planned = await readKnownRun(journal, runId);
    await requirePlan(planned, { journal, settings });
    const job = planned.header?.job ?? null;
    if (job !== null) await requireJobFree(journal, job);
    const writer = await openToWrite(journal, runId, namedOnPage(person));
    try {
      return await perform({ ...means, writer, command });
    } finally {
      await writer.release();
    }
  });
}

async function perform(held: Held): Promise<ExecutedRun> {
  const { journal, writer, io, settings } = held;
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  try {
    const seen = await journal.startedRuns();
    const run = await readKnownRun(journal, writer.runId);
    // Another process may have started it before this one had its lease.
    await look(held, run);
    const gone = fileGone(run);
    if (gone !== null) noteOf(io, settings)(gone);
    const { profile, key } = connectionSettings(run, settings);
    const keys = readWebhookKeys(profile, process.env);
    const receiving = { webhooks: profile.webhooks, keys, journal, log, note: noteOf(io, settings) };
    return await whileReceiving(receiving, (hints) => atService({ ...held, seen, run, log, hints, profile, key }));
  } finally {
    flush();
  }
}

/** Everything that can be refused by the journal and the file alone. Throws a `Refusal`. */
async function look(held: Held, run: RunState): Promise<void> {
  await giveUpIfAsked(held, run);
  await requirePlan(run, held);
  await requireToday(run);
  const withdrawals = withdrawalsOf(run, held.settings.dataDir);
  requireApproved(run, withdrawals);
  requireRowsApproved(run, held.settings.onlyValid, withdrawals);
  await refuseRepeated(held, run);
  const { header, plan, rows } = run;
  if (header === null || plan === null) return;
  const { approval, limits, conversions } = plan;
  await refuseBesideJob(header, approval, held);
  refuseExcess(limits, rows, conversions);
  refuseDay(await dayExcess({ limits, header, rows, conversions }, { ...held, clock: machineClock }));
}

/** Throws a `Refusal` where somebody has asked, since this process came up, that the plan be given up: now it is. */
async function giveUpIfAsked({ journal, writer }: Held, run: RunState): Promise<void> {
  const by = await journal.cancelAsked(writer.runId);
  if (by === null || !isPlannedOnly(run)) return;
  await markCancelled(run, writer, { by });
  throw changed(run, { why: 'cancelled' });
}

/** Throws a `Refusal` (`refused`) where rows were paid within the plan's window, since they were planned too. */
async function refuseRepeated({ journal, settings }: Held, { header, plan, rows }: RunState): Promise<void> {
  const repeatWindowMs = header && plan && plannedWithin(header, plan);
  if (header === null || repeatWindowMs === null) return;
  const given = { journal, clock: machineClock, repeatWindowMs, coolingMs: null };
  const compared = await compareWithPast(header, rows, given);
  refusePaidBefore(compared, allowedBy(settings.allowRepeat, header.repeats), header.job);
}

/** `seen` is how many runs had been started when the journal was looked at. */
type Work = Held & { seen: number; run: RunState; log: Log; hints: HintSource | null };

async function atService(work: Work & { profile: Parameters<typeof connect>[0]['profile']; key: SigningKey | null }) {
  const { run, journal, writer, io, settings, log, hints, profile, key } = work;
  const connection = await connect({ profile, key, dataDir: settings.dataDir, log, note: noteOf(io, settings) });
  try {
    await requireSame(work, connection);
    await start(work);
    const { watcher } = work;
    return await executeAndReport({ run, journal, writer, connection, log, io, settings, hints, watcher });
  } finally {
    await connection.close();
  }
}

/** Throws a `Refusal` where the service is not the one, or does not hold, what the plan says. */
async function requireSame({ run, journal, log, io, watcher }: Work, { client, scope }: Connection): Promise<void> {
  const { header, plan } = run;
  if (header === null || plan === null) return;
  const { isRehearsal } = await preflight(client, machineClock, costOf(plan));
  if (scope !== plan.scope || isRehearsal !== plan.rehearsal) {
    throw changed(run, { why: 'another_service' });
  }
  const interrupt = watcher
    ? { signal: watcher.stop, release: () => {} }
    : stopOnInterrupt(() => io.stderr('Stopping: nothing was sent.\n'));
  try {
    if (plan.payees !== null && !(await arePayeesSame(run, { journal, client, log, stop: interrupt.signal }))) {
      throw changed(run, { why: 'payees_changed' });
    }
    if (interrupt.signal.aborted) throw changed(run, { why: 'interrupted' });
  } finally {
    interrupt.release();
  }
}

async function arePayeesSame(
  { header, rows, plan }: RunState,
  means: { journal: Journal; client: Client; log: Log; stop: AbortSignal },
): Promise<boolean> {
  if (header === null || plan === null) return false;
  const payees = await lookForPayees([header, { kind: 'rows', rows }], {
    ...means,
    clock: machineClock,
    randomness: machineRandomness,
  });
  return plannedPayees(payees).sha256 === plan.payees?.sha256;
}

async function start(work: Work): Promise<void> {
  const { seen, run, journal, writer, io, settings, person } = work;
  const { header, plan } = run;
  if (header === null || plan === null) return;
  const approvedRows = (onlyValid: boolean) =>
    requireRowsApproved(run, onlyValid, withdrawalsOf(run, settings.dataDir));
  const left = approvedRows(settings.onlyValid);
  await askToPay(io, settings, {
    ...toPay(run, left),
    from: header.input.name,
    first: '',
    isRehearsal: plan.rehearsal,
  });
  // Somebody may have thought about the question for longer than an approval is good for.
  requireApproved(run, withdrawalsOf(run, settings.dataDir));
  if (approvedRows(settings.onlyValid).length > left.length) approvedRows(false);
  const actor = actorHere(person);
  const refuseRepeat = settings.allowRepeat === undefined || header.retries !== null;
  const also = left.map((row) => ({ kind: 'not_submitted' as const, row, code: COOLING_OFF, message: NOT_APPROVED }));
  await giveUpIfAsked(work, run);
  const begin = (now: number) => writer.start({ ...actor, refuseRepeat, seen: now, also });
  const started = await startSeen(journal, seen, begin, () => look(work, run));
  if (started.outcome === 'job_held') throw jobHeld(header.job ?? '', started);
  if (started.outcome === 'repeats') throw await ranMeanwhile(journal, started.runId, run);
  for (const entry of [{ kind: 'started' as const, ...actor }, ...also]) applyToRun(run, entry, started.at);
}

const NOT_APPROVED =
  'The account is new or changed, and too few approvers have approved this row. `retry` plans it again, for them to approve.';

/** What is paid without the rows that are left out. */
function toPay({ rows, plan }: RunState, left: readonly number[]) {
  const { conversions = null } = plan ?? {};
  const out = new Set(left);
  const totals = new Map<string, Money>();
  let payouts = 0;
  for (const { order } of rows) {
    if (order === null || out.has(order.row)) continue;
    payouts++;
    const { currency, amount_minor } = order;
    const minor = BigInt(amount_minor) + (totals.get(currencyKey(currency))?.minor ?? 0n);
    totals.set(currencyKey(currency), { currency, minor });
  }
  const without = left.length === 1 ? `without row ${left[0]}` : `without rows ${rowsText(left)}`;
  const notes = [...(left.length === 0 ? [] : [`${without}, not approved by enough`]), ...plannedNotes(conversions)];
  return { payouts, totals: [...totals.values()], notes };
}
