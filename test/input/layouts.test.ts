import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerKey } from '../../src/input/header/header-key.ts';
import { layoutOf } from '../../src/input/header/layout-of.ts';
import { LAYOUTS, type Layout } from '../../src/input/header/layouts.ts';
import { wordsIn } from '../../src/input/header/synonyms.ts';
import { readAll } from './reading.ts';

/** The headers of a text of a layout, each by its first word. */
function headersOf(text: string): string[] {
  return text.split(',').flatMap((word) => wordsIn(word).slice(0, 1));
}

const LINES = LAYOUTS.map((layout) => {
  const [tells, others] = [headersOf(layout.tells), headersOf(layout.others)];
  return { name: layout.name, layout, tells, others, line: [...tells, ...others] };
});

/** How many headers of a text of a layout a line has, each by any of its words. */
function countIn(text: string, cells: readonly string[]): number {
  const keys = new Set(cells.map(headerKey));
  return text.split(',').filter((word) => wordsIn(word).some((one) => keys.has(headerKey(one)))).length;
}

/** A file with a layout's header line and one row, by the first of the headers that a cell is given for. */
function fileOf(name: string, given: Record<string, string>): string {
  const { line = [] } = LINES.find((one) => one.name === name) ?? {};
  const unknown = Object.keys(given).filter((header) => !line.includes(header));
  expect([line.length > 0, unknown]).toEqual([true, []]);
  return `${line.join(';')}\n${line.map((header) => given[header] ?? '').join(';')}\n`;
}

type Paid = { name: string; amount: string; account: string; code?: string | null; reference?: string | null };

/** The account of the one who pays, which no payout may go to. */
const SENDER = '00060350001234';
const INDIAN = { account: '50100123456789', code: 'HDFC0001234', name: 'Priya Nair', amount: '4500075' };

/** The row of each layout that can be paid, by header; the currency, where the file does not say it; what is paid. */
const PAYABLE: readonly (readonly [string, Record<string, string>, string | null, Paid])[] = [
  [
    'Wise batch payments',
    {
      ...{
        name: 'Maria Cruz',
        recipientEmail: 'maria@example.com',
        paymentReference: 'Payroll',
        receiverType: 'PERSON',
      },
      ...{ amountCurrency: 'target', amount: '1200.50', sourceCurrency: 'USD', targetCurrency: 'GBP' },
      ...{ accountNumber: '31926819', sortCode: '601613' },
    },
    null,
    { name: 'Maria Cruz', amount: '120050', account: '31926819', code: '601613', reference: 'Payroll' },
  ],
  [
    'Airwallex batch transfers',
    {
      ...{
        'Transfer to': 'India',
        'Transfer method': 'LOCAL',
        'Currency recipient gets': 'INR',
        'Fee paid by': 'Payer',
      },
      ...{ 'Transfer amount in currency recipient gets': '45000.75', 'Currency you pay': 'AUD', Reference: 'SALARY' },
      ...{ 'Account name': 'Priya Nair', 'Bank identifier type': 'IFSC code', 'Bank identifier value': 'HDFC0001234' },
      ...{ 'Account number': '50100123456789', 'Transfer purpose': 'Wages / salary', 'Recipient type': 'Individual' },
      'Country region': 'India',
    },
    null,
    { ...INDIAN, reference: 'SALARY' },
  ],
  [
    'Airwallex batch transfers, amounts in the currency that is paid',
    {
      ...{
        'Currency recipient gets': 'INR',
        'Transfer amount in currency you pay': '45000.75',
        'Currency you pay': 'INR',
      },
      ...{ 'Account name': 'Priya Nair', 'Bank identifier value': 'HDFC0001234', 'Account number': '50100123456789' },
    },
    null,
    INDIAN,
  ],
  [
    'Airwallex batch transfers (Chinese), amounts in the currency that is paid',
    {
      ...{ 付款至: '阿联酋', 收款方收到的币种: 'AED', 您支付的币种: 'AED', 付款金额以您支付的币种表示: '10.00' },
      ...{ 帐户名: 'Mona Saleh', 银行帐号: 'AE070331234567890123456', 'SWIFT 代码': 'BOMLAEAD', 交易附言: 'INV 7' },
    },
    null,
    { name: 'Mona Saleh', amount: '1000', account: 'AE070331234567890123456', reference: 'INV 7' },
  ],
  [
    'Revolut Business bulk payments',
    {
      ...{ Name: 'Jane Smith', 'Recipient type': 'INDIVIDUAL', 'Account number': '31926819', 'Sort code': '601613' },
      ...{ 'Recipient bank country': 'GB', Currency: 'GBP', Amount: '1250.00', 'Payment reference': 'SALARY JUL' },
    },
    null,
    { name: 'Jane Smith', amount: '125000', account: '31926819', code: '601613', reference: 'SALARY JUL' },
  ],
  [
    'RazorpayX bulk payouts',
    {
      ...{ 'RazorpayX Account Number': SENDER, 'Payout Amount in Rupees': '45000.75', 'Payout Currency': 'INR' },
      ...{ 'Payout Mode': 'IMPS', 'Payout Narration': 'SAL JUN', 'Fund Account Name': 'Priya Nair' },
      ...{ 'Fund Account Ifsc': 'HDFC0001234', 'Fund Account Number': '50100123456789', 'Contact Name': 'Nair & Co' },
    },
    null,
    { ...INDIAN, reference: 'SAL JUN' },
  ],
  [
    'HDFC Bank ENet bulk payments',
    {
      ...{ 'Transaction Type': 'N', 'Beneficiary Code': '1', 'Beneficiary Account No': '50100123456789' },
      ...{ 'Instrument Amount': '45000.75', 'Beneficiary Name': 'Priya Nair', 'IFC Code': 'HDFC0001234' },
      'Debit Account No': SENDER,
    },
    'INR',
    INDIAN,
  ],
  [
    'ICICI Bank CIB payments',
    {
      ...{ 'Debit Ac No': SENDER, 'Beneficiary Ac No': '50100123456789', 'Beneficiary Name': 'Priya Nair' },
      ...{ Amt: '45000.75', 'Pay Mod': 'N', IFSC: 'HDFC0001234', Remarks: 'SAL JUN' },
    },
    'INR',
    { ...INDIAN, reference: 'SAL JUN' },
  ],
  [
    'ICICI Bank CIB payments by product code',
    {
      ...{ PYMT_PROD_TYPE_CODE: 'PAB_VENDOR', PYMT_MODE: 'NEFT', DEBIT_ACC_NO: SENDER, BNF_NAME: 'Priya Nair' },
      ...{ BENE_ACC_NO: '50100123456789', BENE_IFSC: 'HDFC0001234', AMOUNT: '45000.75', DEBIT_NARR: 'ours' },
      CREDIT_NARR: 'SAL JUN',
    },
    'INR',
    { ...INDIAN, reference: 'SAL JUN' },
  ],
  ['ICICI Bank CIB salaries', indianRow('Beneficiary Account No', 'Debit Account No', 'Remarks'), 'INR', saidIndian()],
  [
    'ICICI Bank CIB transfers',
    { ...indianRow('Beneficiary Account No', 'Debit Account No'), Currency: 'INR', 'Payment Mode': 'NEFT' },
    null,
    INDIAN,
  ],
  [
    'Kotak Mahindra Bank CMS payments',
    {
      ...{ Client_Code: 'ACME', Product_Code: 'VPAY', Dr_Ac_No: SENDER, Amount: '45000.75', Beneficiary_Code: 'V1' },
      ...{ Beneficiary_Name: 'Priya Nair', 'Beneficiary_Branch IFSC Code': 'HDFC0001234', Debit_Narration: 'ours' },
      ...{ Beneficiary_Acc_No: '50100123456789', Credit_Narration: 'SAL JUN' },
    },
    'INR',
    { ...INDIAN, reference: 'SAL JUN' },
  ],
  [
    'Kotak Mahindra Bank salaries',
    indianRow('Beneficiary Account Number', 'Debit Account Number', 'Narration'),
    'INR',
    saidIndian(),
  ],
  ['SBI CMP payments', indianRow('Beneficiary Account Number', 'Debit Account Number', 'Remarks'), 'INR', saidIndian()],
  [
    'SBI Saral payments',
    indianRow('Beneficiary Account No', 'Debit Account No', 'Narration Remarks'),
    'INR',
    saidIndian(),
  ],
  [
    'Axis Bank salaries',
    {
      ...{ PaymentType: 'NEFT', BeneficiaryName: 'Priya Nair', BeneficiaryAccountNo: '50100123456789' },
      ...{ IFSC: 'HDFC0001234', Amount: '45000.75', DebitAccountNo: SENDER, Narration: 'SAL JUN' },
    },
    'INR',
    saidIndian(),
  ],
  [
    'Federal Bank FedCorp payments',
    {
      ...{ 'Source Acc No': SENDER, 'Ben Acc No': '50100123456789', 'Ben Name': 'Priya Nair', Amount: '45000.75' },
      ...{ IFSC: 'HDFC0001234', 'Pmt Details': 'SAL JUN' },
    },
    'INR',
    saidIndian(),
  ],
  [
    'UOB GIRO and FAST payments',
    {
      ...{ 'Record No': '1', 'Receiving BIC Code': 'DBSSSGSG', 'Receiving Bank A/C No': '0012345678' },
      ...{ 'Receiving A/C Name': 'Tan Wei Ming', Amount: '1200.00', 'Beneficiary Reference': 'SAL' },
      ...{ 'Remittance Information': 'NOV', 'Payers Name Line 1': 'Acme Pte Ltd' },
    },
    'SGD',
    { name: 'Tan Wei Ming', amount: '120000', account: '0012345678', code: 'DBSSSGSG', reference: 'SAL' },
  ],
  [
    'Axis Bank corporate payments',
    {
      ...{ 'Message Type': 'NEFT', 'Debit Account No': SENDER, 'Beneficiary Name': 'Priya Nair' },
      ...{ 'Payment Amount': '45000.75', 'Beneficiary Bank Swift Code IFSC Code': 'HDFC0001234' },
      ...{ 'Beneficiary Account No': '50100123456789', 'Transaction Type Code': 'LBT' },
    },
    'INR',
    INDIAN,
  ],
  [
    'BBVA nómina (Mexico)',
    { 'NO EMPLEADO': '1', NOMBRE: 'Juan Perez', CLABE: '032180000118359719', BANCO: '40012', IMPORTE: '12500.00' },
    'MXN',
    { name: 'Juan Perez', amount: '1250000', account: '032180000118359719' },
  ],
];

function saidIndian(): Paid {
  return { ...INDIAN, reference: 'SAL JUN' };
}

function indianRow(account: string, sender: string, reference?: string): Record<string, string> {
  return {
    ...{ 'Beneficiary Name': 'Priya Nair', [account]: '50100123456789', 'IFSC Code': 'HDFC0001234' },
    ...{ Amount: '45000.75', [sender]: SENDER, ...(reference !== undefined && { [reference]: 'SAL JUN' }) },
  };
}

/** Layouts of which nothing is paid: a row, and why. */
const REFUSED: readonly (readonly [string, Record<string, string>, string, string])[] = [
  [
    'Wise saved recipients',
    { recipientId: '11111111', name: 'Maria Cruz', recipientEmail: 'm@example.com', recipientDetail: 'Wise account' },
    'contact_list',
    'Wise has a batch file with bank details',
  ],
  [
    'PayPal payouts',
    { 'Email/Phone': 'j@example.com', Amount: '12.50', 'Currency code': 'USD', 'Recipient wallet': 'PAYPAL' },
    'contact_list',
    'PayPal keeps no bank accounts',
  ],
  [
    'RazorpayX bulk payouts, amounts in paise',
    {
      ...{ 'RazorpayX Account Number': SENDER, 'Payout Amount': '4500075', 'Payout Currency': 'INR' },
      ...{ 'Fund Account Name': 'Priya Nair', 'Fund Account Ifsc': 'HDFC0001234' },
      'Fund Account Number': '50100123456789',
    },
    'amount_in_minor_units',
    '45000.75 in place of 4500075',
  ],
  [
    'Paystack bulk transfers',
    {
      'Transfer Amount': '15000',
      'Bank Code or Slug': '058',
      'Account Number': '0123456789',
      'Account Name': 'Ada Obi',
    },
    'column_missing',
    'suggests NGN, which no rail of payrun pays',
  ],
  ['Mashreq Bank salaries (UAE)', wageRow(), 'bic_missing', 'BIC'],
  [
    'DATEV Lohn, Bruttoliste',
    { Personalnummer: '1001', Nachname: 'Müller', Vorname: 'Jürgen', Lohnart: '1000', Betrag: '2345.67' },
    'gross_list',
    'Auszahlungsliste',
  ],
  [
    'Stripe payouts export',
    { id: 'po_1', Amount: '3930.14', Currency: 'usd', Status: 'paid' },
    'unpayable_layout',
    'payroll',
  ],
  [
    'Stripe payments export',
    { id: 'ch_1', Amount: '10.00', Currency: 'usd', Fee: '0.59' },
    'unpayable_layout',
    'payroll',
  ],
  [
    'Payoneer payment requests',
    { 'Company Name': 'Acme Ltd', 'First Name': 'Jo', 'Last Name': 'Li', Email: 'jo@example.com', Amount: '10' },
    'unpayable_layout',
    'with their accounts',
  ],
  [
    'Sage 50 transactions',
    { Type: 'PI', 'Account Reference': 'ACME01', 'Net Amount': '10.00' },
    'unpayable_layout',
    'e-Banking',
  ],
  ['Xero bills', { ContactName: 'Acme', UnitAmount: '10.00', AccountCode: '200' }, 'unpayable_layout', 'batch payment'],
  [
    'QuickBooks Online bills',
    { BillNo: '7', Supplier: 'Acme', ItemAmount: '10.00' },
    'unpayable_layout',
    'open amount',
  ],
  ['Gusto payroll journal', { 'Last Name': 'Li', 'First Name': 'Jo', 'Net Pay': '10.00' }, 'unpayable_layout', 'Gusto'],
  ['Gusto payroll upload', { last_name: 'Li', first_name: 'Jo', regular_hours: '8' }, 'unpayable_layout', 'Gusto'],
];

function wageRow(): Record<string, string> {
  return {
    ...{ 'Sl No': '1', 'Beneficiary Account Number': 'AE070331234567890123456', 'Beneficiary Name': 'Mona Saleh' },
    ...{ Amount: '3250.00', 'Bank Code': '033', 'Employee No': '7' },
  };
}

describe('a known layout', () => {
  it('has a source, and is tested here to be paid or refused', () => {
    expect(LAYOUTS.filter(({ source }) => !/^(?:https:\/\/|GitHub: ")/.test(source))).toEqual([]);
    const tested = [...PAYABLE.map(([name]) => name), ...REFUSED.map(([name]) => name)];
    expect(tested.toSorted()).toEqual(LAYOUTS.map(({ name }) => name).toSorted());
    const missing = ({ columns = {}, ignored = '', tells, others }: Layout) => {
      const known = new Set([tells, others].flatMap(wordsIn));
      return [...Object.values(columns), ignored].flatMap(wordsIn).filter((header) => !known.has(header));
    };
    expect(LAYOUTS.flatMap(missing)).toEqual([]);
  });

  it.each(PAYABLE)('%s is read with its columns', async (name, row, currency, paid) => {
    const file = fileOf(name, row);
    if (currency !== null) {
      const { problems, payouts } = await readAll(file);
      expect(payouts).toBe(0);
      expect(problems.find(({ column }) => column === 'currency')?.remedy).toContain(`--currency ${currency}`);
    }
    const result = await readAll(file, currency === null ? {} : { currency });
    expect([
      layoutOf(result.input.header)?.name,
      result.problems.filter(({ severity }) => severity === 'error'),
    ]).toEqual([name, []]);
    const order = result.runRows[0]?.order;
    expect(order).toMatchObject({ amount_minor: paid.amount, payee: { name: paid.name } });
    expect(order?.reference ?? null).toBe(paid.reference ?? null);
    const destination = JSON.stringify(order?.destination);
    expect(destination).toContain(paid.account);
    if (paid.code !== undefined && paid.code !== null) expect(destination).toContain(paid.code);
    expect(destination).not.toContain(SENDER);
  });

  it.each(REFUSED)('%s is refused', async (name, row, code, words) => {
    const result = await readAll(fileOf(name, row), name.startsWith('Mashreq') ? { currency: 'AED' } : {});
    expect([layoutOf(result.input.header)?.name, result.payouts]).toEqual([name, 0]);
    const problem = result.problems.find((one) => one.code === code);
    expect(`${problem?.message} ${problem?.remedy}`).toContain(words);
    if (code === 'unpayable_layout') expect(problem?.message).toContain(name);
  });

  it('with amounts in the currency that is sent pays nothing where that is another, or unsaid', async () => {
    const [name, row] = PAYABLE[2] ?? ['', {}];
    for (const sent of ['AUD', '']) {
      const { problems, payouts } = await readAll(fileOf(name, { ...row, 'Currency you pay': sent }));
      expect([payouts, problems.map(({ code }) => code)]).toEqual([0, ['amount_of_source_currency']]);
      expect(problems[0]?.message).toContain('Transfer amount in currency you pay');
    }
  });

  it('without accounts can be paid once somebody added them', async () => {
    const text =
      'Last Name,First Name,Gross Earnings,Net Pay,Social Security (Employee),Medicare (Employee),Sort Code,Account Number\nLi,Jo,20.00,10.00,1,1,601613,31926819\n';
    const columns = [{ header: 'Net Pay', column: 'amount' as const }];
    const result = await readAll(text, { columns, currency: 'GBP' });
    expect([layoutOf(result.input.header)?.name, result.payouts]).toEqual(['Gusto payroll journal', 1]);
  });

  it('counts less than what a person says of a header', async () => {
    const [name, row] = PAYABLE.find(([one]) => one === 'RazorpayX bulk payouts') ?? ['', {}];
    const file = fileOf(name, row);
    const of = async (header: string, column: 'name' | 'reference' | null) =>
      (await readAll(file, { columns: [{ header, column }] })).runRows[0]?.order;
    expect((await of('Contact Name', 'name'))?.payee.name).toBe('Nair & Co');
    expect((await of('Payout Mode', 'reference'))?.reference).toBe('IMPS');
    expect((await of('Payout Narration', null))?.reference).toBeNull();
  });
});

describe('the layout of a header line', () => {
  it.each(LINES)('$name is found in any order, and with any other header missing', ({ name, tells, others }) => {
    const all = [...tells, ...others];
    expect(layoutOf([...all, 'Department', ''])?.name).toBe(name);
    expect(layoutOf(all.toReversed().map((header) => ` ${header.toUpperCase()} `))?.name).toBe(name);
    for (const left of others) expect(layoutOf(all.filter((header) => header !== left))?.name).toBe(name);
    for (const left of tells) expect(layoutOf(all.filter((header) => header !== left))?.name).not.toBe(name);
  });

  it('is that of which it has more headers, or none where two fit equally', () => {
    const pool = [...new Set(LINES.flatMap(({ line }) => line))];
    const lines = fc.constantFrom(...LINES);
    fc.assert(
      fc.property(lines, lines, fc.subarray(pool, { maxLength: 20 }), (one, other, more) => {
        const cells = [...new Set([...one.line, ...other.line, ...more])];
        const fitting = LAYOUTS.filter(({ tells }) => countIn(tells, cells) === tells.split(',').length);
        const counts = fitting.map(({ tells, others }) => countIn(tells, cells) + countIn(others, cells));
        const most = Math.max(...counts);
        const best = fitting.filter((_layout, at) => counts[at] === most);
        expect(layoutOf(cells)).toBe(best.length === 1 ? best[0] : null);
      }),
    );
  });

  it('is none for other files', () => {
    const samples = globSync(join(import.meta.dirname, '../../samples/*.csv'));
    expect(samples.length).toBeGreaterThan(3);
    const corpus = globSync(join(import.meta.dirname, 'corpus/*.csv')).filter((file) => !file.includes('wise'));
    for (const file of [...samples, ...corpus])
      for (const line of readFileSync(file, 'utf8').split('\n').slice(0, 20))
        expect([file, layoutOf(line.split(/[;,\t|]/))?.name]).toEqual([file, undefined]);
    for (const line of [
      'name,amount,currency,rail,account_number,national_clearing_code,reference',
      'Beneficiary Name,Account Number,IFSC,Amount,Narration',
      'Name;IBAN;Betrag;Verwendungszweck',
      'Date,Description,Amount,Balance',
    ])
      expect(layoutOf(line.split(/[;,]/))).toBeNull();
  });
});
