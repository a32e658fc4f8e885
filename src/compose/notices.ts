import process from 'node:process';
import type { NotifySettings } from '../domain/notices/notify.ts';
import { faultText, wayText } from '../messages/notice-words.ts';
import { printable, withoutStop } from '../messages/text.ts';
import type { Notice } from '../notify/notice.ts';
import type { Log } from '../platform/log.ts';
import { machineClock } from '../platform/machine.ts';
import { secretOf } from './secret-reference.ts';
import type { ErrorOutput } from './webhooks.ts';

/** Where `env:` and `file:` of notices are read: when they are needed, so that a wrong one keeps no run from being paid. */
export const secretsHere = (reference: string, name: string): string => secretOf(reference, name, process.env);

/**
 * Notifies people of what a job wants them notified of. Failed notifications are logged, written to standard error, and change
 * nothing else: this never throws, takes half a minute at most, and ends when `stop` is aborted.
 */
export async function notify(
  settings: NotifySettings | null,
  notice: () => Notice | Promise<Notice>,
  { io, log, stop }: { io: ErrorOutput; log: Log; stop: AbortSignal },
): Promise<void> {
  if (!hasReaders(settings)) return;
  try {
    const told = await notice();
    if (!settings.on.includes(told.event)) return;
    const { deliver } = await import('../notify/deliver.ts');
    const undelivered = await deliver(told, settings, { clock: machineClock, secrets: secretsHere, stop });
    const { id, event } = told;
    log.info({ id, event, undelivered: undelivered.length }, 'notified');
    for (const { to, why } of undelivered) {
      const what = wayText(to);
      const fault = faultText(why);
      log.warn({ id, what, why: fault }, 'not notified');
      io.stderr(`Not notified: ${printable(`${what}: ${withoutStop(fault)}`)}. This changes nothing else.\n`);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log.error({ error: why }, 'not notified');
    io.stderr(`Nobody was notified: ${printable(why)}. This changes nothing else.\n`);
  }
}

/** Whether a job names anybody to be notified. */
export function hasReaders(settings: NotifySettings | null): settings is NotifySettings {
  return settings !== null && (settings.email !== null || settings.webhook !== null);
}
