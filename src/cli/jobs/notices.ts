import { hasReaders, notify as notifyUntil } from '../../compose/notices.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import type { Notice } from '../../notify/notice.ts';
import type { Log } from '../../platform/log.ts';
import { stopOnInterrupt } from '../interrupt.ts';
import type { Io } from '../terminal.ts';

/** Notifies people of what a job wants them notified of, until Ctrl-C or `stop`. Never throws. */
export async function notify(
  settings: NotifySettings | null,
  notice: () => Notice | Promise<Notice>,
  { io, log, stop }: { io: Pick<Io, 'stderr'>; log: Log; stop?: AbortSignal },
): Promise<void> {
  if (!hasReaders(settings)) return;
  if (stop !== undefined) return notifyUntil(settings, notice, { io, log, stop });
  const interrupt = stopOnInterrupt(() => io.stderr('Stopping: nobody else is notified.\n'));
  await notifyUntil(settings, notice, { io, log, stop: interrupt.signal }).finally(() => interrupt.release());
}
