import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type MailBehaviour, mailServer } from '../support/mail-server.ts';
import { newKey } from '../support/new-key.ts';
import { payrun, start, temporaryFolder } from '../support/payrun.ts';
import { testBeside } from '../support/side-by-side.ts';
import { smallService } from '../support/small-service.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';

const TEMPLATE = `Subject: {company} has paid you {amount} {currency}

Dear {payee} ({payee_id}),

{amount} {currency} of {paid_on}, for {reference}.
`;

const HEADER = 'payee_id,name,amount,currency,external_account_id,reference,email';

/** A job at a service that is no rehearsal, which tells its payees; `statuses` are those of the transactions. */
async function office(rows: string[], behaviour: MailBehaviour = {}, statuses: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const service = await smallService({ statuses });
  const mail = await mailServer(behaviour);
  newKey(join(folder, 'key.pem'));
  writeFileSync(join(folder, 'pay.csv'), `${[HEADER, ...rows].join('\n')}\n`);
  writeFileSync(join(folder, 'remittance.txt'), TEMPLATE);
  const job = join(folder, 'salaries.yaml');
  const lines = [
    'input: pay.csv',
    'rate: 0',
    'poll_every: 100ms',
    `service: {base_url: "${service.baseUrl}", api_key: key, signing_key_file: key.pem, concurrency: 1, request_lifetime: 3s, listing_lag: 0s, guarantees: {replay_protection: false}}`,
    'remittance: {template: remittance.txt, from: pay@example.org, smtp: "env:MAIL", company: Müller & Söhne}',
    'notify: {email: {to: [finance@example.org], from: pay@example.org, smtp: "env:MAIL_FINANCE"}}',
  ];
  writeFileSync(job, `${lines.join('\n')}\n`);
  const finance = await mailServer();
  const env: Record<string, string> = { MAIL: mail.url, MAIL_FINANCE: finance.url };
  const data = ['--data-dir', join(folder, 'data')];
  const where = [...data, '--report-dir', join(folder, 'reports')];
  const run = (...words: string[]) => payrun([...words, ...where], { env });
  const show = async (runId: string) => (await payrun(['show', runId, ...data])).stdout;
  const report = (runId: string) =>
    JSON.parse(readFileSync(join(folder, 'reports', runId, 'report.json'), 'utf8')).remittance;
  return { folder, job, service, mail, finance, env, where, run, show, report };
}

const runIdIn = (text: string): string => /R\d{8}-[0-9A-Z]{8}/.exec(text)?.[0] ?? '';

testBeside('tells each payee of a completed payout, once, and nobody else', async () => {
  const rows = [
    'E1,Ada Łovelace,1234.50,AUD,a1,JULY 1,ada@example.com',
    'E2,Failing,2.00,AUD,a2,JULY 2,failing@example.com',
    'E3,No Address,3.00,AUD,a3,JULY 3,',
    'E4,List,4.00,AUD,a4,JULY 4,"a,b@example.com"',
    'E5,Header,5.00,AUD,a5,JULY 5,x<victim@example.com>',
    'E6,Quoted,6.00,AUD,a6,JULY 6,"""x""@example.com"',
    'E7,Eve {company} {amount},7.00,AUD,a7,JULY 7,eve@example.com',
  ];
  const login = { user: 'payrun', password: 'p@ss:wörd/%' };
  const { job, mail, service, run, show, report } = await office(rows, { login }, { t2: 'FAILED' });
  const done = await run('run', job, '--yes', '--json');
  expect([done.exit, service.transfers.length]).toEqual([4, 7]);
  const { run_id } = JSON.parse(done.stdout);
  const mails = mail.mails.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
  expect(mails.map(({ from, to, subject }) => [from, to, subject])).toEqual([
    ['pay@example.org', ['ada@example.com'], 'Müller & Söhne has paid you 1,234.50 AUD'],
    ['pay@example.org', ['eve@example.com'], 'Müller & Söhne has paid you 7.00 AUD'],
  ]);
  const text = /^Dear Ada Łovelace \(E1\),\n\n1,234\.50 AUD of 20\d\d-\d\d-\d\d, for JULY 1\.$/;
  expect(mails[0]?.text).toMatch(text);
  // What a payee is called is put in as it is, and no placeholder in it is filled.
  expect(mails[1]?.text).toContain('Dear Eve {company} {amount} (E7),');
  expect(mails.map(({ headers }) => headers.filter(({ name }) => /^(to|cc|bcc)$/i.test(name)))).toEqual([
    [{ name: 'To', value: 'ada@example.com' }],
    [{ name: 'To', value: 'eve@example.com' }],
  ]);
  expect(report(run_id)).toEqual({ sent: 2, refused: [], not_confirmed: [], waiting: 0, without_address: 4 });
  expect(await show(run_id)).toContain('remittance advice: 2 payees notified, 4 without a usable address\n');

  expect((await run('resume', run_id)).exit).toBe(4);
  expect((await run('report', run_id)).exit).toBe(0);
  expect(mail.mails).toHaveLength(2);
});

testBeside('what was begun when the process was killed is not sent again, and is named', async () => {
  const rows = ['E1,Ada,1.00,AUD,a1,,ada@example.com', 'E2,Ben,2.00,AUD,a2,,ben@example.com'];
  let isHanging = true;
  const answers = (command: string) => (isHanging && command.startsWith('MAIL FROM:') ? '' : null);
  const { job, mail, env, where, run, show, report } = await office(rows, { answers });
  const first = start(['run', job, '--yes', ...where], { env });
  // Both are on disk by then, and neither has left.
  await mail.heard(/^MAIL FROM:/, 2);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(mail.mails).toEqual([]);
  const runId = runIdIn(first.stderr());
  isHanging = false;
  const { exit } = await run('resume', runId);
  expect([exit, mail.mails]).toEqual([0, []]);
  expect(await show(runId)).toContain('  begun and not confirmed, and not sent again: rows 2, 3\n');
  expect(report(runId)).toEqual({ sent: 0, refused: [], not_confirmed: [2, 3], waiting: 0, without_address: 0 });
});

testBeside(
  'a mail server that is away, or refuses, changes nothing of the run; who was not told yet is told by resume',
  async () => {
    const rows = ['E1,Ada,1.00,AUD,a1,,ada@example.com', 'E2,Ben,2.00,AUD,a2,,ben@example.com'];
    const answers = (command: string) => (command.startsWith('RCPT TO:<ben@') ? '550 no such user' : null);
    const { job, mail, finance, env, run, show } = await office(rows, { answers });
    const { url } = mail;
    env.MAIL = 'smtp://127.0.0.1:1';
    const done = await run('run', job, '--yes', '--json');
    expect(done.exit).toBe(0);
    const { run_id } = JSON.parse(done.stdout);
    const unsentAdvice =
      '2 payees could not be notified by e-mail (connect ECONNREFUSED 127.0.0.1:1), which changes no payout.';
    expect(done.stderr).toContain(`${unsentAdvice} To notify them: payrun resume ${run_id}`);
    const { remittance } = JSON.parse(done.stdout);
    expect(remittance).toMatchObject({ sent: 0, waiting: 2, why: 'connect ECONNREFUSED 127.0.0.1:1' });
    expect(remittance.to_do).toEqual([expect.stringContaining(`To notify them: payrun resume ${run_id}`)]);
    expect(finance.mails[0]?.text).toContain(
      'Remittance advice: sent to 0 payees.\n2 payees could not be notified by e-mail',
    );
    expect(finance.mails[0]?.text).toContain(`To notify them: payrun resume ${run_id}`);
    expect(await show(run_id)).toContain('remittance advice: 0 payees notified, 2 not yet\n');

    env.MAIL = url;
    const resumed = await run('resume', run_id, '--json');
    expect(resumed.exit).toBe(0);
    expect(JSON.parse(resumed.stdout).remittance).toMatchObject({
      sent: 1,
      refused: [{ row: 3 }],
      waiting: 0,
      to_do: [
        'The mail server refused the e-mail to 1 payee (row 3). It is not sent again: notify them in another way.',
      ],
    });
    expect(mail.mails.map(({ to }) => to)).toEqual([['ada@example.com']]);
    const shown = await show(run_id);
    expect(shown).toContain('remittance advice: 1 payee notified\n');
    expect(shown).toMatch(/^ {2}row 3: the mail server refused it: .*550 no such user/m);
    expect((await run('resume', run_id)).exit).toBe(0);
    expect(mail.mails).toHaveLength(1);
  },
);

testBeside('what is wrong with the address of the mail server is said with what to do', async () => {
  const { job, env, run } = await office(['E1,Ada,1.00,AUD,a1,,ada@example.com']);
  env.MAIL = '';
  const done = await run('run', job, '--yes', '--json');
  expect(done.exit).toBe(0);
  const why = 'smtp: the environment variable MAIL is not set. Set it, or name another source';
  expect(done.stderr).toContain(`1 payee could not be notified by e-mail (${why}), which changes no payout.`);
});

testBeside('a rehearsal tells no payee, and says how many there are', async () => {
  const { folder, job, mail, run } = await office([]);
  const rows = ['name,amount,currency,rail,account_number,national_clearing_code,email'];
  rows.push('Ada,1.00,AUD,AUD_NPP,12345678,062-000,ada@example.com');
  writeFileSync(join(folder, 'pay.csv'), `${rows.join('\n')}\n`);
  const hook = await webhookReceiver();
  writeFileSync(join(folder, 'whsec'), hook.secret, { mode: 0o600 });
  const told = `notify: {webhook: {url: "${hook.url}", secret: "file:whsec"}, `;
  const text = readFileSync(job, 'utf8').replace(/^service:.*\n/m, '');
  writeFileSync(job, text.replace('notify: {', told));
  const done = await run('run', job, '--yes', '--json');
  expect([done.exit, mail.connections]).toEqual([0, 0]);
  expect(hook.webhooks.map(({ event }) => event)).toMatchObject([
    { type: 'run.finished', data: { rehearsal: true, remittance_sent: 0, remittance_waiting: 0 } },
  ]);
  expect(JSON.parse(done.stdout).remittance).toMatchObject({ sent: 0, waiting: 1, to_do: [] });
  expect(done.stderr).toContain('1 payee would be notified by e-mail, but a rehearsal notifies nobody.\n');
});
