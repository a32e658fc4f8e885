import { Refusal } from '../../../domain/refusal.ts';
import type { PayoutState } from '../../../domain/run/payout.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import type { Journal, RunWriter } from '../../../journal/journal.ts';
import { machineClock, machineRandomness } from '../../../platform/machine.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import { type Doubt, doubtAt } from '../../../report/doubts/doubts.ts';
import { type ResolveOutcome, resolveRow, type Verdict } from '../../../runner/reconcile/resolve.ts';
import { openContext } from '../../../runner/recorder.ts';
import { Halt } from '../../../runner/submit/halt.ts';
import { commandsFor } from '../../command-hints.ts';
import { openLog } from '../../compose.ts';
import { atService, connectionSettings } from '../../connection/service-connection.ts';
import { EXIT } from '../../exit.ts';
import { withJournal } from '../../journal-command.ts';
import { actorHere } from '../../person.ts';
import { assertKnown, readKnownRun, requireStarted } from '../../runs/known-run.ts';
import { keepingRun } from '../../runs/lost-run.ts';
import { openToWrite, requireFree } from '../../runs/open-run.ts';
import type { Settings } from '../../settings.ts';
import type { Io } from '../../terminal.ts';
import { rowOf, verdictOf } from './options.ts';
import { askAbout } from './resolve-question.ts';
import { paidToText, resolvedJson, resolvedText } from './resolved-text.ts';

/**
 * `payrun resolve RUN ROW`: a person's word about a payout in doubt. The service is looked at first, and what it shows
 * counts more than the word.
 */
export async function runResolve(options: Record<string, unknown>): Promise<void> {
  const verdict = verdictOf(options);
  const row = rowOf(options.row);
  const runId = String(options.run);
  await withJournal(options, ({ journal, io, settings }) => {
    const command = commandsFor(settings);
    return keepingRun(runId, command, async () => {
      assertKnown(journal, runId, command);
      requireFree(journal, runId);
      const run = readKnownRun(journal, runId, command);
      requireStarted(run, command);
      const doubt = unresolvedAt(run, row, command);
      await askAbout(io, { yes: settings.yes, command }, doubt, verdict);
      const writer = await openToWrite(journal, runId, command);
      try {
        return await settle({ journal, writer, io, settings, row, verdict, command });
      } finally {
        await writer.release();
      }
    });
  });
}

async function settle(options: {
  journal: Journal;
  writer: RunWriter;
  io: Io;
  settings: Settings;
  row: number;
  verdict: Verdict;
  command: CommandLine;
}): Promise<number> {
  const { journal, writer, io, settings, row, verdict, command } = options;
  const run = readKnownRun(journal, writer.runId, command);
  const doubt = unresolvedAt(run, row, command);
  const actor = actorHere();
  const { by } = actor;
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  try {
    const way = connectionSettings(run, settings);
    await atService({ run, writer, way, settings, log, io }, async ({ client }) => {
      const stop = new AbortController().signal;
      const given = { clock: machineClock, randomness: machineRandomness, log, stop, hints: null };
      const context = openContext({ run, writer, client, ...given });
      const outcome = await resolveRow(context, journal, row, verdict, actor).catch(serviceAway(command, doubt));
      if (outcome.outcome === 'refused') throw refusedWord(outcome, writer.runId);
      if (outcome.paidTo !== undefined) io.stderr(paidToText(doubt, outcome.paidTo));
    });
  } finally {
    flush();
  }
  log.info({ run: writer.runId, row, verdict, by }, 'resolved by a person');
  io.stdout(settings.json ? resolvedJson(run, row, verdict, by) : resolvedText(run, doubt, verdict, command));
  return EXIT.ok;
}

/** What the service shows counts more than a person's word. */
function refusedWord({ message, remedy }: Extract<ResolveOutcome, { outcome: 'refused' }>, runId: string): Refusal {
  return new Refusal('refused', message, remedy, { run_id: runId });
}

function serviceAway(command: CommandLine, { row }: Doubt): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Halt)) throw error;
    const kind = error.reason === 'outage' ? 'unreachable' : 'person_needed';
    const message = `Row ${row} stays as it is: ${error.message}.`;
    throw new Refusal(kind, message, `Nothing was recorded. Try the same command again, or see ${command('runs')}.`);
  };
}

/** The doubt about a row that a person can settle now. Throws a Refusal (`usage`) for any other row. */
function unresolvedAt(run: RunState, number: number, command: CommandLine): Doubt {
  const runId = run.header?.run_id ?? '';
  const row = run.rows.find((found) => found.row === number);
  const payout = run.payouts.get(number);
  const show = command('show', runId);
  const details = { run_id: runId };
  if (!row || !payout) {
    throw new Refusal('usage', `Run ${runId} has no row ${number}.`, `See its rows: ${show}`, details);
  }
  const doubt = doubtAt(run, row, payout);
  if (doubt !== null && doubt.about !== 'open') return doubt;
  const message = `Row ${number} of run ${runId} is not unresolved: ${STANDING[payout.state]}.`;
  const remedy = doubt === null ? `See how it stands: ${show}` : `Look for it first: ${command('resume', runId)}`;
  throw new Refusal('usage', message, remedy, details);
}

const STANDING: Readonly<Record<PayoutState['state'], string>> = {
  waiting: 'it was not sent yet',
  sending: 'it was sent, and nobody has looked for it yet',
  in_doubt: 'it was sent, and nobody has looked for it to the end',
  accepted: 'the service has accepted it',
  completed: 'it is completed',
  failed: 'it failed',
  rejected: 'the service has rejected it',
  unresolved: 'it is',
  suspected: 'it is',
  not_submitted: 'it is not submitted',
};
