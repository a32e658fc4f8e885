import process from 'node:process';
import type { EndedRun, News } from '../app/news.ts';
import type { Mailbox, NotifySettings } from '../domain/notices/notify.ts';
import { ENDING_EXIT } from '../domain/run/ending.ts';
import type { CommandLine } from '../messages/command-line.ts';
import { messages } from '../messages/messages.ts';
import type { Notice } from '../notify/notice.ts';
import type { Log } from '../platform/log.ts';
import { machineClock } from '../platform/machine.ts';
import type { Dependencies } from '../web/parts.ts';
import { secretOf } from './profile.ts';
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
    const made = await notice();
    if (!settings.on.includes(made.event)) return;
    const { deliver } = await import('../notify/deliver.ts');
    const undelivered = await deliver(made, settings, { clock: machineClock, secrets: secretsHere, stop });
    const { id, event } = made;
    log.info({ id, event, undelivered: undelivered.length }, 'notified');
    for (const { to, why } of undelivered) {
      log.warn({ id, what: messages.notices.wayText(to), why: messages.notices.faultText(why) }, 'not notified');
      io.stderr(`${messages.process.notDeliveredText(to, why)}\n`);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log.error({ error: why }, 'not notified');
    io.stderr(`${messages.process.nobodyNotifiedText(why)}\n`);
  }
}

/** Whether a job names anybody to be notified. */
export function hasReaders(settings: NotifySettings | null): settings is NotifySettings {
  return settings !== null && (settings.email !== null || settings.webhook !== null);
}

/** Hands the page's letters to a mail server, whose address stands where `smtp` points. */
export function mailFrom(email: { from: Mailbox; smtp: string }): NonNullable<Dependencies['mail']> {
  return async ({ to, letter, id, rehearsal }, stop) => {
    const { mailNotice } = await import('../notify/deliver.ts');
    const { faultOf } = await import('../notify/notice.ts');
    const { oneLine } = await import('../notify/redact.ts');
    const { subject, text } = messages.notices.pageLetterText(letter, rehearsal);
    const mail = { id, subject: oneLine(subject), text };
    return mailNotice({ ...email, to: [to] }, mail, secretsHere, stop).catch(faultOf);
  };
}

/** News in words, with the commands of this command line. */
export async function noticeOf(news: News, command: CommandLine): Promise<Notice> {
  const at = machineClock.wallMs();
  if (news.news === 'plan_waits') return (await import('../notify/run-notices.ts')).planNotice(news, { at, command });
  const { run, event, ending, unsentAdvice } = news;
  const message = whyStopped(news);
  const { endNotice } = await import('../notify/run-notices.ts');
  return endNotice({ run, event, exit: ENDING_EXIT[ending], message, unsentAdvice }, { at, command });
}

/** Why a run stopped; null where it finished. */
function whyStopped({ run, end }: EndedRun): string | null {
  if (end.end === 'halted') return messages.stops.stopText(end.why, 'command_line');
  return end.end === 'interrupted' ? messages.process.endedText(run.paused) : null;
}
