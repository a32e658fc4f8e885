import process from 'node:process';
import { secretOf } from '../../compose/secret-reference.ts';
import type { Log } from '../../domain/log.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import { printable } from '../../messages/text.ts';
import type { Notice } from '../../notify/notice.ts';
import { machineClock } from '../../platform/machine.ts';
import { stopOnInterrupt } from '../interrupt.ts';
import type { Io } from '../terminal.ts';

/** Where `env:` and `file:` of notices are read: when they are needed, so that a wrong one keeps no run from being paid. */
export const secretsHere = (reference: string, name: string): string => secretOf(reference, name, process.env);

/**
 * Tells people what a job wants told. What does not work is said on standard error and in the log, and changes nothing:
 * this never throws, takes half a minute at most, and Ctrl-C ends it, or `stop` where it is given.
 */
export async function tell(
  settings: NotifySettings | null,
  notice: () => Notice | Promise<Notice>,
  { io, log, stop }: { io: Pick<Io, 'stderr'>; log: Log; stop?: AbortSignal },
): Promise<void> {
  if (settings === null || (settings.email === null && settings.webhook === null)) return;
  const interrupt =
    stop === undefined
      ? stopOnInterrupt(() => io.stderr('Stopping: nobody else is told of it.\n'))
      : { signal: stop, release: () => {} };
  try {
    const told = await notice();
    if (!settings.on.includes(told.event)) return;
    const { deliver } = await import('../../notify/deliver.ts');
    const means = { clock: machineClock, secrets: secretsHere, stop: interrupt.signal };
    const undelivered = await deliver(told, settings, means);
    const { id, event } = told;
    log.info({ id, event, undelivered: undelivered.length }, 'told');
    for (const { what, why } of undelivered) {
      log.warn({ id, what, why }, 'not told');
      io.stderr(`Not told: ${printable(`${what}: ${why.replace(/[.\s]+$/, '')}`)}. This changes nothing else.\n`);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log.error({ error: why }, 'not told');
    io.stderr(`Nobody was told of it: ${printable(why)}. This changes nothing else.\n`);
  } finally {
    interrupt.release();
  }
}
