import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { type MailServer, mailServer } from '../support/mail-server.ts';
import { newKey } from '../support/new-key.ts';
import { PROJECT, payrun, temporaryFolder } from '../support/payrun.ts';
import { smallService } from '../support/small-service.ts';
import { type WebhookReceiver, webhookReceiver } from '../support/webhook-receiver.ts';

const FROM = 'Example Pty Ltd <payrun@example.org>';

/** A folder with a job that tells finance by e-mail and by webhook, and how it is run. */
async function office(more: string, input: string, smtp = '') {
  const folder = temporaryFolder();
  const mail = await mailServer();
  const hook = await webhookReceiver();
  writeFileSync(join(folder, 'whsec'), hook.secret, { mode: 0o600 });
  const told = [
    'notify:',
    `  email: {to: [finance@example.org, cfo@example.org], from: "${FROM}", smtp: "env:MAIL"}`,
    `  webhook: {url: "${hook.url}", secret: "file:whsec"}`,
  ];
  const job = join(folder, 'salaries.yaml');
  writeFileSync(job, [`input: ${input}`, 'rate: 0', ...told, more].join('\n'));
  const env = { MAIL: smtp || mail.url };
  const where = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports')];
  const run = (...words: string[]) => payrun([...words, ...where], { env });
  return { folder, job, mail, hook, run };
}

const SAMPLE = join(PROJECT, 'samples/payroll.csv');

const TWO_ROWS = `name,amount,currency,rail,account_number,national_clearing_code
Ada,1.00,AUD,AUD_NPP,12345678,062-000
Ben,2.00,AUD,AUD_NPP,87654321,062-000
`;

/** Every cell of the sample that names an account or a bank. */
function bankDetails(path: string): string[] {
  const rows: Record<string, string>[] = parse(readFileSync(path), { columns: true, bom: true });
  return rows
    .flatMap((row) => [row.account_number, row.wallet_address, row.national_clearing_code, row.bic])
    .filter((cell): cell is string => Boolean(cell));
}

/** All that anybody was told. */
function everything({ mails }: MailServer, { webhooks }: WebhookReceiver): string {
  const said = mails.map(({ raw, subject, text }) => [raw, subject, text].join('\n'));
  return [...said, ...webhooks.map(({ body }) => body)].join('\n');
}

test('tells finance how a run finished, once, without a single account number', async () => {
  const { job, mail, hook, run } = await office('', SAMPLE);
  const done = await run('run', job, '--yes', '--json');
  expect([done.exit, done.stderr]).toEqual([0, expect.not.stringContaining('ot told')]);
  const { run_id, totals } = JSON.parse(done.stdout);
  expect(mail.mails).toHaveLength(1);
  const [letter] = mail.mails;
  expect(letter).toMatchObject({ from: 'payrun@example.org', to: ['finance@example.org', 'cfo@example.org'] });
  expect(letter?.subject).toBe('REHEARSAL: payrun: salaries finished: 45 completed');
  expect(letter?.text).toMatch(/^REHEARSAL: no money moves\.\n/);
  expect(letter?.text).toContain(`Run ${run_id} of salaries finished: 45 completed.`);
  expect(letter?.text).toContain('\n  EUR                 31,436.14     31,436.14\n');
  expect(letter?.text).toContain(`payrun show ${run_id}`);
  expect(hook.webhooks.map(({ event }) => event)).toMatchObject([
    {
      type: 'run.finished',
      data: { run_id, job: 'salaries', rehearsal: true, counts: { completed: 45 }, totals, exit: 0 },
    },
  ]);
  const details = bankDetails(SAMPLE);
  expect(details.length).toBeGreaterThan(70);
  for (const detail of details) expect(everything(mail, hook)).not.toContain(detail);

  expect((await run('resume', run_id)).exit).toBe(0);
  expect([mail.mails.length, hook.webhooks.length]).toEqual([1, 1]);

  const again = await run('run', job, '--yes');
  expect(again.exit).toBe(6);
  expect(mail.mails[1]?.subject).toBe('REHEARSAL: payrun: salaries did not start: nothing was sent');
  expect(mail.mails[1]?.text).toContain(`This file was run before, as ${run_id}, a rehearsal.`);
  expect(hook.webhooks[1]?.event).toMatchObject({
    type: 'run.failed',
    data: { state: 'refused', exit: 6, run_id: null, refers_to: run_id },
  });
});

test('tells of payouts that failed by the numbers of their rows, and of an input with problems', async () => {
  const failing = join(PROJECT, 'samples/payroll-with-failures.csv');
  const { job, mail, hook, run } = await office('', failing);
  const done = await run('run', job, '--yes', '--json');
  expect(done.exit).toBe(4);
  const { run_id } = JSON.parse(done.stdout);
  expect(hook.webhooks[0]?.event).toMatchObject({ type: 'run.failed', data: { rows_not_paid: [5, 10], exit: 4 } });
  expect(mail.mails[0]?.subject).toMatch(/^REHEARSAL: payrun: salaries finished: \d+ completed, 2 failed$/);
  expect(mail.mails[0]?.text).toContain('Not paid: rows 5, 10.\n');
  expect(mail.mails[0]?.text).toContain(`payrun retry ${run_id}`);

  const mistakes = join(PROJECT, 'samples/payroll-with-mistakes.csv');
  writeFileSync(job, readFileSync(job, 'utf8').replace(failing, mistakes));
  expect((await run('run', job, '--yes')).exit).toBe(3);
  expect(mail.mails[1]?.text).toContain('Job salaries did not start: nothing was sent (exit 3).');
  expect(hook.webhooks[1]?.event).toMatchObject({ type: 'run.failed', data: { state: 'refused', exit: 3 } });
  writeFileSync(job, `${readFileSync(job, 'utf8').replace(mistakes, SAMPLE)}limits: {per_payout: {AUD: 10}}\n`);
  const limited = await run('run', job, '--yes');
  expect([limited.exit, limited.stderr]).toEqual([6, expect.stringContaining('Row 2 (Olivia Nguy')]);
  expect(mail.mails[2]?.text).toContain('The job does not allow what this run pays in rows 2, 3,');
  expect(everything(mail, hook)).not.toMatch(/Olivia|E1001|6,240\.15/);
  for (const detail of [...bankDetails(failing), ...bankDetails(mistakes)].filter(({ length }) => length > 5))
    expect(everything(mail, hook)).not.toContain(detail);
});

test('tells who approves a plan, with the literal command, and nothing where only other events are wanted', async () => {
  const approvers = '[{name: Anna, public_key: 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo}]';
  const { folder, job, mail, hook, run } = await office(`approval: {approvers: ${approvers}}`, 'pay.csv');
  writeFileSync(join(folder, 'pay.csv'), TWO_ROWS);
  const planned = await run('run', job, '--yes', '--json');
  expect(planned.exit).toBe(6);
  const { run_id, digest, next } = JSON.parse(planned.stdout);
  expect(mail.mails.map(({ subject }) => subject)).toEqual([
    'REHEARSAL: payrun: salaries waits for approval: 2 payouts',
  ]);
  const text = mail.mails[0]?.text ?? '';
  for (const said of [`To be approved by Anna; not by`, `Digest: ${digest}\n`, `Approve it: ${next}\n`])
    expect(text).toContain(said);
  expect(hook.webhooks.map(({ event }) => event)).toMatchObject([
    { type: 'run.planned', data: { run_id, digest, approve: next, payouts: 2, approvals_needed: 1 } },
  ]);
  for (const detail of ['12345678', '87654321', '062-000']) expect(everything(mail, hook)).not.toContain(detail);

  writeFileSync(job, readFileSync(job, 'utf8').replace('notify:', 'notify:\n  on: [doubts]'));
  expect((await run('plan', job)).exit).toBe(0);
  expect([mail.mails.length, hook.webhooks.length]).toEqual([1, 1]);
});

test('tells who approves first how many bank details changed, and in which rows', async () => {
  const approvers = '[{name: Anna, public_key: 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo}]';
  const { folder, job, mail, hook, run } = await office(`approval: {approvers: ${approvers}}`, 'pay.csv');
  writeFileSync(join(folder, 'before.csv'), TWO_ROWS);
  expect((await run('run', join(folder, 'before.csv'), '--yes')).exit).toBe(0);
  writeFileSync(join(folder, 'pay.csv'), TWO_ROWS.replace('87654321', '55554444').replaceAll('.00', '.50'));
  expect((await run('run', job, '--yes')).exit).toBe(6);
  const [letter] = mail.mails;
  expect(letter?.subject).toBe('REHEARSAL: payrun: salaries waits for approval: 2 payouts, BANK DETAILS CHANGED of 1');
  expect(letter?.text.split('\n').slice(4, 7)).toEqual([
    '',
    'BANK DETAILS CHANGED: 1 payout would not go where the payee was last paid (row 3).',
    'Ask each payee, through a channel you already know, before you approve.',
  ]);
  expect(hook.webhooks[0]?.event).toMatchObject({ data: { bank_details_changed: { count: 1, rows: [3] } } });
  for (const detail of ['87654321', '55554444', '4321', '4444', 'Ben'])
    expect(everything(mail, hook)).not.toContain(detail);
});

test('tells of doubts with the rows and what not to do, and again only when something is new', async () => {
  const service = await smallService({ loses: [1, 2, 3, 4], get: () => '', list: () => '' });
  const { folder, job, mail, hook, run } = await office('', 'pay.csv');
  newKey(join(folder, 'key.pem'));
  writeFileSync(join(folder, 'pay.csv'), 'name,amount,currency,external_account_id\nA,1.00,AUD,a1\nB,2.00,AUD,a2\n');
  const at = `service: {base_url: "${service.baseUrl}", api_key: key, signing_key_file: key.pem, request_lifetime: 6s, listing_lag: 0s, concurrency: 1, guarantees: {replay_protection: false}}`;
  writeFileSync(job, `${readFileSync(job, 'utf8')}\n${at}\n`);
  const done = await run('run', job, '--yes', '--json');
  expect(done.exit).toBe(5);
  const { run_id } = JSON.parse(done.stdout);
  expect(hook.webhooks[0]?.event).toMatchObject({ type: 'run.doubts', data: { rows_in_doubt: [2], exit: 5 } });
  const [letter] = mail.mails;
  expect(letter?.subject).toBe('payrun: salaries stopped and needs a person');
  expect(letter?.text).toContain('In doubt: row 2. They may have been paid');
  expect(letter?.text).toContain(`payrun resume ${run_id}`);
  expect((await run('resume', run_id)).exit).toBe(5);
  expect([mail.mails.length, hook.webhooks.length]).toEqual([1, 1]);
});

test('a mail server that is away changes neither the exit code nor the report', async () => {
  const { folder, job, hook, run } = await office('', 'pay.csv', 'smtp://127.0.0.1:1');
  writeFileSync(join(folder, 'pay.csv'), TWO_ROWS);
  const done = await run('run', job, '--yes', '--json');
  expect(done.exit).toBe(0);
  const { report } = JSON.parse(done.stdout);
  expect(report.map((path: string) => path.split('.').at(-1))).toEqual(['csv', 'html', 'json', 'xlsx']);
  const said =
    /^Not notified: the e-mail to finance@example\.org, cfo@example\.org: .*ECONNREFUSED.*\. This changes nothing else\.$/m;
  expect(done.stderr).toMatch(said);
  expect(hook.webhooks).toHaveLength(1);
});
