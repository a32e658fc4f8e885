import process from 'node:process';
import { secretOf } from '../../compose/secret-reference.ts';
import type { Log } from '../../domain/log.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import { printable, withoutStop } from '../../messages/text.ts';
import type { Notice } from '../../notify/notice.ts';
import { machineClock } from '../../platform/machine.ts';
import { stopOnInterrupt } from '../interrupt.ts';
import type { Io } from '../terminal.ts';

/** Reads `env:` and `file:` of notices when they are needed, so that a wrong one keeps no run from being paid. */
export const secretsHere = (reference: string, name: string): string => secretOf(reference, name, process.env);

/**
 * Notifies the people that a job names. A notice that fails is reported on standard error and in the log, and changes
 * nothing: this never throws, takes half a minute at most, and Ctrl-C ends it, or `stop` where it is given.
 */
export async function notify(
  settings: NotifySettings | null,
  makeNotice: () => Notice | Promise<Notice>,
  { io, log, stop }: { io: Pick<Io, 'stderr'>; log: Log; stop?: AbortSignal },
): Promise<void> {
  if (settings === null || (settings.email === null && settings.webhook === null)) return;
  const interrupt =
    stop === undefined
      ? stopOnInterrupt(() => io.stderr('Stopping: nobody else is notified.\n'))
      : { signal: stop, release: () => {} };
  try {
    const notice = await makeNotice();
    const { id, event } = notice;
    if (!settings.on.includes(event)) return;
    const { deliver } = await import('../../notify/deliver.ts');
    const deps = { clock: machineClock, secrets: secretsHere, stop: interrupt.signal };
    const undelivered = await deliver(notice, settings, deps);
    log.info({ id, event, undelivered: undelivered.length }, 'notified');
    for (const { what, why } of undelivered) {
      log.warn({ id, what, why }, 'not notified');
      io.stderr(`Not notified: ${printable(`${what}: ${withoutStop(why)}`)}. This changes nothing else.\n`);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log.error({ error: why }, 'not notified');
    io.stderr(`Nobody was notified: ${printable(why)}. This changes nothing else.\n`);
  } finally {
    interrupt.release();
  }
}
