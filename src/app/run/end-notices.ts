import type { Entry } from '../../domain/entry.ts';
import type { NotifyEvent, NotifySettings } from '../../domain/notices/notify.ts';
import type { DeliveryFault } from '../../domain/outcomes/notice-outcome.ts';
import { ENDING_EXIT, type RunEnding } from '../../domain/run/ending.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { Deposed, type RunWriter } from '../../journal/journal.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { stopText } from '../../messages/stop-words.ts';
import type { Notice } from '../../notify/notice.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { dueRemittances } from '../../report/model/remittances.ts';
import type { RunEnd } from '../../runner/run.ts';
import type { RunResult } from './run-result.ts';

type Ended = { run: RunState; end: RunEnd; ending: RunEnding };

/** What kept advice from payees; null where nothing did. */
type UnsentAdvice = DeliveryFault | null;

/** What a run does beside paying, which people may want to see. */
export type RunEvent =
  /** How many payees a job wants told, of whom a rehearsal tells none. */
  | { event: 'payees_not_told'; count: number }
  | { event: 'telling_payees'; count: number }
  /** What of the advice to payees was not sent, and what to do. */
  | { event: 'advice_to_do'; lines: readonly string[] }
  /** A file of heads names an entry that this journal does not hold. */
  | { event: 'heads_against'; path: string; runId: string; n: number }
  | { event: 'heads_not_noted'; why: string }
  | { event: 'report_not_written'; why: string };

/** `isSeen`: a person sits at the terminal that may interrupt the run. */
export type NoticeDeps = {
  clock: Clock;
  log: Log;
  leaseMs: number;
  command: CommandLine;
  isSeen: boolean;
  /** The value of a reference as `env:NAME` or `file:PATH`. Throws a `Refusal`. */
  secrets(reference: string, name: string): string;
  /** Tells people. Never throws. */
  tell(settings: NotifySettings | null, notice: () => Promise<Notice>): Promise<void>;
  onEvent(event: RunEvent): void;
};

type EndEvent = Exclude<NotifyEvent, 'planned'>;

/**
 * What an end is told as: the first of these that the job wants told. Who asked for nothing but `finished` hears of a run
 * that finished otherwise too. An interrupted run is told where nobody sits at the terminal that interrupts it.
 */
function eventsOf({ end, ending }: Ended, isSeen: boolean): EndEvent[] {
  const finished: EndEvent[] = end.end === 'finished' ? ['finished'] : [];
  switch (ending) {
    case 'ok':
      return finished;
    case 'some_failed':
    case 'unreachable':
      return ['failed', ...finished];
    case 'person_needed':
      return ['doubts', ...finished];
    case 'interrupted':
      return isSeen ? [] : ['failed', 'doubts'];
  }
}

/**
 * Notes in the journal that people are about to be told how the run ended, while this process still holds it. Null where
 * nobody is to be told, or was told the same before: a `resume` that changes nothing tells nothing again.
 */
export async function noteEnd(
  ended: Ended,
  writer: RunWriter,
  { isSeen }: Pick<NoticeDeps, 'isSeen'>,
): Promise<EndEvent | null> {
  const { run, ending } = ended;
  const exit = ENDING_EXIT[ending];
  const { settings, last } = run.notices;
  const event = eventsOf(ended, isSeen).find((one) => settings?.on.includes(one));
  if (event === undefined) return null;
  const { endDigest } = await import('../../notify/run-notices.ts');
  const of = endDigest({ run, event, exit });
  if (last?.event === event && last.of === of) return null;
  return (await record(run, writer, { kind: 'notified', event, of })) ? event : null;
}

/** Tells how the run ended, once its report is there and its lease is given back. */
export async function notifyEnd(
  { run, end, ending, unsentAdvice }: Ended & { unsentAdvice: UnsentAdvice },
  event: EndEvent | null,
  { clock, command, tell }: NoticeDeps,
): Promise<void> {
  if (event === null) return;
  const at = clock.wallMs();
  const message =
    end.end === 'halted' ? stopText(end.why, 'command_line') : end.end === 'interrupted' ? interruptedText(run) : null;
  const notice = async () => {
    const { endNotice } = await import('../../notify/run-notices.ts');
    return endNotice({ run, event, exit: ENDING_EXIT[ending], message, unsentAdvice }, { at, command });
  };
  await tell(run.notices.settings, notice);
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
  writer: RunWriter,
  stop: AbortSignal,
  { clock, log, leaseMs, secrets, onEvent }: NoticeDeps,
): Promise<UnsentAdvice> {
  const due = dueRemittances(run).length;
  if (due === 0) return null;
  if (run.header?.rehearsal) {
    onEvent({ event: 'payees_not_told', count: due });
    return null;
  }
  const { remit } = await import('../../notify/remittance.ts');
  let isOurs = true;
  const ours = new AbortController();
  const means = {
    clock,
    secrets,
    stop: AbortSignal.any([stop, ours.signal]),
    async record(entry: Entry) {
      isOurs = isOurs && (await record(run, writer, entry));
      if (!isOurs) throw LOST;
    },
  };
  const over = new AbortController();
  const heart = beat(writer, { clock, leaseMs }, over.signal).catch(() => ours.abort());
  try {
    onEvent({ event: 'telling_payees', count: due });
    const why = await remit(run, means);
    const left = dueRemittances(run).length;
    log.info({ run: writer.runId, due, left, why }, 'payees told');
    return why;
  } catch (error) {
    if (error !== LOST) throw error;
    return { fault: 'run_taken_over' };
  } finally {
    over.abort();
    await heart;
  }
}

/** What the result of a run says of the advice to its payees. */
export async function adviceResult(
  run: RunState,
  unsentAdvice: UnsentAdvice,
  { command, onEvent }: NoticeDeps,
): Promise<Pick<RunResult, 'remittance'>> {
  if ((run.notices.settings?.remittance ?? null) === null) return {};
  const { remittanceOutcome } = await import('../../notify/remittance-trouble.ts');
  const remittance = remittanceOutcome(run, unsentAdvice, command);
  if (remittance !== null && remittance.to_do.length > 0) onEvent({ event: 'advice_to_do', lines: remittance.to_do });
  return { remittance };
}

/** Another process holds the run now, and goes on. */
const LOST = new Error('the run was taken over');

/** Mail servers are slow: the lease is put off meanwhile. */
async function beat(
  writer: RunWriter,
  { clock, leaseMs }: Pick<NoticeDeps, 'clock' | 'leaseMs'>,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(leaseMs / 3, over);
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
