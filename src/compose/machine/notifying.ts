import type { Notify } from '../../app/news.ts';
import type { Maker } from '../../app/plan/preparer.ts';
import type { Watching } from '../../app/run/run-deps.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import { messages } from '../../messages/messages.ts';
import type { Notice } from '../../notify/notice.ts';
import type { Log } from '../../platform/log.ts';
import { commandsFor } from '../command-hints.ts';
import { hasReaders, noticeOf, notify } from '../notices.ts';
import { personHere } from '../person.ts';
import type { Settings } from '../settings.ts';
import { unlockKey } from '../unlock-key.ts';
import type { ErrorOutput } from '../webhooks.ts';
import { untilInterrupt } from './interrupt.ts';

type Notifying = { io: ErrorOutput; log: Log; stop?: AbortSignal | undefined };

/** Of a process that nobody watches, and of a program, which reads results. */
export const NO_OUTPUT: ErrorOutput = { stderr: () => {} };

/** A run that nobody watches: the journal and the log have what becomes of it. */
export function unseen(stop: AbortSignal): Watching {
  const nothing = () => {};
  const events = { onProgress: nothing, onPausing: nothing, onEvent: nothing, onEnded: nothing };
  return { stop, ...events, note: nothing, end: nothing };
}

/** Who makes a plan on this machine: its account, and the key of the file that is named. */
export function makerHere(keyFile: string | undefined, passphrase: () => string | Promise<string>): Maker {
  const unlock = () => unlockKey(keyFile ?? '', 'make_plan', passphrase);
  return { account: personHere(), unlock: keyFile === undefined ? null : unlock };
}

/** Notifies people of what a job wants them notified of, until `stop` is aborted, or Ctrl-C. Never throws. */
export async function sendNotice(
  settings: NotifySettings | null,
  notice: () => Notice | Promise<Notice>,
  { io, log, stop }: Notifying,
): Promise<void> {
  if (!hasReaders(settings)) return;
  if (stop !== undefined) return notify(settings, notice, { io, log, stop });
  const note = () => io.stderr(`${messages.process.NOBODY_ELSE}\n`);
  await untilInterrupt(note, (interrupted) => notify(settings, notice, { io, log, stop: interrupted }));
}

/** The same of news of a run or a plan, with the commands of this data directory. */
export function notifyHere({ settings, ...notifying }: Notifying & { settings: Settings }): Notify {
  const command = commandsFor(settings);
  return (readers, news) => sendNotice(readers, async () => noticeOf(await news(), command), notifying);
}
