import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileProblem } from '../../src/domain/refusals/settings-faults.ts';
import { readJob } from '../../src/job/job-file.ts';
import { fileProblemLine } from '../../src/messages/refusals/settings-file-words.ts';
import { temporaryFolder } from '../support/payrun.ts';

const TEMPLATE = 'Subject: {company}\n\nDear {payee}\n';

/** The notices of a job with these lines, in a folder with a template; `HERE` stands for the folder. */
function read(lines: string, template: string | Uint8Array = TEMPLATE) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), `input: a.csv\n${lines}\n`);
  writeFileSync(join(folder, 'advice.txt'), template);
  return JSON.parse(JSON.stringify(readJob(join(folder, 'a.yaml'))).replaceAll(folder, 'HERE'));
}

function problemsOf(lines: string, template?: string | Uint8Array): string[] {
  const problems: FileProblem[] = read(lines, template).problems ?? [];
  return problems.map((problem) => fileProblemLine('', problem).slice(1).replace(': ', ' '));
}

const REMITTANCE = 'remittance: {template: advice.txt, from: pay@example.org, smtp: env:SMTP';

test('a job says whom it tells, of what, and where the secrets are', () => {
  const job = `notify:
  on: [doubts, failed]
  email: {to: [a@example.org], from: Example Pty Ltd <pay@example.org>, smtp: file:keys/smtp}
  webhook: {url: "http://127.0.0.1:9/hook", secret: env:HOOK}
${REMITTANCE}, company: Example}`;
  expect(read(job).job.notify).toEqual({
    on: ['doubts', 'failed'],
    email: {
      to: ['a@example.org'],
      from: { name: 'Example Pty Ltd', address: 'pay@example.org' },
      smtp: 'file:HERE/keys/smtp',
    },
    webhook: { url: 'http://127.0.0.1:9/hook', secret: 'env:HOOK' },
    remittance: {
      subject: '{company}',
      body: 'Dear {payee}',
      company: 'Example',
      from: { name: null, address: 'pay@example.org' },
      smtp: 'env:SMTP',
    },
  });
  expect(read('notify: {webhook: {url: https://a.example/, secret: env:A}}').job.notify.on).toEqual([
    'planned',
    'finished',
    'failed',
    'doubts',
  ]);
  expect(read(`${REMITTANCE}, company: Example}`).job.notify).toMatchObject({ on: [], email: null, webhook: null });
});

const email = (more: string) => `notify: {email: {${more}}}`;
const RIGHT = 'to: [a@example.org], from: b@example.org, smtp: env:A';

test.each([
  ['notify: {}', '2:1 notify names nobody to notify; add email: or webhook: below it'],
  [
    `notify: {on: [], email: {${RIGHT}}}`,
    '2:14 notify.on cannot be this; write some of planned, finished, failed, doubts, or take the key out for all',
  ],
  [
    `notify: {on: [finished, begun], email: {${RIGHT}}}`,
    '2:25 notify.on.1 cannot be `begun`; write one of planned, finished, failed, doubts',
  ],
  [`notify: {on: [failed, failed], email: {${RIGHT}}}`, '2:23 notify.on.1 stands in the list twice; keep one of them'],
  [
    email('to: a@example.org, from: b@example.org, smtp: env:A'),
    '2:22 notify.email.to cannot be `a@example.org`; write a list: a line for each, which begins with a hyphen',
  ],
  [
    email('to: ["a@example.org,b@example.org"], from: b@example.org, smtp: env:A'),
    '2:23 notify.email.to.0 cannot be `a@example.org,b@example.org`; write one address, such as finance@example.org',
  ],
  [
    email('to: ["a@example.org\\nBcc: b@example.org"], from: b@example.org, smtp: env:A'),
    '2:23 notify.email.to.0 cannot be `a@example.org\uFFFDBcc: b@example.org`; write one address, such as finance@example.org',
  ],
  [
    email('to: [a@example.org], from: "x <a@example.org>, b@example.org", smtp: env:A'),
    '2:45 notify.email.from cannot be `x <a@example.org>, b@example.org`; write one address, such as payrun@example.org, or Example Pty Ltd <pay@example.org>',
  ],
  [
    email('to: [a@example.org], from: b@example.org, smtp: mail.example'),
    '2:66 notify.email.smtp does not belong in this file itself; write env:NAME or file:PATH',
  ],
  [
    email('to: [a@example.org], from: b@example.org, smtp: "smtps://pay:hidden@mail.example"'),
    '2:66 a secret does not belong in this file; write where it is (env:NAME, file:PATH, the path of a key file), and make a new one',
  ],
  [
    'notify: {webhook: {url: http://hooks.example/, secret: env:A}}',
    '2:25 notify.webhook.url would be sent without TLS; use https; http is for loopback only',
  ],
  [
    'notify: {webhook: {url: "https://u:p@hooks.example/", secret: env:A}}',
    '2:25 notify.webhook.url has a name or a password in it; take it out: webhooks are known by their signature',
  ],
  [
    'notify: {webhook: {url: hooks.example, secret: env:A}}',
    '2:25 notify.webhook.url cannot be `hooks.example`; write it like https://hooks.example/payrun',
  ],
  [
    `${REMITTANCE}}`,
    '2:1 remittance has no company, and its template has {company}; add company: with the name of who pays',
  ],
  [
    `${REMITTANCE.replace('advice', 'none')}, company: A}`,
    '2:24 remittance.template: there is no file HERE/none.txt of UTF-8 text; check the path, which is beside this file',
  ],
])('%s', (lines, problem) => {
  expect(problemsOf(lines)).toEqual([problem]);
});

test.each<[string | Uint8Array, string]>([
  [
    'Subject: a\n\n{acount}',
    '2:24 HERE/advice.txt:3:1: there is no placeholder {acount}; the placeholders are {payee}, {payee_id}, {amount}, {currency}, {reference}, {paid_on}, {company}',
  ],
  [
    Uint8Array.of(0xff),
    '2:24 remittance.template: there is no file HERE/advice.txt of UTF-8 text; check the path, which is beside this file',
  ],
])('a template that cannot be used is a problem of the job', (template, problem) => {
  expect(problemsOf(`${REMITTANCE}, company: A}`, template)).toEqual([problem]);
});
