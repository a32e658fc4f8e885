import { describe, expect, it } from 'vitest';
import { placesOf, readAll } from './reading.ts';

const GBP = 'Account Holder,Sort Code,Account Number,Amount\nAlice ONeil,60-16-13,31926819,2354.44\n';

async function missingIn(text: string) {
  const { problems } = await readAll(text);
  return problems.find(({ code, column }) => code === 'column_missing' && column === 'currency');
}

describe('a file without a column for the currency', () => {
  it('is in the one that is given, and its holders of accounts are its payees', async () => {
    const result = await readAll(GBP, { currency: 'GBP' });
    expect(result).toMatchObject({ problems: [], payouts: 1, givenCurrency: { code: 'GBP', source: 'option' } });
    expect(result.runRows[0]?.order).toMatchObject({
      amount_minor: '235444',
      currency: { code: 'GBP' },
      payee: { name: 'Alice ONeil' },
    });
  });

  it('is in that of this command before that of the job, and of the job before what is remembered', async () => {
    const memory = { recall: () => ({ columns: [], currency: 'USD' }) };
    const of = async (options: object) => (await readAll(GBP, { memory, ...options })).givenCurrency;
    expect(await of({})).toEqual({ code: 'USD', source: 'remembered' });
    expect(await of({ jobCurrency: 'EUR' })).toEqual({ code: 'EUR', source: 'job' });
    expect(await of({ jobCurrency: 'EUR', currency: 'GBP' })).toEqual({ code: 'GBP', source: 'option' });
  });

  it('is in the one that a line above the header names', async () => {
    const text = `Currency:,GBP\n\n${GBP}`;
    expect(await readAll(text)).toMatchObject({ payouts: 1, givenCurrency: { code: 'GBP', source: 'file' } });
    const memory = { recall: () => ({ columns: [], currency: 'EUR' }) };
    expect((await readAll(text, { memory })).givenCurrency).toEqual({ code: 'GBP', source: 'file' });
    for (const line of ['Currency:,pounds', 'Currency:,GBP,EUR', 'Department,GBP'])
      expect((await readAll(`${line}\n\n${GBP}`)).givenCurrency).toBeNull();
  });

  it('is paid in the currency of a row that names one', async () => {
    const text = 'name,amount,currency,external_account_id\nAna,1,EUR,a\nBob,2,,b\n';
    const { totals } = await readAll(text, { currency: 'GBP' });
    expect(totals.map(({ currency, minor }) => [currency.code, minor])).toEqual([
      ['EUR', 100n],
      ['GBP', 200n],
    ]);
  });

  it.each([
    ['Sort Code', GBP, 'GBP'],
    ['IFSC', 'Name,Account,IFSC Code,Amount\nAna,50100123456789,HDFC0001234,1\n', 'INR'],
    ['BSB', 'Name,Account,BSB,Amount\nAna,12345678,062-000,1\n', 'AUD'],
    ['CLABE', 'Name,CLABE,Amount\nAna,032180000118359719,1\n', 'MXN'],
    ['PIX', 'Nome,Chave PIX,Valor\nAna,ana@example.com,1\n', 'BRL'],
    ['routing numbers', 'Name,Account,Routing Number,Amount\nAna,1234567890,021000021,1\n', 'USD'],
    ['IBANs', 'Name,IBAN,Amount\nAna,DE89370400440532013000,1\nBob,ES91 2100 0418 4502 0005 1332,2\n', 'EUR'],
    ['its header of amounts', 'Name,Account,Amount (AUD)\nAna,12345678,1\n', 'AUD'],
    ['a name in it', 'Name,Account,IFSC,Payout Amount (in Rupees)\nAna,1,HDFC0001234,1\n', 'INR'],
  ])('has one proposed by %s, and is not paid', async (_what, text, code) => {
    expect((await readAll(text)).payouts).toBe(0);
    const missing = await missingIn(text);
    expect(missing?.params).toMatchObject({ proposed: { code, isPaid: true } });
    expect(missing?.remedy).toContain(`--currency ${code}`);
  });

  it.each([
    ['where nothing implies one', 'Name,Account,Amount\nAna,0123456789,1\n'],
    ['where the sign is of many', 'Name,Account,Amount ($)\nAna,12345678,1\n'],
    ['where the signs contradict each other', 'Name,IBAN,Sort Code,Amount (EUR)\nAna,DE89370400440532013000,,1\n'],
    ['where IBANs are of several', 'Name,IBAN,Amount\nA,DE89370400440532013000,1\nB,GB29NWBK60161331926819,1\n'],
    ['where the country has accounts in several', 'Name,IBAN,Amount\nA,CZ6508000000192000145399,1\n'],
  ])('has none proposed %s', async (_what, text) => {
    const missing = await missingIn(text);
    expect(missing?.params).toMatchObject({ proposed: null });
    expect(missing?.remedy).toContain('as in --currency GBP');
  });

  it('is told that no rail pays the one that it implies', async () => {
    const missing = await missingIn('Name,IBAN,Amount PKR\nSara,PK36SCBL0000001123456702,8400\n');
    expect(missing?.message).toContain('The header `Amount PKR` suggests PKR, which no rail of payrun pays.');
    expect(missing?.remedy).toContain('AUD, USD');
  });

  it.each([
    ['Výplata (Kč)', 'Jméno,Číslo účtu,Výplata (Kč)\nEva,19-2000145399,1\n', 'CZK'],
    ['金额（元）', '收款人姓名,收款人账号,金额（元）\n张伟,6228480402564890018,1\n', 'CNY'],
    ['提現金額(HK$)', '收款人,收款帳號,提現金額(HK$)\n陳大文,123456789,1\n', 'HKD'],
    ['Valor (R$)', 'Nome,Conta,Valor (R$)\nAna,12345,1\n', 'BRL'],
    ['บาท', 'ชื่อผู้รับเงิน,เลขที่บัญชี,จำนวนเงิน (บาท)\nสมชาย,1234567890,1\n', 'THB'],
    ['Japanese accounts', '受取人名,口座番号,振込金額\nﾔﾏﾀﾞ ﾀﾛｳ,0123456,1\n', 'JPY'],
    ['Korean accounts', '예금주,입금계좌번호,이체금액(원)\n김철수,110123456789,1\n', 'KRW'],
    ['Vietnamese accounts', 'Tên người thụ hưởng,Số tài khoản,Số tiền\nAnh,0123456789,1\n', 'VND'],
    ['Indonesian accounts', 'Nama Penerima,No. Rekening,Jumlah Transfer\nBudi,1234567890,1\n', 'IDR'],
    ['Turkish IBANs', 'Alıcı Adı,IBAN,Tutar\nAyşe,TR330006100519786457841326,1\n', 'TRY'],
    [
      'RUT beside a dollar sign',
      'RUT Trabajador,Nombre,Numero Cuenta,Monto ($)\n12345678-5,Ana,12345678,850000\n',
      'CLP',
    ],
    ['CLABE beside a dollar sign', 'Nombre,CLABE,Monto ($)\nAna,032180000118359719,1\n', 'MXN'],
  ])('has one proposed by %s', async (_what, text, code) => {
    expect((await readAll(text)).payouts).toBe(0);
    expect((await missingIn(text))?.params).toMatchObject({ proposed: { code } });
  });
});

describe('a currency that is named twice', () => {
  const HEAD = 'name,currency,external_account_id';

  it.each([
    ['Amount (EUR)', 'EUR', []],
    ['Amount (EUR)', 'USD', ['D2 amount_header_currency_differs']],
    ['Net pay €', 'USD', ['D2 amount_header_currency_differs']],
    ['amount_usd', 'USD', []],
    ['Betrag in EUR', 'GBP', ['D2 amount_header_currency_differs']],
    // A sign of many agrees with each.
    ['Amount ($)', 'MXN', []],
    ['Amount ($)', 'EUR', ['D2 amount_header_currency_differs']],
  ])('%s over a row in %s', async (header, currency, places) => {
    expect(placesOf(await readAll(`${HEAD},${header}\nAna,${currency},a,99.10\n`))).toEqual(places);
  });

  it('counts also where a person says that the header is the amount, or gives the currency', async () => {
    const columns = [{ header: 'Gehalt (EUR)', column: 'amount' as const }];
    const text = 'name,external_account_id,Gehalt (EUR)\nAna,a,99.10\n';
    expect(placesOf(await readAll(text, { columns, currency: 'USD' }))).toEqual(['C2 amount_header_currency_differs']);
    expect((await readAll(text, { columns, currency: 'EUR' })).payouts).toBe(1);
  });

  it('by a second column of amounts is a question', async () => {
    const text = 'Alici Adi;IBAN;Tutar TL;Tutar USD (net)\nAyşe;TR330006100519786457841326;41250.00;1250.00\n';
    expect(placesOf(await readAll(text, { currency: 'USD' }))).toContain('D1 column_twice');
    const columns = [{ header: 'Tutar USD (net)', column: null }];
    expect(placesOf(await readAll(text, { currency: 'USD', columns }))).not.toContain('D1 column_twice');
  });

  it('by another column is an error of the rows where they differ, unless a person says of both what they are', async () => {
    const text = `${HEAD},amount,Denomination Currency\nAna,EUR,a,1,EUR\nBob,EUR,b,820.50,USD\nCid,EUR,c,1,\n`;
    const result = await readAll(text);
    expect([placesOf(result), result.payouts]).toEqual([['B3 currencies_differ'], 2]);
    expect(result.problems[0]?.remedy).toContain('--column "Denomination Currency="');
    const ignored = { header: 'Denomination Currency', column: null };
    expect((await readAll(text, { columns: [ignored] })).payouts).toBe(2);
    const amount = { header: 'amount', column: 'amount' as const };
    expect((await readAll(text, { columns: [ignored, amount] })).payouts).toBe(3);
    expect(result.problems[0]?.remedy).toContain('--column "amount=amount"');
  });

  it('by the currency of an invoice beside a plain amount is one too, also where it is ignored or the currency is given', async () => {
    const text = 'Name,external_account_id,Amount,Invoice Currency\nAna,a,820.50,USD\n';
    for (const header of ['Invoice Currency', 'D'])
      for (const columns of [[], [{ header, column: null }]]) {
        const result = await readAll(text, { columns, currency: 'EUR' });
        expect([result.problems.map(({ code }) => code), result.payouts]).toEqual([['currencies_differ'], 0]);
      }
    expect((await readAll(text, { currency: 'USD' })).payouts).toBe(1);
  });

  it('by the currency of the account is answered by ignoring it', async () => {
    const text = 'Name,external_account_id,Amount,Currency,Account Currency\nAna,a,820.50,USD,EUR\n';
    expect((await readAll(text)).payouts).toBe(0);
    expect((await readAll(text, { columns: [{ header: 'Account Currency', column: null }] })).payouts).toBe(1);
  });

  it.each([
    ['Invoice Amount', 'Invoice Currency'],
    ['Requested amount', 'Currency requested'],
    ['Rechnungsbetrag', 'Rechnungswährung'],
    ['Montant facture', 'Devise facture'],
    ['Invoice amount', 'Amount currency'],
  ])('by the currency of %s is an error that no mapping answers', async (amount, currency) => {
    const text = `Name,external_account_id,${amount},${currency},Payment Currency\nAna,a,820.50,USD,EUR\n`;
    const columns = [{ header: amount, column: 'amount' as const }];
    for (const answer of [[], [{ header: currency, column: null }]]) {
      const result = await readAll(text, { columns: [...columns, ...answer] });
      expect(result.problems.map(({ code }) => code)).toContain('amount_of_other_currency');
      expect(result.payouts).toBe(0);
    }
    expect((await readAll(text.replace('USD', 'EUR'), { columns })).payouts).toBe(1);
  });

  it('is found also where the chain of a crypto asset is still missing', async () => {
    const text =
      'Name,Wallet Address,Amount,Denomination Currency,Payment Currency\nA,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,820.50,USD,ETH\n';
    expect((await readAll(text)).problems.map(({ code }) => code)).toContain('currencies_differ');
  });
});

describe('a number and a sum above the header', () => {
  const rows = 'name,amount,currency,external_account_id\nAna,300.00,AUD,a\nBob,50.00,AUD,b\n';
  const under = (...lines: string[]) => readAll(`${lines.join('\n')}\n\n${rows}`);

  it.each([
    ['agree', ['Total Records,2', 'Total Amount,350.00'], [], 2],
    ['agree with the currency beside it', ['No. of payments:,2', 'Total,350.00 AUD'], [], 2],
    ['are of something else', ['Employees,45', 'Total hours,320.50', 'Batch,7', 'Total deductions,12.00'], [], 2],
    ['differ in the number', ['Total Records,3'], ['row 1 count_above_differs'], 2],
    ['differ in the sum', ['Salaries', 'Total Amount,350.01'], ['row 2 total_line_differs'], 2],
  ])('%s', async (_what, lines, places, payouts) => {
    const result = await under(...lines);
    expect(placesOf(result).filter((place) => !place.includes('rows_above_header'))).toEqual(places);
    expect([result.isWhole, result.payouts]).toEqual([places.length === 0, payouts]);
  });

  it('is not compared where an amount could not be read', async () => {
    const result = await readAll(`Total Amount,350.00\n\n${rows}Cid,?,AUD,c\n`);
    expect(result.problems.map(({ code }) => code)).not.toContain('total_line_differs');
  });
});
