import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Ended,
  payrun,
  type ReadyService,
  type Started,
  start,
  startService,
  temporaryFolder,
} from '../support/payrun.ts';
import { admin, allTransactions, untilArrived } from '../support/service-admin.ts';

const HEADER = 'payee_id,name,account_name,amount,currency,rail,account_number,national_clearing_code';
const ADA = 'E1,Ada Byron,Ada Byron,12.50,AUD,AUD_NPP,12345678,062-000';
const MARY = 'E2,Mary Jackson,Mary Jackson,20.00,AUD,AUD_NPP,22345679,062-000';
const FAILS = 'E3,Payee 3,REHEARSE_CLOSED,7.00,AUD,AUD_NPP,32345670,062-000';
const MENDED = 'E3,Payee 3,Payee 3,7.00,AUD,AUD_NPP,42345671,062-000';

const HOLD = new URL('../support/held-begin.ts', import.meta.url).href;

/** Its first transaction takes the lease of a plan, the second starts it. A run that is no plan is begun by its first. */
const AT_START = { plan: 2, direct: 1 };

/** Two jobs that pay out of one journal at a service of its own, and processes that stand still before they start. */
async function desk() {
  const folder = temporaryFolder();
  const write = (name: string, ...rows: string[]) => {
    writeFileSync(join(folder, name), `${[HEADER, ...rows].join('\n')}\n`);
    return join(folder, name);
  };
  for (const job of ['one', 'two']) writeFileSync(join(folder, `${job}.yaml`), `input: ${job}.csv\n`);
  const service = await startService({ dataDir: join(folder, 'service') });
  const at = ['--data-dir', join(folder, 'data'), '--report-dir', join(folder, 'reports'), '--poll-every', '50ms'];
  const connected = [...at, ...service.options, '--rate', '0'];
  const plan = async (input: string) => {
    const { stdout, stderr } = await payrun(['plan', input, '--json', ...connected]);
    expect(stderr).not.toContain('efused');
    return JSON.parse(stdout).run_id as string;
  };
  const words = (what: string) => ['run', what, '--yes', ...(/^R\d/.test(what) ? at : connected)];
  const run = (what: string, ...more: string[]) => payrun([...words(what), ...more]);
  const begin = (what: string) => start(words(what));
  /** Resolves when the process has looked at everything, and is about to begin. `go` lets it. */
  const held = async (what: string, nth = /^R\d/.test(what) ? AT_START.plan : AT_START.direct, more: string[] = []) => {
    const until = join(folder, `go-${what.split('/').at(-1)}-${nth}`);
    const env = { NODE_OPTIONS: `--import ${HOLD}`, TEST_HELD_BEGIN: String(nth), TEST_HELD_UNTIL: until };
    const started = start([...words(what), ...more], { env });
    await started.wrote('held before it begins');
    return async (): Promise<Ended> => {
      writeFileSync(until, '');
      return started.ended;
    };
  };
  const job = (name: string) => join(folder, `${name}.yaml`);
  return { service, at, write, plan, run, begin, held, job };
}

type Desk = Awaited<ReturnType<typeof desk>>;

function expectRefused({ exit, stderr }: Ended, code: number, text: RegExp): void {
  expect([exit, stderr]).toEqual([code, expect.stringMatching(text)]);
}

describe('of two runs of which each saw nothing of the other, one is refused (6)', () => {
  const PAIRS: [string, (given: Desk) => Promise<[held: string, other: string]>][] = [
    ['plans of two jobs', async ({ plan, job }) => [await plan(job('one')), await plan(job('two'))]],
    // Whoever makes the journal has a transaction more.
    ['two jobs', async ({ plan, job }) => plan(job('two')).then(() => [job('one'), job('two')])],
  ];
  it.each(PAIRS)('%s that pay the same amount to the same account', async (_, choose) => {
    const given = await desk();
    given.write('one.csv', ADA);
    given.write('two.csv', MARY, ADA);
    const [one, two] = await choose(given);
    const go = await given.held(one);
    expect((await given.run(two)).exit).toBe(0);
    expectRefused(
      await go(),
      6,
      /Row 2 would pay the same amount to the same account again, as run R\S+ of \S+, a rehearsal, did/,
    );
    expect(await allTransactions(given.service)).toHaveLength(2);
  });

  it('also where the other has begun, and has sent nothing of it yet', async () => {
    const { service, write, plan, begin, held, job } = await desk();
    write('one.csv', ADA);
    write('two.csv', MARY, ADA);
    const go = await held(await plan(job('one')));
    await admin(service, 'fault.add', { operation: 'transaction.transfer', kind: 'slow', nth: 1, ms: 5_000 });
    const other = begin(job('two'));
    const goOn = await stoppedWhileItSends(service, other);
    expectRefused(await go(), 6, /Row 2 would pay the same amount .*, as run R\S+ of \S+, a rehearsal, is about to/);
    goOn();
    expect((await other.ended).exit).toBe(0);
    expect(await allTransactions(service)).toHaveLength(2);
  });

  const RETRIES: [string, (retry: string, file: string) => [held: string, other: string]][] = [
    ['a retry with corrected rows, of the file of those', (retry, file) => [retry, file]],
    ['a file of corrected rows, of the retry that took them', (retry, file) => [file, retry]],
  ];
  it.each(RETRIES)('%s', async (_, choose) => {
    const { service, at, write, run, held } = await desk();
    const first = await payrun(['run', write('a.csv', ADA, FAILS), '--yes', '--json', ...service.options, ...at]);
    expect(first.exit).toBe(4);
    const file = write('corrected.csv', MENDED);
    const retried = await payrun(['retry', JSON.parse(first.stdout).run_id, '--from', file, '--json', ...at]);
    const [one, two] = choose(JSON.parse(retried.stdout).run_id, file);
    const go = await held(one);
    expect((await run(two)).exit).toBe(0);
    expectRefused(await go(), 6, /was run before, as R\S+, a rehearsal\. Nothing was sent/);
    expect(await allTransactions(service)).toHaveLength(3);
  });
});

describe('of two runs that repeat the same run at once, one is refused (6)', () => {
  const REPEATS: [string, (planned: string, file: string) => string, (first: string) => string[]][] = [
    ['a plan that names it', (planned) => planned, (first) => ['--allow-repeat', first]],
    ['a file that names it', (_, file) => file, (first) => ['--allow-repeat', first]],
    ['a file that names none', (_, file) => file, () => ['--allow-repeat']],
  ];
  it.each(REPEATS)('%s', async (_, choose, allowing) => {
    const { service, write, plan, run, held } = await desk();
    const file = write('a.csv', ADA);
    // A plan whose payees are made meanwhile is refused for that.
    expect((await run(write('known.csv', MARY, ADA.replace('12.50', '1.00')))).exit).toBe(0);
    const planned = await plan(file);
    const first = await plan(file);
    expect((await run(first)).exit).toBe(0);
    const what = choose(planned, file);
    const go = await held(what, undefined, allowing(first));
    expect((await run(file, '--allow-repeat', first)).exit).toBe(0);
    expectRefused(await go(), 6, /(The same payment|This file) was run .*as R\S+, a rehearsal\. Nothing was sent/);
    expect(await allTransactions(service)).toHaveLength(4);
  });
});

it('of two plans of one job that are started at once, one is refused (7) while the other is at work', async () => {
  const { service, write, plan, begin, held, job } = await desk();
  write('one.csv', ADA);
  const one = await plan(job('one'));
  write('one.csv', MARY);
  const two = await plan(job('one'));
  write('one.csv', ADA);
  const go = await held(one, 1);
  write('one.csv', MARY);
  await admin(service, 'fault.add', { operation: 'transaction.transfer', kind: 'slow', nth: 1, ms: 5_000 });
  const other = begin(two);
  const goOn = await stoppedWhileItSends(service, other);
  write('one.csv', ADA);
  expectRefused(await go(), 7, new RegExp(`Job one is held: process \\d+ on \\S+ works on its run ${two}`));
  goOn();
  expect((await other.ended).exit).toBe(0);
  expect(await allTransactions(service)).toHaveLength(1);
});

/** Resolves when the run has sent a payout, whose answer is slow, and stands still, until it is told to go on. */
async function stoppedWhileItSends(service: ReadyService, { child }: Started): Promise<() => void> {
  await untilArrived(service, 1);
  child.kill('SIGSTOP');
  return () => void child.kill('SIGCONT');
}
