import type { Entry } from '../../domain/entry.ts';
import type { Log } from '../../domain/log.ts';
import type { NotifyEvent } from '../../domain/notices/notify.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { Deposed, type RunWriter } from '../../journal/journal.ts';
import { counted, printable } from '../../messages/text.ts';
import { machineClock } from '../../platform/machine.ts';
import { dueRemittances } from '../../report/model/remittances.ts';
import type { RunEnd } from '../../runner/run.ts';
import { commandsFor } from '../command-hints.ts';
import type { RanOutput } from '../commands/run/json.ts';
import { LEASE_MS } from '../compose.ts';
import { EXIT } from '../exit.ts';
import { secretsHere, tell } from '../jobs/notices.ts';
import type { Settings } from '../settings.ts';
import type { Io } from '../terminal.ts';

type Ended = { run: RunState; end: RunEnd; exit: number };

/** What kept advice from payees; null where nothing did. */
type UnsentAdvice = string | null;

type Means = { writer: RunWriter; io: Pick<Io, 'stderr'>; log: Log; settings: Settings };

type EndEvent = Exclude<NotifyEvent, 'planned'>;

/**
 * What an end is told as: the first of these that the job wants told. Who asked for nothing but `finished` hears of a run
 * that finished otherwise too. An interrupted run is told where nobody sits at the terminal that interrupts it.
 */
function eventsOf({ end, exit }: Ended, isSeen: boolean): EndEvent[] {
  const finished: EndEvent[] = end.end === 'finished' ? ['finished'] : [];
  switch (exit) {
    case EXIT.ok:
      return finished;
    case EXIT.some_failed:
    case EXIT.unreachable:
      return ['failed', ...finished];
    case EXIT.person_needed:
      return ['doubts', ...finished];
    case EXIT.interrupted:
      return isSeen ? [] : ['failed', 'doubts'];
    default:
      return [];
  }
}

/**
 * Notes in the journal that people are about to be told how the run ended, while this process still holds it. Null where
 * nobody is to be told, or was told the same before: a `resume` that changes nothing tells nothing again.
 */
export async function noteEnd(
  ended: Ended,
  { writer, io }: Pick<Means, 'writer'> & { io: Io },
): Promise<EndEvent | null> {
  const { run, exit } = ended;
  const { settings, last } = run.notices;
  const event = eventsOf(ended, io.isInteractive).find((one) => settings?.on.includes(one));
  if (event === undefined) return null;
  const { endDigest } = await import('../../notify/end-notice.ts');
  const of = endDigest({ run, event, exit });
  if (last?.event === event && last.of === of) return null;
  return (await record(run, writer, { kind: 'notified', event, of })) ? event : null;
}

/** Tells how the run ended, once its report is there and its lease is given back. */
export async function notifyEnd(
  { run, end, exit, unsentAdvice }: Ended & { unsentAdvice: UnsentAdvice },
  event: EndEvent | null,
  { io, log, settings }: Omit<Means, 'writer'>,
): Promise<void> {
  if (event === null) return;
  const command = commandsFor(settings);
  const at = machineClock.wallMs();
  const message = end.end === 'halted' ? end.message : end.end === 'interrupted' ? interruptedText(run) : null;
  const notice = async () => {
    const { endNotice } = await import('../../notify/end-notice.ts');
    return endNotice({ run, event, exit, message, unsentAdvice }, { at, command });
  };
  await tell(run.notices.settings, notice, { io, log });
}

function interruptedText({ paused }: RunState): string {
  return paused ? 'it was paused' : 'it was interrupted';
}

/**
 * Tells the payees whose payouts are completed, where the job says so, and each of them once. A rehearsal tells none: their
 * addresses are real. What keeps the mail server from taking it is returned, and changes nothing else.
 */
export async function notifyPayees(
  run: RunState,
  stop: AbortSignal,
  { writer, io, log, settings }: Means,
): Promise<UnsentAdvice> {
  const due = dueRemittances(run).length;
  if (due === 0) return null;
  if (run.header?.rehearsal) {
    io.stderr(`${counted(due, 'payee')} would be told by e-mail: a rehearsal tells none.\n`);
    return null;
  }
  const { remit } = await import('../../notify/remittance.ts');
  let isOurs = true;
  const ours = new AbortController();
  const means = {
    clock: machineClock,
    secrets: secretsHere,
    stop: AbortSignal.any([stop, ours.signal]),
    async record(entry: Entry) {
      isOurs = isOurs && (await record(run, writer, entry));
      if (!isOurs) throw LOST;
    },
  };
  const over = new AbortController();
  const heart = beat(writer, over.signal).catch(() => ours.abort());
  try {
    if (!settings.quiet) io.stderr(`telling ${counted(due, 'payee')} by e-mail\n`);
    const why = await remit(run, means);
    const left = dueRemittances(run).length;
    log.info({ run: writer.runId, due, left, why }, 'payees told');
    return why;
  } catch (error) {
    if (error !== LOST) throw error;
    return LOST.message;
  } finally {
    over.abort();
    await heart;
  }
}

/** What a run says of the advice to its payees in `--json`, and on standard error what of it was not sent and what to do. */
export async function reportUnsentAdvice(
  run: RunState,
  unsentAdvice: UnsentAdvice,
  { io, settings }: Pick<Means, 'io' | 'settings'>,
): Promise<Pick<RanOutput, 'remittance'>> {
  if ((run.notices.settings?.remittance ?? null) === null) return {};
  const { remittanceOutcome } = await import('../../notify/remittance-trouble.ts');
  const remittance = remittanceOutcome(run, unsentAdvice, commandsFor(settings));
  for (const line of remittance?.to_do ?? []) io.stderr(`${printable(line)}\n`);
  return { remittance };
}

/** Another process holds the run now, and goes on. */
const LOST = new Error('the run was taken over');

/** Mail servers are slow: the lease is put off meanwhile. */
async function beat(writer: RunWriter, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await machineClock.sleep(LEASE_MS / 3, over);
    if (!over.aborted) await writer.renew();
  }
}

/** False where another process has taken the run. */
async function record(run: RunState, writer: RunWriter, entry: Entry): Promise<boolean> {
  try {
    applyToRun(run, entry, await writer.append([entry]));
    return true;
  } catch (error) {
    if (error instanceof Deposed) return false;
    throw error;
  }
}
