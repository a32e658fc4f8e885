import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { problemPlace } from '../../../src/domain/problem.ts';
import {
  abaFile,
  type BankPayment,
  bacsFile,
  nachaFile,
  type Pain001Options,
  pain001File,
} from '../../support/bank-files.ts';
import { cases } from '../../support/cases.ts';
import { payrun, temporaryFolder } from '../../support/payrun.ts';
import { readAll } from '../reading.ts';

const AU: BankPayment[] = [
  { name: 'JANE CITIZEN', minor: 115n, account: '12345678', bank: '062000', reference: 'PAY NOV' },
  { name: 'BOB CITIZEN', minor: 123456n, account: '87654321', bank: '033001', reference: 'PAY NOV' },
];
const UK: BankPayment[] = [
  { name: 'JANE SMITH', minor: 115n, account: '12345678', bank: '401234', reference: 'PAY NOV' },
  { name: 'BOB JONES', minor: 123456n, account: '87654322', bank: '204567', reference: 'PAY' },
];
const US: BankPayment[] = [
  { name: 'JANE SMITH', minor: 115n, account: '12345678', bank: '021000021', reference: 'SALARY' },
  {
    name: 'BOB JONES',
    minor: 123456n,
    account: '87654322',
    bank: '011401533',
    reference: 'SALARY',
    accountType: 'savings',
  },
];
const EU: BankPayment[] = [
  { name: 'Jürgen & Söhne', minor: 115n, account: 'DE89370400440532013000', bank: 'COBADEFFXXX', reference: 'Lohn' },
  { name: 'Ana', minor: 123456n, account: 'NL91ABNA0417164300', bank: '', reference: 'Lohn' },
];

/** Each format with a file of it. */
const FILES: readonly [string, (payments: readonly BankPayment[]) => string, readonly BankPayment[]][] = [
  ['aba', abaFile, AU],
  ['aba', (payments) => abaFile(payments, { isBalanced: true }), AU],
  ['bacs', bacsFile, UK],
  ['bacs', (payments) => bacsFile(payments, { isBalanced: true }), UK],
  ['nacha', nachaFile, US],
  ['pain.001.001.03', pain001File, EU],
  ['pain.001.001.09', (payments) => pain001File(payments, { version: '09', prefix: 'p' }), EU],
];

async function codesOf(content: string | Uint8Array): Promise<string[]> {
  const { problems, isWhole } = await readAll(content);
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  expect(isWhole).toBe(errors.length === 0);
  return errors;
}

async function firstError(content: string | Uint8Array): Promise<string> {
  const { problems } = await readAll(content);
  const found = problems.find(({ severity, code }) => severity === 'error' && !code.startsWith('expected_'));
  return found === undefined ? 'none' : `${found.code} at ${problemPlace(found)}`;
}

describe('a bank file', () => {
  test.each(FILES)('of %s is read as rows of ours', async (format, write, payments) => {
    const { format: known, runRows, isWhole, headerRow, totals } = await readAll(write(payments));
    expect([known, isWhole, headerRow]).toEqual([format, true, null]);
    const read = runRows.map(({ order }) => ({
      name: order?.payee.name,
      minor: order?.amount_minor,
      account: order?.destination.kind === 'account' ? order.destination.fields.account_number : null,
      reference: order?.reference,
    }));
    expect(read).toEqual(
      payments.map(({ name, minor, account, reference }) => ({ name, minor: String(minor), account, reference })),
    );
    expect(totals.map(({ minor }) => minor)).toEqual([123571n]);
  });

  test.each(FILES)('of %s is read the same in chunks of any size', async (_format, write, payments) => {
    const whole = await readAll(write(payments));
    for (const size of [1, 7, 93]) expect((await readAll(write(payments), {}, size)).runRows).toEqual(whole.runRows);
  });

  test.each(FILES)('of %s that is cut off anywhere is refused', async (_format, write, payments) => {
    const text = write(payments);
    const end = text.trimEnd().length;
    const isWholeWithout = /^[9\s]*$/;
    for (let at = 200; at < end; at += cases(31, 13)) {
      // Fillers and blanks at the end say nothing.
      if (isWholeWithout.test(text.slice(at))) break;
      if (text.slice(at, end).trim() === '') continue;
      expect(await codesOf(text.slice(0, at)), `cut at ${at}`).not.toEqual([]);
    }
  });

  test.each(FILES)('of %s with another digit in an amount or a figure is refused', async (_format, write, payments) => {
    const text = write(payments);
    const figures = [...text.matchAll(/123571|(?<=0)123456(?!7)|1235\.71|1234\.56|(?<=NbOfTxs>)2/g)];
    expect(figures.length).toBeGreaterThan(1);
    for (const { index, 0: figure } of figures) {
      const digit = text[index + figure.length - 1] === '7' ? '8' : '7';
      const other = text.slice(0, index + figure.length - 1) + digit + text.slice(index + figure.length);
      // A contra that is not the sum is a collection.
      expect((await codesOf(other))[0], figure).toMatch(/^(?:control_figure_differs|direct_debit_list)$/);
    }
  });
});

test.each([
  [pain001File([EU[0], EU[0]] as BankPayment[]), 'Payment 1 pays the same amount to the same account.', 'payments'],
  [bacsFile([UK[0], UK[0]] as BankPayment[]), 'Record 5 pays the same amount to the same account.', 'records'],
])('a payment that is there twice names the earlier one as the file counts it', async (file, message, unit) => {
  const { problems } = await readAll(file);
  const found = problems.find(({ code }) => code === 'possible_duplicate');
  expect(found).toMatchObject({ message, remedy: expect.stringContaining(`one of the two ${unit}`) });
});

test.each(['--fix', '--annotate'])('check %s writes no copy of a bank file, and says why', async (option) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'payments.xml'), pain001File(EU).replace('NL91', 'NL92'));
  const { exit, stderr } = await payrun(['check', 'payments.xml', option, 'copy.xlsx'], { cwd });
  expect([exit, stderr]).toEqual([2, expect.stringContaining('payments.xml is a bank file')]);
  expect(existsSync(join(cwd, 'copy.xlsx'))).toBe(false);
});

test('check of a bank file names its payments and its errors, without a copy being asked for', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'payments.xml'), pain001File(EU));
  writeFileSync(join(cwd, 'wrong.xml'), pain001File(EU).replace('NL91', 'NL92'));
  const right = await payrun(['check', 'payments.xml'], { cwd });
  expect([right.exit, right.stdout]).toEqual([0, expect.stringContaining('ISO 20022 credit transfers')]);
  const wrong = await payrun(['check', 'wrong.xml'], { cwd });
  expect([wrong.exit, wrong.stdout]).toEqual([3, expect.stringContaining('CdtrAcct/Id')]);
});

const upper = (max: number) => fc.stringMatching(new RegExp(`^[A-Z][A-Z0-9 ]{0,${max - 2}}[A-Z0-9]$`));
const amount = fc.bigInt({ min: 1n, max: 99_999_999n });
const payment = (bank: fc.Arbitrary<string>, digits: number, reference: number) =>
  fc.record({
    name: upper(18),
    minor: amount,
    account: fc.stringMatching(new RegExp(`^[1-9]\\d{${digits - 1}}$`)),
    bank,
    reference: upper(reference),
  });

test('any payments come back as they were written', async () => {
  const bsb = fc.stringMatching(/^\d{6}$/);
  const formats = [
    { write: abaFile, payments: payment(bsb, 9, 18) },
    { write: bacsFile, payments: payment(bsb, 8, 18) },
    { write: nachaFile, payments: payment(fc.stringMatching(/^\d{9}$/), 17, 10) },
    {
      write: (all: readonly BankPayment[]) => pain001File(all, { currency: 'AUD', isSepa: false }),
      payments: payment(fc.constant(''), 8, 35),
    },
  ];
  for (const { write, payments } of formats)
    await fc.assert(
      fc.asyncProperty(fc.array(payments, { minLength: 1, maxLength: 20 }), async (all) => {
        const { runRows, input, problems } = await readAll(write(all));
        const at = (column: string) => input.header.indexOf(column);
        expect(problems.some(({ code }) => code.startsWith('control_'))).toBe(false);
        expect(
          runRows.map(({ cells }) => [cells[at('name')], cells[at('amount')], cells[at('account_number')]]),
        ).toEqual(
          all.map(({ name, minor, account }) => [
            name,
            `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`,
            account,
          ]),
        );
      }),
      { numRuns: cases(8, 25) },
    );
});

describe('what is no payment to a payee', () => {
  test.each([
    ['debits of an ABA file', abaFile(AU, { code: '13' }), 'direct_debit_list at record 2, positions 19-20'],
    ['collections of Bacs', bacsFile(UK, { code: '17' }), 'direct_debit_list at record 5, positions 16-17'],
    [
      'debits of NACHA',
      nachaFile(US, { codes: { checking: '27', savings: '37' } }),
      'direct_debit_list at record 3, positions 2-3',
    ],
    ['a batch of debits', nachaFile(US).replace('\n5220', '\n5225'), 'direct_debit_list at record 2, positions 2-4'],
    [
      'a debit that is not the sum',
      abaFile(AU, { isBalanced: true }).replace('1062-999 11112222 130000123571', '1062-999 11112222 130000123570'),
      'direct_debit_list at record 4, positions 19-20',
    ],
    ['another entry class', nachaFile(US, { entryClass: 'WEB' }), 'field_invalid at record 2, positions 51-53'],
    ['an unknown transaction code', abaFile(AU, { code: '60' }), 'transaction_code_other at record 2, positions 19-20'],
    ['cheques', pain001File(EU, { method: 'CHK' }), 'payment_method_other at PmtInf/PmtMtd, line 4'],
    ['direct debits', pain001File(EU).replace('pain.001.001.03', 'pain.008.001.02'), 'iso_message_other at '],
    ['a statement', pain001File(EU).replace('pain.001.001.03', 'camt.053.001.02'), 'iso_message_other at '],
    ['a status report', pain001File(EU).replace('pain.001.001.03', 'pain.002.001.03'), 'iso_message_other at '],
    ['another version', pain001File(EU).replace('pain.001.001.03', 'pain.001.001.11'), 'iso_message_other at '],
    ['other XML', '<?xml version="1.0"?><Orders/>', 'bank_file_unknown at '],
  ])('%s: refused by name and place', async (_what, content, expected) => {
    expect(await firstError(content)).toBe(expected);
  });

  test('a prenote is left out with a warning', async () => {
    const zero = US.map((payment) => ({ ...payment, minor: 0n }));
    const { problems, runRows } = await readAll(nachaFile(zero, { codes: { checking: '23', savings: '33' } }));
    const codes = problems.map(({ code }) => code);
    expect(codes.filter((code) => code === 'record_not_paid')).toHaveLength(2);
    expect(codes).toContain('no_payouts');
    expect(runRows).toEqual([]);
  });
});

describe('records of fixed length', () => {
  test('without line breaks are read where the format has them', async () => {
    expect((await readAll(nachaFile(US).replaceAll('\n', ''))).payouts).toBe(2);
  });

  test('of Bacs have their fields and those of UTL1 where public tables of Standard 18 have them', async () => {
    const payment = [
      ['401234', 6],
      ['12345678', 14],
      ['0', 15],
      ['99', 17],
      ['204567', 23],
      ['87654321', 31],
      ['', 35],
      ['00000000115', 46],
      ['ACME LTD', 64],
      ['PAY NOV', 82],
      ['JANE SMITH', 100],
    ] as const;
    const trailer = [
      ['UTL1', 4],
      ['0000000000000', 17],
      ['0000000000115', 30],
      ['0000000', 37],
      ['0000001', 44],
      ['', 52],
      ['0000000', 59],
      ['', 80],
    ] as const;
    const line = (fields: readonly (readonly [string, number])[]) =>
      fields.reduce((text, [field, end]) => (text + field).padEnd(end), '');
    const day = `UHL1 26334999999    00000000 DAILY  001${' '.repeat(42)}`.slice(0, 80);
    const file = [day, line(payment), line(trailer)].join('\n');
    const { runRows, problems, payouts } = await readAll(file);
    expect(problems.map(({ code }) => code)).toEqual(['payment_date_not_held']);
    expect([payouts, runRows[0]?.order]).toMatchObject([
      1,
      {
        payee: { name: 'JANE SMITH' },
        amount_minor: '115',
        reference: 'PAY NOV',
        destination: { fields: { national_clearing_code: '401234', account_number: '12345678' } },
      },
    ]);
    const other = file.replace('0000000000115', '0000000000116');
    expect(await firstError(other)).toBe('control_figure_differs at record 3, positions 18-30');
  });

  test('without labels have a warning', async () => {
    const { problems, isWhole } = await readAll(bacsFile(UK, { hasLabels: false }));
    expect([problems.map(({ code }) => code), isWhole]).toEqual([['control_figures_absent'], true]);
  });

  test.each([
    ['a record cut in its middle', abaFile(AU).replace(/(1062-000.{60}).*/, '$1'), 'record_length at record 2'],
    [
      'a letter that ASCII has not',
      abaFile(AU).replace('JANE', 'JÄNE'),
      'record_character at record 2, positions 32-32',
    ],
    ['records behind the end', `${abaFile(AU)}${abaFile(AU)}`, 'record_after_end at record 5'],
    [
      'an amount that is none',
      abaFile(AU).replace('530000000115', '5300000X0115'),
      'field_invalid at record 2, positions 21-30',
    ],
    [
      'another entry hash',
      nachaFile(US).replace(/\n8220000002\d/, '\n82200000029'),
      'control_figure_differs at record 5, positions 11-20',
    ],
    [
      'an account that is none',
      bacsFile(UK).replace('40123412345678', '401234 2345678'),
      'account_number_leading_zero at record 5, positions 7-14',
    ],
  ])('%s: its place is named', async (_what, content, expected) => {
    expect(await firstError(content)).toBe(expected);
  });
});

function changed(from: string | RegExp, to: string, options?: Pain001Options): string {
  const text = pain001File(EU, options);
  const other = text.replace(from, to);
  expect(other).not.toBe(text);
  return other;
}

describe('credit transfers of ISO 20022', () => {
  test.each([
    ['a text that is too long', changed('<Nm>Ana</Nm>', `<Nm>${'A'.repeat(141)}</Nm>`), 'element_invalid'],
    ['an unknown element', changed('<Nm>Ana</Nm>', '<Nm>Ana</Nm><Foo/>'), 'element_unexpected'],
    ['a wrong order', changed(/(<CdtTrfTxInf>)(<PmtId>.*<\/PmtId>)\n(<Amt>.*<\/Amt>)/, '$1$3$2'), 'element_unexpected'],
    ['a missing element', changed('<EndToEndId>E2E-1</EndToEndId>', ''), 'element_missing'],
    [
      'an amount twice',
      changed('1.15</InstdAmt>', '1.15</InstdAmt><InstdAmt Ccy="EUR">9.00</InstdAmt>'),
      'element_unexpected',
    ],
    ['no currency', changed(' Ccy="EUR"', ''), 'element_invalid'],
    [
      'an equivalent amount',
      changed(
        '<InstdAmt Ccy="EUR">1.15</InstdAmt>',
        '<EqvtAmt><Amt Ccy="EUR">1.15</Amt><CcyOfTrf>USD</CcyOfTrf></EqvtAmt>',
      ),
      'amount_equivalent',
    ],
    ['another number', pain001File(EU, { count: '3' }), 'control_figure_differs'],
    ['another sum', pain001File(EU, { sum: '1235.7' }), 'control_figure_differs'],
    ['a document type', changed('<Document', '<!DOCTYPE Document [<!ENTITY a "b">]><Document'), 'xml_doctype'],
    ['an unknown entity', changed('Ana', '&ana;'), 'xml_malformed'],
    ['another encoding', changed('UTF-8', 'EBCDIC'), 'xml_encoding'],
    [
      'elements too deep',
      changed('<Nm>Ana</Nm>', `<Nm>Ana</Nm>${'<a>'.repeat(40)}${'</a>'.repeat(40)}`),
      'xml_too_deep',
    ],
    [
      'a comment without end in bounds',
      changed('<Nm>Ana</Nm>', `<!--${'x'.repeat(2 ** 20 + 2 ** 15)}--><Nm>Ana</Nm>`),
      'xml_too_long',
    ],
    ['a namespace within', changed('<Cdtr><Nm>Ana', '<Cdtr xmlns="urn:other"><Nm>Ana'), 'element_unexpected'],
  ])('%s: refused', async (_what, content, code) => {
    expect(await codesOf(content).catch((error) => [String(error)])).toContain(code);
  });

  test('a problem of a payment names the payment, its element and line', async () => {
    expect(await firstError(changed('NL91ABNA0417164300', 'NL92ABNA0417164300'))).toBe(
      'iban_checksum at payment 2 (CdtTrfTxInf 2, line 10), CdtrAcct/Id',
    );
  });

  test('control sums are decimals and not floats', async () => {
    const many = Array.from({ length: 30 }, () => ({ ...EU[0], minor: 115n }) as BankPayment);
    expect(await codesOf(pain001File(many))).toEqual([]);
    expect(await codesOf(pain001File(EU, { sum: '1235.7100000000' }))).toEqual([]);
  });

  test('other encodings that XML declares', async () => {
    const latin = Buffer.from(pain001File(EU).replace('UTF-8', 'ISO-8859-1'), 'latin1');
    const utf16 = Buffer.from(`\ufeff${pain001File(EU).replace('UTF-8', 'UTF-16')}`, 'utf16le');
    for (const content of [latin, utf16]) {
      const { runRows, problems } = await readAll(content);
      expect(problems.map(({ code }) => code)).toEqual(['payment_date_not_held']);
      expect(runRows[0]?.order?.payee.name).toBe('Jürgen & Söhne');
    }
    expect(await codesOf(Buffer.from(pain001File(EU), 'latin1'))).toEqual(['xml_undecodable']);
  });

  test('several texts are joined, with a warning', async () => {
    const { runRows, problems } = await readAll(
      changed('<Ustrd>Lohn</Ustrd>', '<Ustrd>Lohn</Ustrd><Ustrd>November</Ustrd>'),
    );
    expect(runRows[0]?.order?.reference).toBe('Lohn November');
    expect(problems.map(({ code }) => code)).toContain('reference_joined');
  });

  test('a bank code of another country is refused', async () => {
    const agent =
      '<CdtrAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>401234</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt>';
    const of = (currency: string) =>
      pain001File(
        UK.map((each) => ({ ...each, bank: '' })),
        { currency, isSepa: false },
      ).replaceAll('<Cdtr>', `${agent}<Cdtr>`);
    expect(await codesOf(of('GBP'))).toEqual([]);
    expect(await codesOf(of('AUD'))).toContain('clearing_system_other');
  });

  test('what can be paid must be what the file states, also where rows have errors', async () => {
    const { problems, isWhole } = await readAll(changed('NL91ABNA0417164300', 'NL92ABNA0417164300'));
    expect(problems.map(({ code }) => code)).toContain('expected_count');
    expect(isWhole).toBe(false);
  });
});
