import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countrySpecs } from 'ibantools';
import { describe, expect, it } from 'vitest';
import { checkIban } from '../../src/domain/rails/fields/iban.ts';
import { readInput } from '../../src/input/input.ts';
import { openFile } from '../../src/input/source/file.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { HEADER, npp, placesOf, readAll } from './reading.ts';

/** Files of people who looked for inputs that are paid wrongly; they are not part of this repository. */
const FOLDER = join(import.meta.dirname, '../../../shared/vectors/input-faults');
const isThere = existsSync(FOLDER);
if (!isThere) console.warn('SKIPPED: ../shared/vectors/input-faults is not here, so its files were not read');

/** What is said of each file, with how many of its rows can be paid. */
const EXPECTED: Readonly<Record<string, [problems: string[], payouts: number]>> = {
  'aba-impossible-prefix.csv': [['G2 aba_prefix'], 1],
  'crash-french-iban.csv': [['F3 iban_characters'], 1],
  'enc-macroman-excel-mac.csv': [[], 2],
  'enc-windows1250-czech.csv': [[], 5],
  'enc-windows1250-hungarian.csv': [[], 3],
  'enc-windows1254-turkish.csv': [[], 3],
  'html-as-xls.xls': [['row 1 currency column_missing', 'row 1 rail column_missing', 'row 1 no_payouts'], 0],
  'iban-bank-code-not-letters-accepted.csv': [['E2 iban_format', 'E3 iban_format', 'E4 iban_format'], 0],
  'merged-hidden-amount-is-paid.xlsx': [['C2 cells_merged', 'C3 cell_covered'], 2],
  'names-accepted.csv': [
    [
      'B2 name_mixed_alphabets',
      'B3 name_placeholder',
      'B4 name_placeholder',
      'B5 name_without_letters',
      'B6 name_only_digits',
    ],
    2,
  ],
  'nul-byte-no-place.csv': [['B3 control_character'], 1],
  'palestinian-iban-refused.csv': [[], 1],
  'two-header-rows.csv': [['row 2 header_second_row'], 1],
  'zeroHeight-all-rows-hidden-passes.xlsx': [['row 1 rows_hidden_by_default'], 1],
};

describe.skipIf(!isThere)('the files of input faults', () => {
  it('are all judged', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  it.each(Object.entries(EXPECTED))('%s', async (name, [problems, payouts]) => {
    const result = await readInput(await openFile(join(FOLDER, name)));
    expect(placesOf(result).sort()).toEqual(problems.toSorted());
    expect(result.payouts).toBe(payouts);
    const isRefused = /rows_hidden_by_default/.test(problems.join());
    if (isRefused) expect(result.isWhole).toBe(false);
  });

  it.each([
    ['enc-macroman-excel-mac.csv', 'macintosh', 'José Muñoz, Jürgen Groß'],
    [
      'enc-windows1250-czech.csv',
      'windows-1250',
      'Jiří Novák, Kateřina Procházková, Zdeněk Kučera, Ondřej Němec, Lukáš Černý',
    ],
    ['enc-windows1250-hungarian.csv', 'windows-1250', 'Szűcs Gergő, Kőszegi Péter, Erdős Pál'],
    ['enc-windows1254-turkish.csv', 'windows-1254', 'Ayşe Yıldız, Oğuz Şahin, İsmail Güneş'],
  ])('%s is read with its names', async (file, expected, names) => {
    const found: (string | undefined)[] = [];
    const onRow = (row: { order: { payee: { name: string } } | null }) => void found.push(row.order?.payee.name);
    const { encoding } = await readInput(await openFile(join(FOLDER, file)), { onRow });
    expect([encoding, found.join(', ')]).toEqual([expected, names]);
  });
});

/** `payrun check` of the first of some files, in a process of its own. */
async function checked(files: Record<string, string | Buffer>, what = Object.keys(files)[0] ?? '') {
  const cwd = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return payrun(['check', what], { cwd });
}

const SEPA = 'name,amount,currency,rail,account_number';

/** One character of two code units, as mathematical letters and emoji are. */
const BEYOND = ['𝟏', '😀', '𝐀'];

describe('an IBAN with a character beyond the first 65,536', () => {
  it.each(['FR7630006000011234567890𝟏89', 'MC5811222000010123456789𝟏30', 'FR76😀'])(
    '%s is an error at its cell',
    async (iban) => {
      const result = await readAll(
        `${SEPA}\nAnn,1.00,EUR,EUR_SEPA,DE89370400440532013000\nBob,2.00,EUR,EUR_SEPA,${iban}\n`,
      );
      expect(placesOf(result)).toEqual(['E3 iban_characters']);
      expect(result.payouts).toBe(1);
    },
  );

  it('is refused for every country and at every place', () => {
    for (const [country, { chars }] of Object.entries(countrySpecs))
      for (let at = 4; at < (chars ?? 0); at++)
        for (const character of BEYOND) {
          const iban = `${country}00${'0'.repeat(at - 4)}${character}${'0'.repeat(Math.max((chars ?? 0) - at - 2, 0))}`;
          expect(checkIban(iban)[0]?.severity, iban).toBe('error');
        }
  });

  it('does not end `check`', async () => {
    const input = { 'payroll.csv': `${SEPA}\nBob,2.00,EUR,EUR_SEPA,FR7630006000011234567890𝟏89\n` };
    const { exit, stdout, stderr } = await checked(input);
    expect([exit, stderr]).toEqual([3, '']);
    expect(stdout).toContain('error iban_characters at E2');
  });
});

/** Windows-1250 of a name of Hungary; Windows-1252 has other letters for the same bytes. */
const GERGO = Buffer.concat([
  Buffer.from(`${HEADER}\nGerg`),
  Buffer.of(0xf5),
  Buffer.from(` Varga${npp('', '1.00')}\n`),
]);

describe('a text whose bytes could be two names', () => {
  it('is a question, with both of them', async () => {
    const result = await readAll(GERGO);
    expect(placesOf(result)).toEqual(['file encoding_undecided']);
    expect(result.isWhole).toBe(false);
    expect(result.problems[0]?.message).toContain(
      '“Gergő Varga” in windows-1250 (Central Europe); “Gergõ Varga” in windows-1252 (Western Europe).',
    );
    expect(result.problems[0]?.remedy).toContain('--encoding');
  });

  it.each([
    ['windows-1250', 'Gergő Varga'],
    ['windows-1252', 'Gergõ Varga'],
  ] as const)('is answered by --encoding %s', async (encoding, name) => {
    const result = await readAll(GERGO, { encoding });
    expect([result.problems, result.encoding]).toEqual([[], encoding]);
    expect(result.runRows[0]?.order?.payee.name).toBe(name);
  });

  it('is what it is where it is UTF-8, whatever was said', async () => {
    const result = await readAll(`${HEADER}\n${npp('Gergő Varga', '1.00')}\n`, { encoding: 'windows-1252' });
    expect([result.encoding, result.runRows[0]?.order?.payee.name]).toEqual(['utf-8', 'Gergő Varga']);
  });

  it.each([
    ['windows-1252', 'Nome do colaborador,Valor,Moeda,rail,account_number,national_clearing_code', [0xe3], 'João'],
    ['windows-1250', 'Odbiorca,Kwota przelewu,Waluta,rail,account_number,national_clearing_code', [0xe6], 'Joćo'],
    ['windows-1252', HEADER, [0xfc], 'Joüo'],
  ])(
    'is decided as %s by the language of the header %s, or because all read it alike',
    async (encoding, header, bytes, name) => {
      const file = Buffer.concat([
        Buffer.from(`${header}\nJo`),
        Buffer.from(bytes),
        Buffer.from(`o${npp('', '1.00')}\n`),
      ]);
      const result = await readAll(file);
      expect([result.problems, result.encoding]).toEqual([[], encoding]);
      expect(result.runRows[0]?.order?.payee.name).toBe(name);
    },
  );

  it('is asked by `check`, and answered by a job', async () => {
    const job = 'input: payroll.csv\nencoding: windows-1250\n';
    const asked = await checked({ 'payroll.csv': GERGO });
    expect([asked.exit, asked.stdout]).toEqual([3, expect.stringContaining('encoding_undecided')]);
    const answered = await checked({ 'payroll.csv': GERGO, 'job.yaml': job }, 'job.yaml');
    expect([answered.exit, answered.stdout]).toEqual([0, expect.stringContaining('No problems found')]);
  });
});

describe('a row under the header', () => {
  it('without payee and digits is said once to be a second header', async () => {
    const result = await readAll(`${HEADER}\n,(net),,,(as in contract),\n${npp('Ann', '1.00')}\n`);
    expect(placesOf(result)).toEqual(['row 2 header_second_row']);
    expect(result.payouts).toBe(1);
  });

  it('that names a payee is a payout that is not complete', async () => {
    expect(placesOf(await readAll(`${HEADER}\nAnn,,AUD,AUD_NPP,,\n`))).toContain('B2 amount_missing');
  });
});
