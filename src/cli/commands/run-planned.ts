import { existsSync } from 'node:fs';
import process from 'node:process';
import type { Client } from '../../client/client.ts';
import type { RunCreated } from '../../domain/entry.ts';
import type { Log } from '../../domain/log.ts';
import type { Money } from '../../domain/money.ts';
import { Refusal } from '../../domain/refusal.ts';
import { applyToRun, type RunState } from '../../domain/run.ts';
import { isPlannedOnly } from '../../domain/run-plan.ts';
import { openFile } from '../../input/file.ts';
import { hashOf } from '../../input/file-hash.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import type { CommandLine } from '../../report/command-line.ts';
import type { HintSource } from '../../runner/hinted.ts';
import { isPlanWhole } from '../../runner/plan-digest.ts';
import { plannedPayees } from '../../runner/planned-payees.ts';
import { preflight } from '../../runner/preflight.ts';
import { commandsFor } from '../command-hints.ts';
import { machineClock, openLog, stopOnInterrupt } from '../compose.ts';
import { type Connection, connect } from '../connect.ts';
import { askToPay } from '../consent.ts';
import { costOf, lookForPayees } from '../draw-plan.ts';
import { executeAndReport } from '../execution.ts';
import { withJournal } from '../journal-command.ts';
import { readKnownRun } from '../known-run.ts';
import { keepingRun } from '../lost-run.ts';
import { openToWrite, requireJobFree } from '../open-run.ts';
import { personHere } from '../person.ts';
import { wayTo } from '../reach.ts';
import { requireRetry } from '../retry-rows.ts';
import type { Settings } from '../settings.ts';
import type { Io } from '../terminal.ts';
import { noteOf, readWebhookKeys, whileReceiving } from '../webhooks.ts';

type Held = { journal: Journal; writer: RunWriter; io: Io; settings: Settings; command: CommandLine };

/**
 * `payrun run RUN`: does exactly what was planned, or refuses. The journal's rows, the file, the service, its payees and
 * accounts and the balances have to be as they were; then the plan is started once, by one process.
 */
export async function runPlanned(options: Record<string, unknown>): Promise<void> {
  const runId = String(options.input);
  await withJournal(options, ({ journal, io, settings }) => {
    const command = commandsFor(settings);
    return keepingRun(runId, command, async () => {
      const given = { journal, command, settings };
      const planned = readKnownRun(journal, runId, command);
      await requirePlan(planned, given);
      const job = planned.header?.job ?? null;
      if (job !== null) requireJobFree(journal, job);
      const writer = await openToWrite(journal, runId, command);
      try {
        return await perform({ journal, writer, io, settings, command });
      } finally {
        await writer.release();
      }
    });
  });
}

async function perform(held: Held): Promise<number> {
  const { journal, writer, io, settings, command } = held;
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  try {
    const run = readKnownRun(journal, writer.runId, command);
    // Another process may have started it before this one had its lease.
    await requirePlan(run, { journal, command, settings });
    const { profile, key } = wayTo(run, settings);
    const keys = readWebhookKeys(profile, process.env);
    const receiving = { webhooks: profile.webhooks, keys, journal, log, note: noteOf(io, settings) };
    return await whileReceiving(receiving, (hints) => atService({ ...held, run, log, hints, profile, key }));
  } finally {
    flush();
  }
}

type Work = Held & { run: RunState; log: Log; hints: HintSource | null };

async function atService(work: Work & { profile: Parameters<typeof connect>[0]['profile']; key: SigningKey | null }) {
  const { run, journal, writer, io, settings, log, hints, profile, key } = work;
  const connection = await connect({ profile, key, dataDir: settings.dataDir, log });
  try {
    await requireSame(work, connection);
    await start(work);
    return await executeAndReport({ run, journal, writer, client: connection.client, log, io, settings, hints });
  } finally {
    await connection.close();
  }
}

/** Throws a `Refusal` where the run is no plan that can be started. */
async function requirePlan(
  run: RunState,
  { journal, command, settings }: { journal: Journal; command: CommandLine; settings: Settings },
): Promise<void> {
  const { header } = run;
  if (header === null) return;
  const { run_id, input, retries, corrections_sha256 } = header;
  if (!isPlannedOnly(run)) {
    const remedy = `See \`${command('show', run_id)}\`; go on with \`${command('resume', run_id)}\` if it was cut off.`;
    throw new Refusal('refused', `${run_id} was started before, and is not started again.`, remedy, { run_id });
  }
  if (run.cancelled) throw changed(run, 'is a plan that was cancelled', command);
  if (!isPlanWhole(run)) {
    const what = 'is not what was planned: its rows in the journal do not have the digest of the plan';
    const remedy = `See what \`${command('verify', run_id)}\` says, and make a new plan.`;
    throw new Refusal('person_needed', `${run_id} ${what}. Nothing was sent.`, remedy, { run_id });
  }
  if (retries !== null) requireRetry(journal, run, settings, command);
  else if (settings.allowRepeat === undefined) refuseStarted(journal, header, command);
  const sha256 = retries === null ? input.sha256 : corrections_sha256;
  if (sha256 !== null && existsSync(input.path) && (await hashOf(await openFile(input.path))) !== sha256) {
    throw changed(run, `is a plan of ${input.name}, which was changed since`, command);
  }
}

/** What the transaction that starts the run refuses too, said before the service is asked. */
function refuseStarted(journal: Journal, { run_id, job, period, input }: RunCreated, command: CommandLine): void {
  const ofPeriod = job === null || period === null ? [] : journal.runsOfPeriod(job, period);
  const started = [...journal.runsOfInput(input.sha256).filter(({ isPlanned }) => !isPlanned), ...ofPeriod];
  const other = started.findLast((one) => one.run_id !== run_id);
  if (other) throw runMeanwhile(other.run_id, command);
}

function runMeanwhile(runId: string, command: CommandLine): Refusal {
  return new Refusal(
    'refused',
    `The same was run meanwhile, as ${runId}. Nothing was sent.`,
    `See \`${command('show', runId)}\`. To pay everybody again: --allow-repeat ${runId}`,
    { run_id: runId },
  );
}

/** Throws a `Refusal` where the service is not the one, or does not hold, what the plan says. */
async function requireSame({ run, journal, log, io, command }: Work, { client, scope }: Connection): Promise<void> {
  const { header, plan } = run;
  if (header === null || plan === null) return;
  const { isRehearsal } = await preflight(client, machineClock, costOf(plan.totals));
  if (scope !== plan.scope || isRehearsal !== plan.rehearsal) {
    throw changed(run, 'was made at another service, or with another key', command);
  }
  const interrupt = stopOnInterrupt(() => io.stderr('Stopping: nothing was sent.\n'));
  try {
    if (plan.payees !== null && !(await arePayeesSame(run, { journal, client, log, stop: interrupt.signal }))) {
      throw changed(
        run,
        'does not fit the service any more: recipients or accounts of its payees are not as they were',
        command,
      );
    }
    if (interrupt.signal.aborted) throw changed(run, 'was not started', command);
  } finally {
    interrupt.release();
  }
}

async function arePayeesSame(
  { header, rows, plan }: RunState,
  means: { journal: Journal; client: Client; log: Log; stop: AbortSignal },
): Promise<boolean> {
  if (header === null || plan === null) return false;
  const payees = await lookForPayees([header, { kind: 'rows', rows }], means);
  return plannedPayees(payees).sha256 === plan.payees?.sha256;
}

async function start({ run, writer, io, settings, command }: Work): Promise<void> {
  const { header, plan } = run;
  if (header === null || plan === null) return;
  const totals = plan.totals.map(({ currency, planned_minor }): Money => ({ currency, minor: BigInt(planned_minor) }));
  const isRehearsal = plan.rehearsal;
  await askToPay(io, settings, { payouts: plan.payouts, from: header.input.name, totals, notes: [], isRehearsal });
  const by = personHere();
  const started = await writer.start(by, settings.allowRepeat === undefined || header.retries !== null);
  if (started.outcome === 'repeats') throw runMeanwhile(started.runId, command);
  applyToRun(run, { kind: 'started', by }, started.at);
}

function changed(run: RunState, what: string, command: CommandLine): Refusal {
  const runId = run.header?.run_id ?? '';
  const path = run.header?.input.path ?? '';
  const retries = run.header?.retries ?? null;
  const again = retries === null ? command('plan', path) : command('retry', retries);
  return new Refusal(
    'refused',
    `${runId} ${what}. Nothing was sent.`,
    `Make a new plan, and look at it: \`${again}\`.`,
    { run_id: runId },
  );
}
