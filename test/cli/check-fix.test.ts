import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { payrun, temporaryFolder } from '../support/payrun.ts';

const HEADER = 'name;amount;currency;rail;account_number;reference';
const WRONG = 'Zoë;"1,00";EUR;EUR_SEPA;DE89370400440532013000;Nómina';

function encoded(text: string, encoding: string): Buffer {
  const utf16 = Buffer.from(`\uFEFF${text}`, 'utf16le');
  switch (encoding) {
    case 'utf-16le':
      return utf16;
    case 'utf-16be':
      return utf16.swap16();
    case 'utf-8 with a mark':
      return Buffer.from(`\uFEFF${text}`);
    case 'windows-1252':
      return Buffer.from(text, 'latin1');
    default:
      return Buffer.from(text);
  }
}

/** Fixes a file of these bytes, and gives what the copy holds, or null where none was written. */
async function fixed(content: Buffer | string, name = 'payroll.csv') {
  const folder = temporaryFolder();
  const path = join(folder, name);
  const out = join(folder, `mended${name.slice(name.indexOf('.'))}`);
  writeFileSync(path, content);
  const { exit, stdout } = await payrun(['check', path, '--fix', out, '--json']);
  expect(readFileSync(path)).toEqual(Buffer.from(content));
  return { exit, json: JSON.parse(stdout), out, copy: existsSync(out) ? readFileSync(out) : null };
}

describe('check --fix of a text file', () => {
  test.each(['utf-8', 'utf-8 with a mark', 'utf-16le', 'utf-16be', 'windows-1252'])(
    'changes the cell and no other byte, in %s',
    async (encoding) => {
      const text = [`sep=;\r\n${HEADER};note`, '', `${WRONG};"a ""b""; \n Müller"`, 'é;;;;;"";"', ''].join('\r\n');
      const whole = text.replace(';"\r\n', ';"é"\r\n');
      const { exit, json, copy, out } = await fixed(encoded(whole, encoding));
      expect(exit).toBe(3);
      expect(copy).toEqual(encoded(whole.replace('Nómina', 'Nomina'), encoding));
      expect(json.fixed).toMatchObject({
        file: out,
        changes: [
          { sheet: null, cell: 'F3', column: 'reference', old: 'Nómina', new: 'Nomina', code: 'reference_characters' },
        ],
      });
      expect(json.fixed.remaining.errors).toBe(countErrors(json) - 1);
    },
  );

  test('quotes what was quoted', async () => {
    const { copy } = await fixed(`${HEADER}\n${WRONG.replace('Nómina', '"Nómina ""A"""')}\n`);
    expect(copy?.toString()).toContain(';"Nomina ');
  });

  test('with nothing left to mend the copy passes', async () => {
    const { json, out } = await fixed(`${HEADER}\n${WRONG.replace('"1,00"', '1.00')}\n`);
    expect(json.fixed.remaining).toEqual({ errors: 0, warnings: 0 });
    expect((await payrun(['check', out])).exit).toBe(0);
  });

  test('lists each change for people, and check says beforehand that there is one', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'payroll.csv');
    writeFileSync(path, `${HEADER}\n${WRONG}\n`);
    const before = await payrun(['check', path]);
    expect(before.stdout).toContain(`1 suggestion can be written for you: payrun check ${path} --fix mended.csv`);
    const out = join(folder, 'mended.csv');
    const { stdout } = await payrun(['check', path, '--fix', out]);
    expect(stdout).toContain(
      `1 cell changed in ${out}, and nothing else:\n  F2  "Nómina" → "Nomina"  The reference has`,
    );
    expect(stdout).toContain(`There remain 0 errors, 0 warnings: payrun check ${out}`);
  });
});

describe('what --fix does not write', () => {
  test('anything where nothing is safe to change', async () => {
    const { exit, json, copy } = await fixed('name,amount,currency,rail,account_number\nAna,x,AUD,AUD_NPP,12345678\n');
    expect(exit).toBe(3);
    expect(json.fixed).toBeNull();
    expect(copy).toBeNull();
  });

  test.each([
    ['mended.xlsx', 'is no .csv file'],
    ['payroll.csv', 'names the input itself'],
    ['./link.csv', 'names the input itself'],
    ['other.csv', 'exists already'],
  ])('%s', async (name, text) => {
    const folder = temporaryFolder();
    const content = `${HEADER}\n${WRONG}\n`;
    writeFileSync(join(folder, 'payroll.csv'), content);
    writeFileSync(join(folder, 'other.csv'), 'other');
    if (name.includes('link')) symlinkSync('payroll.csv', join(folder, 'link.csv'));
    const force = name === 'other.csv' ? [] : ['--force'];
    const { exit, stderr } = await payrun(['check', 'payroll.csv', '--fix', name, ...force], { cwd: folder });
    expect(exit).toBe(2);
    expect(stderr).toContain(text);
    expect(readFileSync(join(folder, 'payroll.csv'), 'utf8')).toBe(content);
    expect(readFileSync(join(folder, 'other.csv'), 'utf8')).toBe('other');
  });
});

function countErrors({ problems }: { problems: { severity: string }[] }): number {
  return problems.filter(({ severity }) => severity === 'error').length;
}
