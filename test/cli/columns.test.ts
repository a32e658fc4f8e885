import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { payrun, temporaryFolder } from '../support/payrun.ts';

const ROW = ['Ana', '12.50', 'AUD', 'AUD_NPP', '12345678', '062-000'];

/** A folder with a file whose headers are given, and a way to run payrun there. */
function folderWith(headers: string[], row: string[] = ROW) {
  const cwd = temporaryFolder();
  const file = join(cwd, 'pay.csv');
  const write = (cells: string[]) => writeFileSync(file, `${[cells, row].map((line) => line.join(',')).join('\n')}\n`);
  write(headers);
  const run = (command: string, ...options: string[]) => payrun([command, file, ...options], { cwd });
  const check = async (...options: string[]) => {
    const ended = await run('check', '--json', ...options);
    return { ...ended, json: JSON.parse(ended.stdout) };
  };
  return { cwd, write, run, check, memory: join(cwd, '.payrun/columns.json') };
}

const ODD = ['Wen', 'Was', 'Currency', 'Rail', 'Account', 'BSB'];
const SAID = ['--column', 'Wen=name', '--column', 'Was=amount'];

describe('the layout of a file', () => {
  it('is shown by check and in its JSON, and is absent where it is not known', async () => {
    const headers = [
      'Name',
      'Recipient type',
      'Account number',
      'Sort code',
      'Currency',
      'Amount',
      'Payment reference',
    ];
    const { run, check } = folderWith(headers, ['Jane', 'INDIVIDUAL', '31926819', '601613', 'GBP', '1.00', 'INV 7']);
    expect((await check()).json.layout).toBe('Revolut Business bulk payments');
    const { exit, stderr } = await run('check');
    expect([exit, stderr]).toEqual([0, 'Layout: Revolut Business bulk payments.\n']);
    expect((await folderWith(ODD).check()).json.layout).toBeUndefined();
  });
});

describe('--encoding', () => {
  it('is remembered for such headers, shown with its source and for a job, and forgotten with the columns', async () => {
    const cwd = temporaryFolder();
    const file = join(cwd, 'leden.csv');
    const write = (name: string) => {
      const text = `name,amount,currency,external_account_id\n${name},1.00,EUR,a\n`;
      writeFileSync(file, Buffer.from(text.replaceAll('ř', '\xf8'), 'latin1'));
    };
    write('Jiří Novák');
    const check = async (...options: string[]) => {
      const ended = await payrun(['check', file, '--json', ...options], { cwd });
      return JSON.parse(ended.stdout);
    };
    expect((await check()).problems[0].code).toBe('encoding_undecided');
    const given = await check('--encoding', 'windows-1250');
    expect([given.problems, given.given_encoding]).toEqual([[], { encoding: 'windows-1250', source: 'option' }]);
    expect(given.job_settings).toEqual({ columns: {}, encoding: 'windows-1250' });
    write('Jiří Dvořák');
    expect((await check()).given_encoding).toEqual({ encoding: 'windows-1250', source: 'remembered' });
    const { stderr } = await payrun(['check', file], { cwd });
    expect(stderr).toBe('The text is read as windows-1250 (remembered; --forget-columns forgets it).\n');
    const plain = await payrun(['check', file, '--forget-columns'], { cwd });
    expect([plain.exit, plain.stderr]).toEqual([3, expect.stringContaining('Forgotten: the encoding windows-1250.')]);
    expect((await check()).problems[0].code).toBe('encoding_undecided');
  });
});

describe('--column', () => {
  it('says what headers mean, and is remembered for such headers in any order', async () => {
    const { check, write, run, memory } = folderWith(ODD);
    expect((await check()).json.problems.map(({ code }: { code: string }) => code)).toEqual([
      'column_missing',
      'column_missing',
    ]);
    expect(existsSync(memory)).toBe(false);

    const told = await check(...SAID);
    expect(told).toMatchObject({ exit: 0, json: { payouts: 1, problems: [] } });
    expect(told.json.mapping).toEqual([
      { header: 'Wen', column: 'name', source: 'option' },
      { header: 'Was', column: 'amount', source: 'option' },
    ]);
    expect(statSync(memory).mode & 0o777).toBe(0o600);

    const again = await check();
    expect(again).toMatchObject({ exit: 0, json: { payouts: 1 } });
    expect(again.json.mapping).toEqual([
      { header: 'Wen', column: 'name', source: 'remembered' },
      { header: 'Was', column: 'amount', source: 'remembered' },
    ]);
    const { stderr } = await run('check');
    expect(stderr).toBe('Columns: `Wen` is name, `Was` is amount (remembered; --forget-columns forgets it).\n');

    write(['wen', 'WAS ', ...ODD.slice(2)]);
    expect((await check()).exit).toBe(0);
    write([...ODD.slice(0, 5), 'Sort code']);
    expect((await check()).exit).toBe(3);
  });

  it('has the currency of rows that name none beside it, remembered and forgotten with it', async () => {
    const headers = ['Wen', 'Was', 'Department', 'Rail', 'Account', 'BSB'];
    const { check, run } = folderWith(headers);
    const refused = await run('check', '--currency', 'NGN');
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('no rail pays NGN')]);
    const given = await check(...SAID, '--currency', 'aud');
    expect(given).toMatchObject({
      exit: 0,
      json: { payouts: 1, given_currency: { currency: 'AUD', source: 'option' } },
    });
    expect((await run('check')).stderr).toContain(
      'Rows that name no currency are in AUD (remembered; --forget-columns forgets it).\n',
    );
    const forgotten = await run('check', '--forget-columns');
    expect([forgotten.exit, forgotten.stderr]).toEqual([
      3,
      'Forgotten: `Wen` is name, `Was` is amount, the currency AUD.\n',
    ]);
  });

  it('adds up, and what is said last of a header or a column counts', async () => {
    const { check } = folderWith(['Wen', 'Was', 'Währung', 'Rail', 'Account', 'BSB']);
    await check('--column', 'Wen=name', '--column', 'Was=amount');
    await check('--column', 'Rail=');
    expect((await check()).json.mapping).toEqual([
      { header: 'Wen', column: 'name', source: 'remembered' },
      { header: 'Was', column: 'amount', source: 'remembered' },
      { header: 'Rail', column: null, source: 'remembered' },
    ]);
    const turned = await check('--column', 'Wen=amount', '--column', 'Was=name');
    expect(turned.json.mapping).toEqual([
      { header: 'Wen', column: 'amount', source: 'option' },
      { header: 'Was', column: 'name', source: 'option' },
      { header: 'Rail', column: null, source: 'remembered' },
    ]);
    expect(turned.exit).toBe(3);
    expect((await check()).json.mapping.map(({ column }: { column: string }) => column)).toEqual([
      null,
      'amount',
      'name',
    ]);
  });

  it('is remembered by run too, and used by it', async () => {
    const { check, run } = folderWith(ODD);
    await check(...SAID);
    const paid = await run('run', '--yes', '--json');
    expect(paid).toMatchObject({ exit: 0 });
    expect(paid.stderr).toContain('Columns: `Wen` is name, `Was` is amount (remembered');
    expect(JSON.parse(paid.stdout)).toMatchObject({
      counts: { completed: 1 },
      inferred_rails: [],
      mapping: [
        { header: 'Wen', column: 'name', source: 'remembered' },
        { header: 'Was', column: 'amount', source: 'remembered' },
      ],
    });
  });

  it('is printed for a job, which then reads the file as it does', async () => {
    const { run, check, cwd } = folderWith(['Wen', 'Was', 'Department', 'Rail', 'Account', 'BSB']);
    const given = await run('check', ...SAID, '--currency', 'AUD');
    const lines = 'columns:\n  "Wen": name\n  "Was": amount\ncurrency: AUD\n';
    expect([given.exit, given.stdout]).toEqual([0, expect.stringContaining(`nobody need give it again:\n\n${lines}`)]);
    expect((await check()).json.job_settings).toEqual({ columns: { Wen: 'name', Was: 'amount' }, currency: 'AUD' });
    writeFileSync(join(cwd, 'pay.yaml'), `input: pay.csv\n${lines}`);
    const ofJob = await payrun(['check', 'pay.yaml', '--json', '--data-dir', 'other'], { cwd });
    expect([ofJob.exit, JSON.parse(ofJob.stdout).payouts]).toEqual([0, 1]);
  });

  it('names the columns of a file without a header by their letters, and remembers nothing of it', async () => {
    const { run, memory, cwd } = folderWith(['Ada', '3', 'AUD', 'AUD_NPP', '87654321', '062-000']);
    const letters = ['A=name', 'B=amount', 'C=currency', 'D=rail', 'E=account_number', 'F=national_clearing_code'];
    const all = letters.flatMap((text) => ['--column', text]);
    const read = await run('check', '--json', ...all);
    expect(JSON.parse(read.stdout)).toMatchObject({ exit: 0, payouts: 2, header_row: null, problems: [] });
    expect(existsSync(memory)).toBe(false);
    const paid = await payrun(['run', 'pay.csv', '--yes', '--json', ...all], { cwd });
    expect(JSON.parse(paid.stdout)).toMatchObject({ counts: { completed: 2 } });
  });

  it('ignores a header, where two name one column', async () => {
    const { check } = folderWith(['Name', 'Betrag', 'Currency', 'Rail', 'Account', 'IBAN']);
    const [twice] = (await check()).json.problems;
    expect(twice).toMatchObject({ code: 'column_twice', cell: 'F1' });
    expect(twice.remedy).toContain('--column "IBAN="');
    const told = await check('--column', 'IBAN=');
    expect(told.json.problems.map(({ code }: { code: string }) => code)).not.toContain('column_twice');
  });

  it('is not remembered where the header leaves something open', async () => {
    const { check, memory } = folderWith(ODD);
    expect((await check('--column', 'Wen=name')).exit).toBe(3);
    const absent = await check(...SAID, '--column', 'Wann=reference', '--column', 'Wo=');
    expect(absent.json.problems.map(({ code, severity }: Record<string, string>) => `${severity} ${code}`)).toEqual([
      'error mapped_header_absent',
      'warning mapped_header_absent',
    ]);
    expect(existsSync(memory)).toBe(false);
  });

  it.each([
    ['Wen=nmae', 'there is no column nmae. Did you mean name?', 'Write --column "Wen=name".'],
    ['Wen=salary', 'there is no column salary.', 'The columns are name, amount'],
    ['Wen', '--column Wen has no =.', 'Write it as in'],
    ['=name', 'names no header.', 'Write it as in'],
  ])('%j is refused', async (text, message, remedy) => {
    const { run, memory } = folderWith(ODD);
    const ended = await run('check', '--column', text);
    expect(ended.exit).toBe(2);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).toContain(remedy);
    expect(existsSync(memory)).toBe(false);
  });

  it('is refused where it names two columns for one header', async () => {
    const ended = await folderWith(ODD).run('check', '--column', 'Wen=name', '--column', 'WEN=amount');
    expect(ended.exit).toBe(2);
    expect(ended.stderr).toContain('--column names two columns for `WEN`: name, and amount.');
  });
});

describe('what is remembered', () => {
  it('is forgotten with --forget-columns', async () => {
    const { check, run } = folderWith(ODD);
    await check(...SAID);
    const forgetting = await run('check', '--forget-columns');
    expect(forgetting.exit).toBe(3);
    expect(forgetting.stderr).toContain('Forgotten: `Wen` is name, `Was` is amount.');
    expect((await check()).exit).toBe(3);
    expect((await run('check', '--forget-columns')).stderr).toContain('Nothing was remembered of these columns.');
  });

  it.each([
    ['no JSON', '{"version":1,'],
    ['another form', '{"version":2,"sets":[]}'],
    [
      'a column that does not exist',
      '{"version":1,"sets":[{"headers":["wen"],"columns":[{"header":"Wen","column":"x"}]}]}',
    ],
  ])('is said to be damaged where it is %s, not used, and put aside', async (_, text) => {
    const { check, run, memory } = folderWith(ODD);
    await check(...SAID);
    writeFileSync(memory, text);
    const ended = await run('check');
    expect(ended.exit).toBe(3);
    expect(ended.stderr).toContain('columns.json cannot be read, so no columns are remembered');
    expect(readFileSync(memory, 'utf8')).toBe(text);
    expect((await check(...SAID)).exit).toBe(0);
    expect(readFileSync(`${memory}.damaged`, 'utf8')).toBe(text);
    expect((await check()).exit).toBe(0);
  });

  it('does no harm where it cannot be written', async () => {
    const { cwd, check } = folderWith(ODD);
    writeFileSync(join(cwd, '.payrun'), 'a file where a folder should be');
    chmodSync(join(cwd, '.payrun'), 0o600);
    const ended = await check(...SAID);
    expect(ended.exit).toBe(0);
    expect(ended.stderr).toContain('The meaning of these columns is not remembered');
  });
});
