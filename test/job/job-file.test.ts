import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/domain/refusal.ts';
import type { FileProblem } from '../../src/domain/refusals/settings-faults.ts';
import { readJob } from '../../src/job/job-file.ts';
import { fileProblemLine } from '../../src/messages/refusals/settings-file-words.ts';
import { temporaryFolder } from '../support/payrun.ts';
import { refusedWith } from '../support/refused.ts';

/** The job of a text, in a folder of its own, which stands as `HERE` in what is said. */
function read(text: string | Uint8Array, name = 'pay.yaml') {
  const folder = temporaryFolder();
  const file = join(folder, name);
  writeFileSync(file, text);
  const { ok, ...rest } = readJob(file);
  const plain = JSON.stringify(rest, (_, value) => (value instanceof Map ? Object.fromEntries(value) : value));
  return { ok, ...JSON.parse(plain.replaceAll(folder, 'HERE')) };
}

/** `LINE:COLUMN message; remedy` of each problem of a text. */
function problemsOf(text: string | Uint8Array, name?: string): string[] {
  const { problems } = read(text, name);
  return (problems ?? []).map((problem: FileProblem) => fileProblemLine('', problem).slice(1).replace(': ', ' '));
}

describe('a job', () => {
  it('needs its input alone', () => {
    expect(read('input: pay.csv\n')).toEqual({
      ok: true,
      job: {
        name: 'pay',
        file: 'HERE/pay.yaml',
        description: null,
        input: 'HERE/pay.csv',
        inputWhere: 'HERE/pay.yaml:1:8',
        columns: [],
        settings: {},
        approval: null,
        service: null,
        schedule: null,
        repeatWindowMs: null,
        amountChange: null,
        limits: null,
        limitsWhere: '',
        notify: null,
      },
    });
  });

  it('may have a schedule, whose period is the longest in which it comes once', () => {
    const scheduleOf = (said: string) =>
      read(`input: a.csv\nschedule: {time_zone: Europe/Berlin, ${said}}\n`).job.schedule;
    expect(scheduleOf('cron: 0 9 25 * *')).toEqual({
      cron: '0 9 25 * *',
      timeZone: 'Europe/Berlin',
      everyOtherWeekFrom: null,
      businessDays: null,
      period: 'month',
      missed: 'report',
    });
    expect(scheduleOf('cron: 0 9 * * 5, business_days: next, calendar: US, missed: run')).toMatchObject({
      businessDays: { direction: 'next', calendar: 'US' },
      period: 'week',
      missed: 'run',
    });
    expect(scheduleOf('cron: 0 9 25 * *, period: day, business_days: none')).toMatchObject({
      businessDays: null,
      period: 'day',
    });
  });

  it.each([
    ['cron: 0 9 31 2 *', '2:18 schedule.cron names a date that no year has; correct the day'],
    ['cron: 61 9 1 * *', '2:18 schedule.cron is no cron expression (Invalid value for minute: 61); write five'],
    ['cron: 0 0 9 25 * *', '2:18 schedule.cron cannot be `0 0 9 25 * *`; write five fields, without seconds'],
    ['cron: "@monthly"', '2:18 schedule.cron cannot be `@monthly`; write five fields: minute, hour'],
    ['cron: 0 9 13 * 5', '2:18 schedule.cron names days of the month and days of the week'],
    ['time_zone: Berlin', '2:23 schedule.time_zone cannot be `Berlin`; write a name such as Europe/Berlin'],
    ['time_zone: +02:00', '2:23 schedule.time_zone cannot be `+02:00`'],
    ['time_zone: ', '2:12 schedule.time_zone is empty'],
    ['period: year', '2:20 schedule.period cannot be `year`; write one of month, two_weeks, week, day, time'],
    [
      'cron: 0 9 * * 5, period: month',
      '2:37 schedule.period cannot be month: cron comes more than once in one; write week',
    ],
    ['every: two_weeks, cron: 0 9 * * 5', '2:19 schedule.every needs the first day that is paid; add first:'],
    ['first: 2026-11-27', '2:12 schedule.first does nothing without every: two_weeks'],
    ['every: two_weeks, first: 2026-11-25', '2:19 schedule.every is for a cron of weekdays; write cron: 0 9 * * 5'],
    [
      'every: two_weeks, first: 2026-11-26, cron: 0 9 * * 5',
      '2:37 schedule.first (2026-11-26) is no day on which cron comes',
    ],
    ['every: month, first: 2026-11-27, cron: 0 9 * * 5', '2:19 schedule.every cannot be `month`'],
    ['cron: 0 9 * * 5, period: two_weeks', '2:37 schedule.period cannot be two_weeks without every: two_weeks'],
    ['calendar: TARGET', '2:12 schedule.calendar does nothing without business_days'],
    ['business_days: next, holidays: [2026-12-24, 2026-02-30]', '2:56 schedule.holidays.1 cannot be `2026-02-30`'],
    ['business_days: later', '2:27 schedule.business_days cannot be `later`; write one of previous, next, none'],
    ['crom: 0 9 25 * *', '2:12 there is no key schedule.crom; did you mean cron?'],
  ])('has no schedule with %s', (said, problem) => {
    const keys = said.includes('cron:') ? '' : ', cron: 0 9 25 * *';
    const zone = said.includes('time_zone:') ? '' : ', time_zone: Europe/Berlin';
    const [first, ...others] = problemsOf(`input: a.csv\nschedule: {${said}${keys}${zone}}\n`);
    expect(first).toContain(problem);
    expect(others).toEqual([]);
  });

  it('has no holidays that leave no business day for a month', () => {
    const july = Array.from({ length: 31 }, (_, day) => `2026-07-${String(day + 1).padStart(2, '0')}`);
    const text = `cron: 0 9 25 * *, time_zone: UTC, business_days: next, holidays: [${july.join(', ')}]`;
    expect(problemsOf(`input: a.csv\nschedule: {${text}}\n`)[0]).toContain('leaves no next business day for a month');
  });

  it('says options as the command line does, with their places, and paths beside the file', () => {
    const text = [
      'name: Löhne-2026',
      'description: >',
      '  Salaries',
      '  of all',
      'input: ../in/*.xlsx',
      'sheet: 2026',
      'decimal: ","',
      'columns: {Gross to bank: amount, Net: false, 7: , Was: name}',
      'default_rails: {EUR: EUR_SWIFT}',
      'modulus_table: uk/valacdos.txt',
      'expect_count: 045',
      'expect_total: {AUD: 1234.50, EUR: 10000000000000000000.01}',
      'rate: 100/10s',
      'concurrency: 4',
      'wait_timeout: 2h',
      'report_dir: out',
      'only_valid: true',
      'profile: /etc/payrun/profile.yaml',
    ];
    const { job } = read(`\ufeff${text.join('\r\n')}`);
    expect(job).toMatchObject({
      name: 'Löhne-2026',
      description: 'Salaries of all\n',
      input: expect.stringMatching(/^\/.*[^.]\/in\/\*\.xlsx$/),
    });
    expect(job.columns).toEqual([
      { header: '7', column: null },
      { header: 'Gross to bank', column: 'amount' },
      { header: 'Net', column: null },
      { header: 'Was', column: 'name' },
    ]);
    expect(job.settings).toMatchObject({
      sheet: { value: '2026', where: 'HERE/pay.yaml:6:8: sheet' },
      decimal: { value: ',' },
      defaultRail: { value: ['EUR=EUR_SWIFT'] },
      modulusTable: { value: 'HERE/uk/valacdos.txt' },
      expectCount: { value: '045' },
      // Through a float it would be 10000000000000000000.
      expectTotal: { value: ['AUD=1234.50', 'EUR=10000000000000000000.01'] },
      rate: { value: '100/10s' },
      concurrency: { value: '4' },
      waitTimeout: { value: '2h' },
      reportDir: { value: 'HERE/out' },
      onlyValid: { value: true },
      profile: { value: '/etc/payrun/profile.yaml' },
    });
  });

  it('may have the connection itself', () => {
    const { job } = read('input: a.csv\nservice:\n  base_url: https://payouts.example\n  concurrency: 3\n  rate: 5\n');
    expect(job.service.connection).toEqual({
      base_url: 'https://payouts.example',
      concurrency: 3,
      rate: { requests: 5, window_ms: 1000 },
    });
  });
});

/** RFC 8032, section 7.1, TEST 1 and TEST 2. */
const KEYS = [
  '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
  '7UkoxijRwsbq6QM4kFmVYSlZJzpcY_k2NsFGFKyHN9E',
  'ypOsFwUYcHHWe4PH_w7-gQjo7EUwV113JoeTM9vavnw',
];

describe('the approval of a job', () => {
  const approvers = `approvers: [{name: Anna, public_key: ${KEYS[0]}}, {name: Ben, public_key: ${KEYS[1]}}]`;
  const approval = (more: string) => `input: a.csv\napproval: {${approvers}, ${more}}\n`;

  it('has defaults, and takes either text of a key', () => {
    const hex = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
    const text = `input: a.csv\napproval:\n  approvers:\n    - name: Anna\n      public_key: ${hex}\n`;
    expect(read(text).job.approval).toEqual({
      approvers: [{ name: 'Anna', public_key: KEYS[0] }],
      bands: [{ over: null, approvals: 1 }],
      valid_for_ms: 259_200_000,
    });
  });

  it('has sums to the last digit', () => {
    const bands = 'bands: [{over: AUD 10000000000000000000.01, required: 2}, {over: USDC 0.000001, required: 2}]';
    expect(read(approval(`${bands}, valid_for: 4h`)).job.approval).toMatchObject({
      bands: [
        { over: null, approvals: 1 },
        { over: { code: 'AUD', minor: '1000000000000000000001' }, approvals: 2 },
        { over: { code: 'USDC', minor: '1' }, approvals: 2 },
      ],
      valid_for_ms: 14_400_000,
    });
  });

  const preparers = (...people: [string, number][]) =>
    approval(`preparers: [${people.map(([name, at]) => `{name: ${name}, public_key: ${KEYS[at]}}`).join(', ')}]`);
  it('may name who makes plans, approvers too', () => {
    expect(read(preparers(['Anna', 0], ['Carla', 2])).job.approval?.preparers).toEqual([
      { name: 'Anna', public_key: KEYS[0] },
      { name: 'Carla', public_key: KEYS[2] },
    ]);
  });

  const one = (name: string, key: string) =>
    `input: a.csv\napproval:\n  approvers:\n    - {name: ${name}, public_key: ${key}}\n`;
  it.each([
    ['input: a.csv\napproval: {}\n', /^2:1 approval.approvers is missing; add it: who may sign/],
    ['input: a.csv\napproval: {approvers: []}\n', /^2:23 approval.approvers .*name one approver at least/],
    [approval('requierd: 1'), /no key approval.requierd; did you mean required\?/],
    [approval('required: 1, required: 2'), /the key `required` is given twice/],
    [approval('required: 3'), /approval.required is more than there are approvers \(2\)/],
    [approval('required: 0'), /approval.required cannot be `0`; write a whole number/],
    [approval('valid_for: 90d'), /approval.valid_for cannot be `90d`; write 1s to 31d/],
    [approval('valid_for: 10ms'), /approval.valid_for cannot be `10ms`; write 1s to 31d/],
    [approval('valid_for: 3'), /approval.valid_for cannot be `3`; write a whole number and a unit/],
    [
      approval('bands: [{over: AUD 1.234, required: 2}]'),
      /approval.bands.0.over cannot be `AUD 1.234`; write the code/,
    ],
    [approval('bands: [{over: 100 AUD, required: 2}]'), /approval.bands.0.over cannot be `100 AUD`; write the code/],
    [approval('bands: [{over: AUD 1e3, required: 2}]'), /approval.bands.0.over cannot be/],
    [approval('bands: [{over: AUD -1, required: 2}]'), /approval.bands.0.over cannot be/],
    [approval('bands: [{over: AUD 1, required: 1}]'), /bands.0.required asks for no more than `required` above/],
    [approval('bands: [{over: AUD 1, required: 3}]'), /bands.0.required is more than there are approvers/],
    [
      approval('bands: [{over: AUD 1, required: 2}, {over: AUD 1.00, required: 2}]'),
      /bands.1.over is the same sum as in a band above/,
    ],
    [
      approval('bands: [{over: AUD 1, required: 2, x: 1}]'),
      /no key approval.bands.0.x; the keys here are over, required/,
    ],
    [one('Anna', 'abc'), /^4:32 approval.approvers.0.public_key cannot be `abc`; write what `payrun keys show/],
    [one('Anna', `AQ${'A'.repeat(41)}`), /^4:32 approval.approvers.0.public_key is a key under which anybody can sign/],
    [one('Anna', `Ag${'A'.repeat(41)}`), /^4:32 approval.approvers.0.public_key is no point of Ed25519/],
    [
      `${one('Anna', String(KEYS[0]))}    - {name: ANNA, public_key: ${KEYS[1]}}\n`,
      /^5:14 .* is the same as `Anna` above/,
    ],
    [`${one('Anna', String(KEYS[0]))}    - {name: Ben, public_key: ${KEYS[0]}}\n`, /^5:31 .* is the key of `Anna`/],
    [approval('preparers: []'), /approval.preparers .*name one person at least/],
    [preparers(['Carla', 2], ['CARLA', 3]), /preparers.1.name is the same as `Carla` above/],
    [preparers(['Carla', 2], ['Dan', 2]), /preparers.1.public_key is the key of `Carla`/],
    [preparers(['Anna', 2]), /preparers.0.public_key is another key than the same person has as an approver/],
    [preparers(['Carla', 1]), /preparers.0.public_key is the key of `Ben`; write the same name and the same key/],
  ])('%j is refused', (text, message) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(message)]);
  });
});

describe('a wrong job', () => {
  it.each([
    [
      '',
      ['1:1 input is missing; add it: the file to pay, or a pattern such as inbox/payroll-*.xlsx, beside this file'],
    ],
    ['# only a comment\n', [expect.stringMatching(/^\d:\d input is missing/)]],
    ['input:\n', ['1:1 input is empty; give it a value, or take the key out']],
    ['- a\n', ['1:1 the file is a list; write keys, each in a line with its value, as `key: value`']],
    [
      'payroll.csv\n',
      ['1:1 the file cannot be `payroll.csv`; write keys, each in a line with its value, as `key: value`'],
    ],
    ['input: a.csv\nshet: July\n', ['2:1 there is no key shet; did you mean sheet?']],
    ['input: a.csv\nonlyValid: true\n', ['2:1 there is no key onlyValid; did you mean only_valid?']],
    [
      'input: a.csv\nfoo: 1\n',
      [expect.stringContaining('2:1 there is no key foo; the keys here are name, description, ')],
    ],
    ['input: a.csv\ndata_dir: x\n', [expect.stringContaining('give --data-dir or PAYRUN_DATA_DIR')]],
    ['input: a.csv\nbase_url: x\n', [expect.stringContaining('write it under service:')]],
    ['input: a.csv\nallow_repeat: x\n', [expect.stringContaining('give it on the command line')]],
    ['input: a.csv\ninput: b.csv\n', ['2:1 the key `input` is given twice; keep one of them']],
    ['input: a.csv\ncolumns:\n  A: name\n  "A": amount\n', [expect.stringContaining('4:3 the key `A` is given twice')]],
    [
      'input: a.csv\ncolumns: {Wen: name, WEN : amount}\n',
      ['2:22 columns.WEN is the same header as `Wen`; keep one of them'],
    ],
    ['input: a.csv\ncolumns: {Wen: nmae}\n', ['2:16 columns.Wen cannot be `nmae`; did you mean name?']],
    ['input: a.csv\ncolumns: {Wen: true}\n', [expect.stringContaining('2:16 columns.Wen is the truth value true')]],
    ['input: a.csv\ncolumns: {" ": name}\n', ['2:11 columns.  names no header; write it as in the file']],
    ['input: a.csv\ncolumns: amount\n', [expect.stringContaining('2:10 columns cannot be `amount`; write keys, each')]],
    ['input: a.csv\nsheet: true\n', ['2:8 sheet is the truth value true; put it in quotes if it is a word']],
    [
      'input: a.csv\nyes: yes\n',
      ['2:6 yes is the text `yes`; write true or false: in YAML 1.2 yes, no, on and off are words'],
    ],
    ['input: a.csv\nquiet: 1\n', ['2:8 quiet is the text `1`; write true or false']],
    ['input: [a.csv, b.csv]\n', ['1:8 input is a list; write one value']],
    [
      'input: in*/a.csv\n',
      ['1:8 input cannot be `in*/a.csv`; only the name of the file may have * and ?, not its folder'],
    ],
    [
      'input: a.csv\nwait_timeout: 5\n',
      [expect.stringMatching(/^2:15 wait_timeout cannot be `5`; write a whole number and/)],
    ],
    ['input: a.csv\nrate: fast\n', [expect.stringMatching(/^2:7 rate cannot be `fast`; write requests a second/)]],
    ['input: a.csv\nrate: 1.5\n', [expect.stringMatching(/^2:7 rate cannot be `1.5`/)]],
    ['input: a.csv\nconcurrency: 0\n', ['2:14 concurrency cannot be `0`; write a whole number from 1 to 1024']],
    ['input: a.csv\nconcurrency: 1e2\n', ['2:14 concurrency cannot be `1e2`; write a whole number from 1 to 1024']],
    ['input: a.csv\nlog_level: loud\n', ['2:12 log_level cannot be `loud`; write one of error, warn, info, debug']],
    [
      'input: a.csv\nexpect_total: {AUD: 1.234}\n',
      ['2:21 expect_total.AUD cannot be `1.234`; the sum of AUD has more than 2 decimals'],
    ],
    [
      'input: a.csv\nexpect_total: {AUD: 1e3}\n',
      [expect.stringContaining('write the sum of AUD as digits with a point alone')],
    ],
    [
      'input: a.csv\nexpect_total: {AUD: 1, aud: 2}\n',
      [expect.stringContaining('2:24 expect_total.aud is the same currency')],
    ],
    ['input: a.csv\ndefault_rails: {EUR: EUR_SEPPA}\n', [expect.stringMatching(/^2:22 default_rails.EUR cannot be/)]],
    ['input: a.csv\nname: a b\n', [expect.stringMatching(/^2:7 name cannot be `a b`; write letters/)]],
    [
      'input: a.csv\nprofile: p.yaml\nservice: {}\n',
      ['3:1 service is given beside profile; keep one: the file of a profile, or the profile itself'],
    ],
    [
      'input: a.csv\nservice: {base_url: http://pay.example}\n',
      ['2:21 service.base_url would send signed payouts without TLS; use https; http is for loopback only'],
    ],
    ['input: a.csv\nservice: {base_ulr: x}\n', ['2:11 there is no key service.base_ulr; did you mean base_url?']],
    [
      'input: a.csv\nservice: {request_lifetime: 60s}\n',
      [expect.stringContaining('2:29 service.request_lifetime cannot be `60s`')],
    ],
    [
      'input: a.csv\nservice: {webhooks: {secret: env:A}}\n',
      [expect.stringMatching(/^2:11 service.webhooks.listen is missing; add it/)],
    ],
    [
      'input: a.csv\nservice: {webhooks: {listen: "127.0.0.1:1", secret: hunter2}}\n',
      ['2:53 service.webhooks.secret does not belong in this file itself; write env:NAME or file:PATH'],
    ],
    ['input: "a.csv\n', [expect.stringMatching(/^2:1 Missing closing "quote; close what is opened/)]],
    ['input: a: b\n', [expect.stringMatching(/^1:8 .*; put a text that has a colon in quotes/)]],
    ['input:\n\tsheet: a\n', [expect.stringMatching(/^2:1 .*; indent with blanks/)]],
    ['input: a.csv\n---\ninput: b.csv\n', [expect.stringMatching(/a second document begins here; keep one/)]],
    ['input: a.csv\n? [a]\n: b\n', ['2:3 this is no key; write a word before the colon']],
    ['input: a.csv\n__proto__: {x: 1}\n', ['2:1 this is no key; write a word before the colon']],
  ])('%j is refused', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it('is told all that is wrong with it, in the order of the file', () => {
    expect(problemsOf('inptu: a.csv\nrate: x\nsheet: false\n')).toEqual([
      expect.stringContaining('1:1 input is missing'),
      expect.stringContaining('1:1 there is no key inptu; did you mean input?'),
      expect.stringContaining('2:7 rate'),
      expect.stringContaining('3:8 sheet'),
    ]);
  });

  it('is told what its own name is wrong for', () => {
    expect(problemsOf('input: a.csv\n', 'a b.yaml')).toEqual([
      expect.stringContaining('add name:, or rename the file'),
    ]);
    expect(read('name: ab\ninput: a.csv\n', 'a b.yaml').job.name).toBe('ab');
  });

  it('does not repeat a control character', () => {
    expect(problemsOf('input: a.csv\nname: "\\e[31m"\n')[0]).toContain('`\ufffd[31m`');
  });
});

describe('what a file may not have', () => {
  it.each([
    ['an anchor', 'input: &a x.csv\n', /^1:8 an anchor/],
    ['an alias', 'input: a.csv\nsheet: *a\n', /^2:8 an alias/],
    ['a merge key', 'input: a.csv\n<<: {sheet: a}\n', /^2:1 there is no key <<; keys are not merged/],
    ['a tag', 'input: !!str a.csv\n', /^1:8 a tag/],
    ['a tag of its own', 'input: a.csv\ncolumns: !run {a: name}\n', /^2:10 a tag/],
    ['a directive', '%YAML 1.1\n---\ninput: a.csv\n', /^1:1 a directive/],
    [
      'a private key',
      'input: a.csv\nservice:\n  signing_key_file: |\n    -----BEGIN PRIVATE KEY-----\n',
      /^3:21 a secret does not/,
    ],
    ['a secret', 'input: a.csv\nservice: {api_key: whsec_c2VjcmV0}\n', /^2:20 a secret does not belong/],
    ['a secret at a key of no meaning', 'input: a.csv\nnope: AGE-SECRET-KEY-1ABC\n', /^2:7 a secret does not belong/],
  ])('%s', (_, text, message) => {
    const [first, ...others] = problemsOf(text);
    expect(first).toMatch(message);
    expect(others).toEqual([]);
    for (const secret of ['BEGIN', 'c2VjcmV0', '1ABC']) expect(first).not.toContain(secret);
  });

  it.each([
    ['a billion laughs', `a: &a [x,x]\n${'bcdefghij'.replace(/./g, (c) => `${c}: &${c} [*a,*a]\n`)}`, /^1:4 an anchor/],
    ['brackets in brackets', '['.repeat(200_000), /more than 32 levels/],
    ['lists in lists', `a:\n  ${'- '.repeat(100_000)}`, /more than 32 levels/],
    ['keys of keys', '? '.repeat(100_000), /more than 32 levels/],
    ['forty thousand keys', Array.from({ length: 20_000 }, (_, at) => `k${at}: 1\n`).join(''), /more parts than a job/],
    ['more than 256 KiB', `#${'x'.repeat(256 * 1024)}`, /^1:1 the file has more than 256 KiB/],
    ['no UTF-8', new Uint8Array([0xff, 0xfe, 0x41]), /^1:1 the file is no UTF-8 text/],
  ])('%s', (_, text, message) => {
    const [first] = problemsOf(text);
    expect(first).toMatch(message);
  });

  it('a folder, or nothing, is no job', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'a.yaml'));
    expect(() => readJob(join(folder, 'a.yaml'))).toThrow(Refusal);
    expect(refusedWith(() => readJob(join(folder, 'b.yaml')))).toContain('There is no file');
  });
});
