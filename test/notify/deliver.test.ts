import { describe, expect, test } from 'vitest';
import { NOTIFY_EVENTS, type NotifySettings } from '../../src/domain/notices/notify.ts';
import { faultText } from '../../src/messages/notice-words.ts';
import { DELIVER_MS, deliver } from '../../src/notify/deliver.ts';
import type { Notice } from '../../src/notify/notice.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { machineClock } from '../../src/platform/machine.ts';
import { mailServer } from '../support/mail-server.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';

const NOTICE: Notice = {
  event: 'finished',
  id: 'R1-finished-1',
  at: 1_700_000_000_000.5,
  subject: 'Grüße',
  text: 'a\n.b\n',
  data: { a: 1 },
};

/** No pause lasts, but for the one that ends everything. */
const HASTY: Clock = {
  ...machineClock,
  sleep: (ms, signal) => machineClock.sleep(ms === DELIVER_MS ? 60_000 : 0, signal),
};

function settingsOf(given: { smtp?: string; url?: string; secret?: string }): {
  settings: NotifySettings;
  secrets: (reference: string) => string;
} {
  const email = {
    to: ['a@example.org', 'b@example.org'],
    from: { name: 'Päy', address: 'pay@example.org' },
    smtp: 'env:smtp',
  };
  const settings: NotifySettings = {
    on: [...NOTIFY_EVENTS],
    email: given.smtp === undefined ? null : email,
    webhook: given.url === undefined ? null : { url: given.url, secret: 'env:secret' },
    remittance: null,
  };
  const values: Record<string, string> = { 'env:smtp': given.smtp ?? '', 'env:secret': given.secret ?? '' };
  return { settings, secrets: (reference) => values[reference] ?? '' };
}

const never = new AbortController().signal;

function delivered(given: Parameters<typeof settingsOf>[0], clock: Clock = HASTY, stop: AbortSignal = never) {
  const { settings, secrets } = settingsOf(given);
  return deliver(NOTICE, settings, { clock, secrets, stop });
}

describe('a notice', () => {
  test('goes to everybody, in one message and one signed webhook', async () => {
    const mail = await mailServer();
    const { url, secret, webhooks } = await webhookReceiver();
    expect(await delivered({ smtp: mail.url, url, secret })).toEqual([]);
    expect(mail.mails).toMatchObject([{ to: ['a@example.org', 'b@example.org'], subject: 'Grüße', text: 'a\n.b' }]);
    expect(mail.mails[0]?.headers).toContainEqual({ name: 'Auto-Submitted', value: 'auto-generated' });
    expect(mail.mails[0]?.headers).toContainEqual({ name: 'Message-ID', value: '<R1-finished-1@example.org>' });
    expect(webhooks).toMatchObject([
      { id: 'R1-finished-1', event: { type: 'run.finished', timestamp: '2023-11-14T22:13:20.000Z', data: { a: 1 } } },
    ]);
  });

  test('is not given up at the first 503, and has the same id each time', async () => {
    const { url, secret, webhooks } = await webhookReceiver([{ status: 503 }, { status: 429 }]);
    expect(await delivered({ url, secret })).toEqual([]);
    expect(webhooks.map(({ id }) => id)).toEqual(['R1-finished-1']);
  });

  test.each([
    ['a redirect, which is not followed', 307, 1],
    ['a refusal', 400, 1],
    ['a server that stays broken', 500, 3],
  ])('fails at %s', async (_, status, requests) => {
    const other = await webhookReceiver();
    const answer = { status, location: other.url };
    const receiver = await webhookReceiver([answer, answer, answer, answer]);
    const undelivered = await delivered({ url: receiver.url, secret: receiver.secret });
    const to = { way: 'webhook', origin: new URL(receiver.url).origin };
    expect(undelivered).toEqual([{ to, why: { fault: 'answered', status } }]);
    expect([receiver.requests, other.requests]).toEqual([requests, 0]);
  });

  test.each([
    ['refuses the login', { login: { user: 'a', password: 'b' } }, 'smtp://a:wrong@', /Invalid login: 535 who are you/],
    [
      'refuses one of two',
      { answers: (command: string) => (command.includes('<b@') ? '550 no' : null) },
      'smtp://',
      /^the mail server refused b@example\.org$/,
    ],
    ['refuses the message', { answers: (command: string) => (command === '.' ? '554 no' : null) }, 'smtp://', /554 no/],
  ])('says so where the mail server %s', async (_, behaviour, begin, why) => {
    const mail = await mailServer(behaviour);
    const [undelivered] = await delivered({ smtp: begin + mail.url.replace(/^smtp:\/\/(?:.*@)?/, '') });
    expect(undelivered && faultText(undelivered.why)).toMatch(why);
  });

  test('waits no longer than it may for servers that say nothing', async () => {
    const mail = await mailServer({ isSilent: true });
    const slept: number[] = [];
    const clock: Clock = {
      ...machineClock,
      async sleep(ms, signal) {
        slept.push(ms);
        await machineClock.sleep(50, signal);
      },
    };
    expect(await delivered({ smtp: mail.url }, clock)).toEqual([
      { to: { way: 'email', to: ['a@example.org', 'b@example.org'] }, why: { fault: 'no_time' } },
    ]);
    expect(slept).toEqual([DELIVER_MS]);
  });

  test('is ended by Ctrl-C', async () => {
    const stop = new AbortController();
    const mail = await mailServer({ answers: (command) => (command.startsWith('MAIL') ? '' : null) });
    const ended = delivered({ smtp: mail.url }, machineClock, stop.signal);
    await mail.heard(/^MAIL/);
    stop.abort();
    expect(await ended).toHaveLength(1);
  });

  test('does not repeat a secret that it cannot use', async () => {
    const undelivered = await delivered({
      ...{ smtp: 'pop://me:hidden@x', url: 'https://hooks.example/', secret: 'whsec_hidden' },
    });
    const texts = undelivered.map(({ why }) => faultText(why)).join(' ');
    expect(texts).toContain('env:smtp holds no address of a mail server');
    expect(texts).toContain('env:secret holds no secret');
    expect(texts + JSON.stringify(undelivered)).not.toContain('hidden');
  });

  test('is not sent in plain text to a server elsewhere that offers no TLS', async () => {
    const mail = await mailServer();
    // A name of this machine that is not known to be loopback.
    const [undelivered] = await delivered({ smtp: mail.url.replace('127.0.0.1', '0.0.0.0') });
    expect(undelivered && faultText(undelivered.why)).toMatch(/TLS/);
    expect(mail.commands.some((command) => command.startsWith('MAIL'))).toBe(false);
  });
});
