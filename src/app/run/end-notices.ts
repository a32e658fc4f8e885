import type { Entry } from '../../domain/entry.ts';
import type { DeliveryFault } from '../../domain/outcomes/notice-outcome.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { Deposed, type RunWriter } from '../../journal/journal.ts';
import { dueRemittances } from '../../report/model/remittances.ts';
import type { EndedRun } from '../news.ts';
import type { RunDeps, Watching } from './run-deps.ts';

/**
 * The event that an end is notified as: the first of these that the job wants. Who asked for nothing but `finished` hears of
 * a run that finished otherwise too. An interrupted run is notified where nobody sits at the terminal that interrupts it.
 */
function eventsOf({ end, ending }: Pick<EndedRun, 'end' | 'ending'>, isSeen: boolean): EndedRun['event'][] {
  const finished: EndedRun['event'][] = end.end === 'finished' ? ['finished'] : [];
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
 * Notes in the journal that people are about to be notified how the run ended, while this process still holds it. Null where
 * nobody is to be notified, or was notified of the same before: a `resume` that changes nothing notifies nobody again.
 */
export async function noteEnd(
  ended: Omit<EndedRun, 'event'>,
  writer: RunWriter,
  { isSeen }: Pick<RunDeps, 'isSeen'>,
): Promise<EndedRun['event'] | null> {
  const due = await dueNotice(ended, { isSeen });
  return due !== null && (await record(ended.run, writer, { kind: 'notified', ...due })) ? due.event : null;
}

/** What people are to be notified of, and were not; null where that is nothing. */
async function dueNotice(
  { run, end, ending }: Pick<EndedRun, 'run' | 'end' | 'ending'>,
  { isSeen }: Pick<RunDeps, 'isSeen'>,
): Promise<{ event: EndedRun['event']; of: string } | null> {
  const { settings, last } = run.notices;
  const event = eventsOf({ end, ending }, isSeen).find((one) => settings?.on.includes(one));
  if (event === undefined) return null;
  const { endDigest } = await import('../../notify/run-notices.ts');
  const of = endDigest({ run, event, exit: ENDING_EXIT[ending] });
  return last?.event === event && last.of === of ? null : { event, of };
}

/** Whether people or payees are still to be notified of a run that ended. */
export async function isNotifyingDue(
  ended: Pick<EndedRun, 'run' | 'end' | 'ending'>,
  { isSeen }: Pick<RunDeps, 'isSeen'>,
): Promise<boolean> {
  const { header } = ended.run;
  if (header?.rehearsal !== true && dueRemittances(ended.run).length > 0) return true;
  return (await dueNotice(ended, { isSeen })) !== null;
}

/**
 * Notifies the payees whose payouts are completed, where the job says so, and each of them once. A rehearsal notifies none:
 * their addresses are real. What keeps the mail server from taking it is returned, and changes nothing else.
 */
export async function notifyPayees(
  { clock, log, leaseMs, secrets }: RunDeps,
  { stop, onEvent }: Watching,
  run: RunState,
  writer: RunWriter,
): Promise<DeliveryFault | null> {
  const due = dueRemittances(run).length;
  if (due === 0) return null;
  if (run.header?.rehearsal) {
    onEvent({ event: 'payees_not_notified', count: due });
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
    onEvent({ event: 'notifying_payees', count: due });
    const why = await remit(run, means);
    const left = dueRemittances(run).length;
    log.info({ run: writer.runId, due, left, why }, 'payees notified');
    return why;
  } catch (error) {
    if (error !== LOST) throw error;
    return { fault: 'run_taken_over' };
  } finally {
    over.abort();
    await heart;
  }
}

/** Another process holds the run now, and goes on. */
const LOST = new Error('the run was taken over');

/** Mail servers are slow: the lease is put off meanwhile. */
async function beat(
  writer: RunWriter,
  { clock, leaseMs }: Pick<RunDeps, 'clock' | 'leaseMs'>,
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
