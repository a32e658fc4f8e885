import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { payrun, start, startService, temporaryFolder } from '../support/payrun.ts';

const HEADER = 'Wen,Was,Currency,Rail,Account,BSB\n';
const COLUMNS = 'columns: {Wen: name, Was: amount}\n';

/** A row for each name, with headers that payrun does not know. */
function sheetOf(...names: string[]): string {
  return HEADER + names.map((name, at) => `${name},12.50,AUD,AUD_NPP,1234567${at},062-000\n`).join('');
}

/** A folder with jobs and inputs, by their paths, and a way to run payrun there. */
function folderWith(files: Record<string, string>) {
  const cwd = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(join(cwd, path, '..'), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  /** `minutes` from a fixed time. */
  const touch = (path: string, minutes: number) => utimesSync(join(cwd, path), 1e9, 1e9 + 60 * minutes);
  const inFolder = (args: string[], env: Record<string, string> = {}) => payrun(args, { cwd, env });
  const json = async (args: string[], env: Record<string, string> = {}) => {
    const ended = await inFolder([...args, '--json'], env);
    return { ...ended, json: JSON.parse(ended.stdout) };
  };
  return { cwd, write, touch, payrun: inFolder, json };
}

describe('a job', () => {
  it('is checked and run by its name, its columns count, and its run keeps the name', async () => {
    const { json, payrun } = folderWith({
      'jobs/pay.yaml': `description: All\ninput: ../in/pay.csv\n${COLUMNS}report_dir: ../out\nrate: 0\n`,
      'in/pay.csv': sheetOf('Ana', 'Ben'),
    });
    const checked = await json(['check', 'pay']);
    expect(checked).toMatchObject({ exit: 0, json: { job: 'pay', input: { path: 'in/pay.csv' }, payouts: 2 } });
    expect(checked.json.mapping).toEqual([
      { header: 'Wen', column: 'name', source: 'job' },
      { header: 'Was', column: 'amount', source: 'job' },
    ]);
    const text = await payrun(['check', 'jobs/pay.yaml']);
    expect(text.stderr).toBe(
      'Job pay (jobs/pay.yaml): in/pay.csv\nColumns: `Wen` is name, `Was` is amount (jobs/pay.yaml).\n',
    );

    const paid = await json(['run', 'pay', '--yes']);
    expect(paid).toMatchObject({ exit: 0, json: { counts: { completed: 2 } } });
    expect(paid.json.report[0]).toBe(`out/${paid.json.run_id}/report.csv`);
    const { runs } = (await json(['runs'])).json;
    expect(runs).toMatchObject([{ run_id: paid.json.run_id, job: 'pay', input: { path: 'in/pay.csv' } }]);
    expect((await json(['show', paid.json.run_id])).json.job).toBe('pay');

    const again = await json(['run', 'pay', '--yes']);
    expect(again).toMatchObject({ exit: 6, json: { run_id: paid.json.run_id } });
    // What a job says is not remembered for others.
    expect((await payrun(['check', 'in/pay.csv'])).exit).toBe(3);
  });

  it('is found by the name that it gives itself, and by that of its file', async () => {
    const { payrun } = folderWith({
      'jobs/a.yml': `name: salaries\ninput: ../a.csv\n${COLUMNS}`,
      'a.csv': sheetOf('A'),
    });
    for (const named of ['salaries', 'a', 'jobs/a.yml']) expect((await payrun(['check', named])).exit).toBe(0);
  });

  it('that does not exist is refused with the ones that do', async () => {
    const { payrun } = folderWith({ 'jobs/salaries.yaml': 'input: a.csv\n', 'jobs/rent.yml': 'input: a.csv\n' });
    const { exit, stderr } = await payrun(['run', 'salarys', '--yes']);
    expect(exit).toBe(2);
    expect(stderr).toBe(
      'There is no file salarys, and no job of that name in jobs/.\nDid you mean salaries? The jobs are rent, salaries.\n',
    );
    const none = await folderWith({}).payrun(['check', 'salaries']);
    expect(none).toMatchObject({ exit: 2, stderr: expect.stringContaining('write one as jobs/NAME.yaml') });
  });

  it('with errors is refused with each place', async () => {
    const { payrun, json } = folderWith({ 'jobs/pay.yaml': 'inptu: a.csv\nrate: fast\n' });
    const { exit, stderr } = await payrun(['run', 'pay', '--yes']);
    expect(exit).toBe(2);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^jobs\/pay\.yaml:1:1: input is missing; add it/),
      'jobs/pay.yaml:1:1: there is no key inptu; did you mean input?',
      expect.stringMatching(/^jobs\/pay\.yaml:2:7: rate cannot be `fast`; write requests a second/),
      'Correct the job; jobs/README.md has its keys.',
      '',
    ]);
    expect((await json(['check', 'pay'])).json).toMatchObject({ exit: 2, state: 'refused' });
  });

  it('without its file is refused where the job names it', async () => {
    const { payrun } = folderWith({ 'jobs/a.yaml': 'input: no.csv\n', 'jobs/b.yaml': 'input: no-*.csv\n' });
    const a = await payrun(['check', 'a']);
    expect(a).toMatchObject({ exit: 2, stderr: expect.stringContaining('jobs/a.yaml:1:8: input: there is no file') });
    const b = await payrun(['run', 'b', '--yes']);
    expect(b).toMatchObject({ exit: 2, stderr: expect.stringContaining('jobs/b.yaml:1:8: input: no file is called') });
  });

  it.each([
    ['a billion laughs', `a: &a [x,x]\n${'bcdefghij'.replace(/./g, (c) => `${c}: &${c} [*a,*a]\n`)}`, '1:4: an anchor'],
    ['lists in lists', `input: ${'['.repeat(100_000)}`, 'jobs/pay.yaml:'],
    ['a file that is too large', `input: ../a.csv\n#${' '.repeat(300 * 1024)}\n`, '256 KiB'],
  ])('%s is refused (2), and nothing is read or sent', async (_, text, said) => {
    const { payrun } = folderWith({ 'jobs/pay.yaml': text, 'a.csv': sheetOf('Ana') });
    const { exit, stderr } = await payrun(['run', 'pay', '--yes']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(said)]);
  });

  it('shows a header of its columns that the file does not have', async () => {
    const { json } = folderWith({ 'jobs/a.yaml': `input: ../a.csv\ncolumns: {Wer: name}\n`, 'a.csv': sheetOf('A') });
    const problem = (await json(['check', 'a'])).json.problems.find(
      ({ code }: { code: string }) => code === 'mapped_header_absent',
    );
    expect(problem.message).toBe('There is no header `Wer`, which the job maps to name.');
    expect(problem.remedy).toContain('take it out of the job');
  });
});

describe('what counts', () => {
  it('is the option, then the environment, then the job', async () => {
    const { payrun } = folderWith({
      'jobs/pay.yaml': `input: ../a.csv\nexpect_count: 7\n${COLUMNS}`,
      'a.csv': sheetOf('Ana', 'Ben'),
    });
    const exitOf = async (args: string[], env: Record<string, string> = {}) =>
      (await payrun(['check', 'pay', ...args], env)).exit;
    expect(await exitOf([])).toBe(3);
    expect(await exitOf([], { PAYRUN_EXPECT_COUNT: '2' })).toBe(0);
    expect(await exitOf(['--expect-count', '8'], { PAYRUN_EXPECT_COUNT: '2' })).toBe(3);
    expect(await exitOf(['--expect-count', '2'], { PAYRUN_EXPECT_COUNT: '8' })).toBe(0);
  });

  it('of the default rails is what was said last, for all currencies', async () => {
    const row = 'Wen,Was,Currency,Account,BIC\nAna,1.00,EUR,DE89370400440532013000,COBADEFFXXX\n';
    const { json } = folderWith({
      'jobs/pay.yaml': `input: ../a.csv\n${COLUMNS}default_rails: {EUR: EUR_SEPA}\n`,
      'a.csv': row,
    });
    const railsOf = async (...args: string[]) => (await json(['check', 'pay', ...args])).json.default_rails;
    expect(await railsOf()).toMatchObject([{ rail: 'EUR_SEPA' }]);
    expect(await railsOf('--default-rail', 'EUR=EUR_SWIFT')).toMatchObject([{ rail: 'EUR_SWIFT' }]);
  });

  it('of a header is the option, and of the others still the job', async () => {
    const { json } = folderWith({ 'jobs/pay.yaml': `input: ../a.csv\n${COLUMNS}`, 'a.csv': sheetOf('Ana') });
    const { mapping } = (await json(['check', 'pay', '--column', 'Was=payee_id'])).json;
    expect(mapping).toEqual([
      { header: 'Was', column: 'payee_id', source: 'option' },
      { header: 'Wen', column: 'name', source: 'job' },
    ]);
  });

  it('of two connections is the one that was named last, whole', async () => {
    const service = 'base_url: http://127.0.0.1:9/, api_key: env:MY_KEY, signing_key_file: ../key.pem';
    const { payrun } = folderWith({
      'jobs/pay.yaml': `input: ../a.csv\n${COLUMNS}rate: 0\nservice: {${service}}\n`,
      'rehearsal.yaml': 'concurrency: 2\n',
      'a.csv': sheetOf('Ana'),
    });
    expect((await payrun(['keys', 'new', 'key.pem'])).exit).toBe(0);
    const unset = await payrun(['run', 'pay', '--yes']);
    expect(unset).toMatchObject({ exit: 2 });
    expect(unset.stderr).toContain('jobs/pay.yaml:4:51: api_key: the environment variable MY_KEY is not set.');
    expect((await payrun(['run', 'pay', '--yes'], { MY_KEY: 'key_1' })).exit).toBe(8);
    const rehearsed = await payrun(['run', 'pay', '--yes', '--profile', 'rehearsal.yaml']);
    expect(rehearsed).toMatchObject({ exit: 0, stderr: expect.stringContaining('REHEARSAL') });
  });
});

describe('of a pattern', () => {
  it('the newest file is taken, once, and never an older one', async () => {
    const { payrun, json, write, touch } = folderWith({
      'jobs/pay.yaml': `input: ../in/pay-?*.csv\n${COLUMNS}rate: 0\nrepeat_window: 0s\n`,
      'in/pay-1.csv': sheetOf('Ana'),
      'in/pay-2.csv': sheetOf('Ben'),
      'in/other.csv': sheetOf('Cleo'),
      'in/.pay-9.csv': sheetOf('Dan'),
    });
    touch('in/pay-1.csv', 5);
    touch('in/pay-2.csv', 4);
    touch('in/other.csv', 9);
    touch('in/.pay-9.csv', 9);
    const first = await json(['run', 'pay', '--yes']);
    expect(first).toMatchObject({ exit: 0, json: { input: { path: 'in/pay-1.csv' } } });
    expect(first.stderr).toContain('Job pay (jobs/pay.yaml): in/pay-1.csv, the newest of in/pay-?*.csv\n');
    const second = await payrun(['run', 'pay', '--yes']);
    expect(second.exit).toBe(6);
    expect(second.stderr).toContain(`There is nothing new: in/pay-1.csv, the newest of in/pay-?*.csv, was run before`);

    write('in/pay-3.csv', sheetOf('Eva'));
    touch('in/pay-3.csv', 6);
    write('in/pay-4.csv', sheetOf('Fay'));
    touch('in/pay-4.csv', 6);
    const third = await json(['run', 'pay', '--yes']);
    expect(third).toMatchObject({ exit: 0, json: { input: { path: 'in/pay-4.csv' } } });
    expect(third.stderr).toContain('Not taken, and never run: in/pay-3.csv. To pay one, save it again');
    for (const { stderr } of [first, second]) expect(stderr).not.toContain('Not taken');
    expect((await json(['check', 'pay'])).json.input).toEqual({ name: 'pay-4.csv', path: 'in/pay-4.csv' });
  });
});

describe('two starts of a job', () => {
  it('make one run: the second is refused while the first lasts, and other jobs are not', async () => {
    const { cwd, payrun, write, touch } = folderWith({
      'jobs/pay.yaml': `input: ../in/pay-*.csv\n${COLUMNS}repeat_window: 0s\n`,
      'jobs/rent.yaml': `input: ../in/rent.csv\n${COLUMNS}wait_timeout: 0ms\nrepeat_window: 0s\n`,
      'in/pay-1.csv': sheetOf('Ana'),
      'in/rent.csv': sheetOf('Ben'),
    });
    touch('in/pay-1.csv', 0);
    const service = await startService({ dataDir: join(cwd, 'service'), args: ['--settle-after', '1h'] });
    const first = start(['run', 'pay', '--yes', ...service.options], { cwd });
    await first.wrote('waiting: ');
    // A file of its own would make a run of its own.
    write('in/pay-2.csv', sheetOf('Cleo'));
    const second = await payrun(['run', 'pay', '--yes', ...service.options]);
    expect(second.exit).toBe(7);
    expect(second.stderr).toMatch(/Job pay is held: process \d+ on .* works on its run R\S+\. Nothing was sent\./);
    expect((await payrun(['run', 'rent', '--yes', ...service.options])).exit).toBe(5);

    first.child.kill('SIGKILL');
    await first.ended;
    expect((await payrun(['run', 'pay', '--yes', '--wait-timeout', '0ms', ...service.options])).exit).toBe(5);
  });
});

describe('payrun jobs', () => {
  it('lists each job with its input and its last run', async () => {
    const { json, payrun } = folderWith({
      'jobs/b.yaml': `description: Rent\ninput: ../in/*.csv\n`,
      'jobs/a.yml': `name: zz\ninput: ../in/a.csv\n${COLUMNS}rate: 0\n`,
      'jobs/c.yaml': 'input: no.csv\n',
      'jobs/README.md': '# no job',
      'in/a.csv': sheetOf('Ana'),
    });
    const fresh = { last_run: null, schedule: null, errors: [] };
    expect((await json(['jobs'])).json).toEqual({
      jobs: [
        { name: 'b', file: 'jobs/b.yaml', description: 'Rent', input: 'in/a.csv', ...fresh },
        { name: 'c', file: 'jobs/c.yaml', description: null, input: null, ...fresh },
        { name: 'zz', file: 'jobs/a.yml', description: null, input: 'in/a.csv', ...fresh },
      ],
      exit: 0,
    });
    const paid = await json(['run', 'zz', '--yes']);
    const { stdout, exit } = await payrun(['jobs']);
    expect(exit).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['JOB', 'INPUT', 'LAST RUN', 'OUTCOME', 'NEXT', 'DESCRIPTION'],
      ['b', 'in/a.csv', 'Rent'],
      ['c', '(no file)'],
      ['zz', 'in/a.csv', paid.json.run_id, 'everybody was paid'],
      [''],
    ]);
  });

  it('lists what is wrong, with exit 2, and two files of one name', async () => {
    const { json, payrun } = folderWith({
      'jobs/a.yaml': 'input: a.csv\nshet: x\n',
      'jobs/b.yaml': 'input: a.csv\n',
      'jobs/c.yaml': 'name: b\ninput: a.csv\n',
    });
    const listed = await json(['jobs']);
    expect(listed.exit).toBe(2);
    expect(listed.json.jobs.map(({ errors }: { errors: unknown[] }) => errors)).toEqual([
      [{ line: 2, column: 1, message: 'there is no key shet', remedy: 'did you mean sheet?' }],
      [expect.objectContaining({ message: 'the name `b` is that of jobs/c.yaml too' })],
      [expect.objectContaining({ message: 'the name `b` is that of jobs/b.yaml too' })],
    ]);
    const { stdout, exit } = await payrun(['jobs']);
    expect(exit).toBe(2);
    expect(stdout).toContain('\njobs/a.yaml:2:1: there is no key shet; did you mean sheet?\njobs/b.yaml:1:1: the name');
    expect((await payrun(['check', 'b'])).exit).toBe(2);
  });

  it('says what a job is where there is none', async () => {
    const { stdout, exit } = await folderWith({}).payrun(['jobs']);
    expect(exit).toBe(0);
    expect(stdout).toContain('There are no jobs in jobs/.');
  });
});
