import type { Clock } from '../domain/clock.ts';
import type { NotifySettings } from '../domain/notices/notify.ts';
import { MailLine } from './mail-line.ts';
import type { Notice } from './notice.ts';
import { postWebhook } from './post-webhook.ts';
import { readSmtpAddress, readWebhookSecret, type Secrets } from './references.ts';
import { whyNot } from './words.ts';

/** In all, for all ways of telling. */
export const DELIVER_MS = 30_000;

export type DeliverMeans = {
  clock: Clock;
  secrets: Secrets;
  /** Aborted by Ctrl-C. */
  stop: AbortSignal;
};

/** A way of telling that did not work: `the e-mail to finance@example.org`, and why. */
export type Undelivered = { what: string; why: string };

/**
 * Tells a notice in every way that the job names, side by side, and says which did not work. Ends after `DELIVER_MS`, or at
 * once where it is stopped. Never rejects.
 */
export async function deliver(notice: Notice, settings: NotifySettings, means: DeliverMeans): Promise<Undelivered[]> {
  const { clock, secrets } = means;
  const over = new AbortController();
  const stop = AbortSignal.any([means.stop, over.signal]);
  const open: Undelivered[] = [];
  const ways: Promise<void>[] = [];
  const add = (what: string, work: () => Promise<string | null>): void => {
    const undelivered = { what, why: 'there was no time for it' };
    open.push(undelivered);
    const settled = work().then(
      (why) => why,
      (error: unknown) => whyNot(error),
    );
    ways.push(
      settled.then((why) => {
        if (stop.aborted) return;
        if (why === null) open.splice(open.indexOf(undelivered), 1);
        else undelivered.why = why;
      }),
    );
  };
  const { email, webhook } = settings;
  if (email !== null) add(`the e-mail to ${email.to.join(', ')}`, () => mailNotice(email, notice, secrets, stop));
  if (webhook !== null) {
    const { origin } = new URL(webhook.url);
    const post = async () =>
      postWebhook({ url: webhook.url, secret: readWebhookSecret(webhook.secret, secrets), notice, clock, stop });
    add(`the webhook to ${origin}`, post);
  }
  const finished = Promise.all(ways).then(() => over.abort());
  await Promise.race([finished, clock.sleep(DELIVER_MS, stop)]);
  over.abort();
  return open;
}

async function mailNotice(
  email: NonNullable<NotifySettings['email']>,
  { id, subject, text }: Notice,
  secrets: Secrets,
  stop: AbortSignal,
): Promise<string | null> {
  const line = await MailLine.open(readSmtpAddress(email.smtp, secrets), stop);
  try {
    const domain = email.from.address.slice(email.from.address.lastIndexOf('@') + 1);
    const handed = await line.send({ ...email, subject, text, messageId: `${id}@${domain}` });
    if (handed.outcome !== 'taken') return handed.reason;
    return handed.notTo.length === 0 ? null : `the mail server refused ${handed.notTo.join(', ')}`;
  } finally {
    line.close();
  }
}
