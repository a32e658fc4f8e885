import type { NotifySettings } from '../domain/notices/notify.ts';
import type { Clock } from '../platform/clock.ts';
import { MailLine } from './mail-line.ts';
import type { Notice, Secrets } from './notice.ts';
import { postWebhook, readWebhookSecret } from './post-webhook.ts';
import { readSmtpAddress } from './smtp-address.ts';
import { whyNot } from './words.ts';

/** For all ways of delivery together. */
export const DELIVER_MS = 30_000;

export type DeliverDeps = {
  clock: Clock;
  secrets: Secrets;
  /** Aborted by Ctrl-C. */
  stop: AbortSignal;
};

/** A delivery that failed: `the e-mail to finance@example.org`, and why. */
export type Undelivered = { what: string; why: string };

const NO_TIME = 'there was no time for it';

/** A delivery. Its work returns why it failed, or null. */
type Way = { what: string; work(stop: AbortSignal): Promise<string | null> };

/**
 * Delivers a notice in every way that the job names, side by side, and returns which failed. Ends after `DELIVER_MS`, or at
 * once where it is stopped. Never rejects.
 */
export async function deliver(notice: Notice, settings: NotifySettings, deps: DeliverDeps): Promise<Undelivered[]> {
  const over = new AbortController();
  const stop = AbortSignal.any([deps.stop, over.signal]);
  const timeout = deps.clock.sleep(DELIVER_MS, stop).then(() => NO_TIME);
  const delivered = waysOf(notice, settings, deps).map(async ({ what, work }) => {
    const settled = work(stop)
      .catch(whyNot)
      .then((why) => (stop.aborted ? NO_TIME : why));
    return { what, why: await Promise.race([settled, timeout]) };
  });
  const outcomes = await Promise.all(delivered);
  over.abort();
  return outcomes.filter((outcome): outcome is Undelivered => outcome.why !== null);
}

function waysOf(notice: Notice, { email, webhook }: NotifySettings, { clock, secrets }: DeliverDeps): Way[] {
  const ways: Way[] = [];
  if (email !== null) {
    const work: Way['work'] = (stop) => mailNotice(email, notice, secrets, stop);
    ways.push({ what: `the e-mail to ${email.to.join(', ')}`, work });
  }
  if (webhook !== null) {
    const { url, secret } = webhook;
    const work: Way['work'] = async (stop) =>
      postWebhook({ url, secret: readWebhookSecret(secret, secrets), notice, clock, stop });
    ways.push({ what: `the webhook to ${new URL(url).origin}`, work });
  }
  return ways;
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
