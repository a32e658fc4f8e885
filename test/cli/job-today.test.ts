import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireToday, sourceOf } from '../../src/app/plan/job-today.ts';
import type { Entry } from '../../src/domain/entry.ts';
import { foldRun } from '../../src/domain/run/run.ts';
import { requireJob } from '../../src/job/job-file.ts';
import { signingKey } from '../../src/keys/ed25519.ts';
import { sampleHeader, samplePlan, sampleRows } from '../journal/samples.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { refusedBy, refusedText } from '../support/refused.ts';

const keyOf = (byte: number) => Buffer.from(signingKey(new Uint8Array(32).fill(byte)).publicKey).toString('base64url');
const person = (name: string, byte: number) => `    - {name: ${name}, public_key: ${keyOf(byte)}}\n`;

const JOB = [
  'input: a.csv\nservice: {base_url: "https://a.example/", api_key: env:PAY_KEY, signing_key_file: key.pem}\n',
  `approval:\n  preparers:\n${person('Ben', 2)}${person('Eve', 5)}`,
  `  approvers:\n${person('Anna', 1)}${person('Carla', 3)}  valid_for: 4h\n`,
].join('');

const without = (name: string) => JOB.replace(new RegExp(`^ +- \\{name: ${name}, .*\n`, 'm'), '');

/** A plan that Ben made with his key of a job, or somebody without one. */
function planOf(text: string, { isKeyed = true } = {}) {
  const file = join(temporaryFolder(), 'pay.yaml');
  writeFileSync(file, text);
  const job = requireJob(file);
  const header = { ...sampleHeader('R1'), job: 'pay', period: '2026-11', job_source: sourceOf(job) };
  const { approval } = job;
  const made = isKeyed ? { preparer: 'Ben', preparer_key: keyOf(2) } : { preparer: 'petra@desk-7' };
  const plan = {
    ...samplePlan(header),
    approval: approval && { ...approval, ...made },
    repeat_window_ms: 20 * 86_400_000,
    conversions: { pairs: [], ceilings: { payout_bps: 200, run_bps: 50 } },
  };
  const entries: Entry[] = [header, sampleRows(3), { kind: 'planned', plan }];
  const run = foldRun(entries.map((entry, at) => ({ n: at + 1, at: 0, epoch: 1, entry })));
  return { file, run };
}

async function refusalOf(before: string, after: string, made = {}): Promise<string> {
  const { file, run } = planOf(before, made);
  writeFileSync(file, after);
  try {
    await requireToday(run);
    return 'none';
  } catch (error) {
    const { kind, message, remedy } = refusedText(error);
    return `${kind}: ${message} ${remedy}`;
  }
}

it.each<[string, string, string]>([
  ['an approver is gone', without('Anna'), 'Anna, with the key of the plan, is no approver of it'],
  ['an approver has another key', JOB.replace(keyOf(3), keyOf(7)), 'Carla, with the key of the plan, is no approver'],
  ['who made it is gone', without('Ben'), 'Ben, with the key of the plan, may not make its plans'],
  ['more approvals', `${JOB}  required: 2\n`, 'it needs 2 approvals, not 1'],
  ['more for its total', `${JOB}  bands: [{over: AUD 37.01, required: 2}]\n`, 'it needs 2 approvals, not 1'],
  ['good for less long', JOB.replace('4h', '90m'), 'an approval is valid for 90m, not 4h'],
  [
    'another service',
    JOB.replace('a.example', 'b.example'),
    'it is paid at https://b.example/, not at https://a.example/',
  ],
  ['another key', JOB.replace('PAY_KEY', 'OTHER_KEY'), 'it is paid with another API key'],
  ['a longer window', `repeat_window: 90d\n${JOB}`, 'is refused for 90d, not 20d'],
  ['a lower ceiling', `rate_ceiling: 1.99%\n${JOB}`, 'a payout may become 1.99% dearer, not 2%'],
  [
    'a lower ceiling for all',
    `run_rate_ceiling: 0\n${JOB}`,
    'all payouts of a pair of currencies may become 0% dearer',
  ],
  ['another name', `name: rent\n${JOB}`, 'the job is called rent'],
])('a plan is refused whose job asks for more today: %s', async (_, today, what) => {
  const refusal = await refusalOf(JOB, today);
  expect(refusal).toMatch(/^refused: R1 is not what its job asks for today \(/);
  expect(refusal).toContain(what);
  expect(refusal).toMatch(/Create a new plan and look at it: `payrun plan \S+pay.yaml --period 2026-11( --as FILE)?`/);
});

it('a plan that somebody made without a key, or that nobody had to approve, is refused where the job asks for it today', async () => {
  const before = JOB.replace(/ {2}preparers:\n( {4}.*\n)+/, '');
  expect(await refusalOf(before, JOB, { isKeyed: false })).toContain('who makes its plans shows a key');
  const [open = ''] = JOB.split('approval:');
  expect(await refusalOf(open, JOB)).toContain('it has to be approved by somebody');
});

it.each([
  ['nothing else', JOB],
  ['the same ceilings, or higher ones', `rate_ceiling: 2%\nrun_rate_ceiling: 1%\n${JOB}`],
  ['a new approver', `${JOB}`.replace(person('Carla', 3), `${person('Carla', 3)}${person('Dan', 4)}`)],
  ['less', JOB.replace('4h', '5h').replace(person('Eve', 5), '')],
  ['more for another sum', `${JOB}  bands: [{over: AUD 37.02, required: 2}, {over: EUR 1, required: 2}]\n`],
])('a plan is run whose job asks for %s today', async (_, today) => {
  expect(await refusalOf(JOB, today)).toBe('none');
});

it('a job that cannot be read is a mistake of its file', async () => {
  expect(await refusalOf(JOB, `${JOB}  requierd: 2\n`)).toMatch(
    /^usage: R1 is from job pay.*cannot be read.*requierd/s,
  );
});

it.each<[string, string | null, string]>([
  ['its job and period', '2026-11', 'payrun plan pay --period 2026-11'],
  ['its job', null, 'payrun plan pay'],
])('a plan that does not say where its job is is planned again by %s, not by its file', async (_, period, again) => {
  const header = { ...sampleHeader('R1'), job: 'pay', period };
  const entries: Entry[] = [header, sampleRows(3), { kind: 'planned', plan: samplePlan(header) }];
  const run = foldRun(entries.map((entry, at) => ({ n: at + 1, at: 0, epoch: 1, entry })));
  expect(await refusedBy(requireToday(run))).toMatchObject({
    kind: 'refused',
    remedy: `Create a new plan and look at it: \`${again}\`.`,
  });
});
