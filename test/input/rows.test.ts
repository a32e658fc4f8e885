import { describe, expect, it } from 'vitest';
import { HEADER, npp, placesOf, readAll } from './reading.ts';

/** The problems of a file with one row: the columns and their cells. */
async function problemsOf(row: Record<string, string>): Promise<string[]> {
  const cells = Object.values(row).map((cell) => `"${cell.replaceAll('"', '""')}"`);
  const result = await readAll(`${Object.keys(row).join(',')}\n${cells.join(',')}\n`);
  return result.problems.map(({ severity, column, code }) => `${severity} ${column} ${code}`);
}

const GOOD = {
  name: 'Zoë Müller',
  amount: '12.50',
  currency: 'AUD',
  rail: 'AUD_NPP',
  account_number: '12345678',
  national_clearing_code: '062-000',
};

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CRYPTO = { name: 'Ana', amount: '1', currency: 'USDC', rail: 'WEB3', wallet_address: WALLET, chain: 'polygon' };

describe('a row becomes an order', () => {
  it('with everything that is sent', async () => {
    const header =
      'payee_id,name,amount,currency,rail,account_number,sort_code,reference,description,email,phone_country_code,phone_number,' +
      'entity_name,registration_number,address_line1,city,postal_code,country,department';
    const row =
      'E1, Zoë Ltd ,"1,234.50",gbp,gbp fps,31926819,60-16-13,PAY 07,July,zoe@example.com,44,20 7946 0018,Zoë Ltd,09876543,1 High St,Leeds,LS1 1AA,gb,Art';
    const { runRows, problems, input, totals } = await readAll(`${header}\n${row}\n`);
    expect(problems).toEqual([]);
    expect(runRows).toEqual([
      {
        row: 2,
        cells: [
          'E1',
          ' Zoë Ltd ',
          '1,234.50',
          'gbp',
          'gbp fps',
          '31926819',
          '60-16-13',
          'PAY 07',
          'July',
          'zoe@example.com',
          '44',
          '20 7946 0018',
          'Zoë Ltd',
          '09876543',
          '1 High St',
          'Leeds',
          'LS1 1AA',
          'gb',
          'Art',
        ],
        problem: null,
        order: {
          row: 2,
          payee: {
            payee_id: 'E1',
            name: 'Zoë Ltd',
            email: 'zoe@example.com',
            phone: { country_code: '+44', number: '20 7946 0018' },
            business: {
              entity_name: 'Zoë Ltd',
              registration_number: '09876543',
              address: {
                line1: '1 High St',
                line2: null,
                city: 'Leeds',
                state: null,
                postal_code: 'LS1 1AA',
                country: 'GB',
              },
            },
          },
          recipient_id: null,
          destination: {
            kind: 'account',
            rail: 'GBP_FPS',
            account_name: 'Zoë Ltd',
            fields: {
              account_number: '31926819',
              national_clearing_code: '601613',
              bic: '',
              account_type: '',
              wallet_address: '',
              chain: '',
            },
          },
          amount_minor: '123450',
          currency: { code: 'GBP', chain: null, decimals: 2 },
          source: null,
          reference: 'PAY 07',
          description: 'July',
        },
      },
    ]);
    expect(input.columns.at(-1)).toBeNull();
    expect(input.columns[6]).toBe('national_clearing_code');
    expect(totals).toEqual([{ currency: { code: 'GBP', chain: null, decimals: 2 }, count: 1, minor: 123450n }]);
  });

  it('that is paid from another currency, however its cell is written', async () => {
    const sources = ['eur', ' EUR ', 'USDC on ethereum', 'usdc|ethereum', 'USDC (Ethereum)', 'gbp', ''];
    const rows = sources.map((source) => `Ana,1,GBP,acc_1,${source}`).join('\n');
    const { runRows, problems } = await readAll(`name,amount,currency,external_account_id,source_currency\n${rows}\n`);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const euro = { code: 'EUR', chain: null, decimals: 2 };
    const coin = { code: 'USDC', chain: 'ethereum', decimals: 6 };
    expect(runRows.map(({ order }) => order?.source)).toEqual([euro, euro, coin, coin, coin, null, null]);
  });

  it('but not where another column does not say that its amount is what the payee receives', async () => {
    const header = 'name,amount,amountCurrency,sourceCurrency,targetCurrency,IBAN\n';
    const { problems } = await readAll(
      `${header}Ana,1,source,GBP,EUR,IE88AIBK93115213111110\nBen,1,target,GBP,EUR,LU280019400644750000\nCy,2,source,EUR,EUR,LU280019400644750000\n`,
    );
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ row, code }) => `${row} ${code}`)).toEqual(['2 amount_of_source_currency']);
  });

  it('to an account that exists at the service, without bank fields', async () => {
    const { runRows, problems } = await readAll(
      'name,amount,currency,external_account_id,recipient_id\nAna,1,AUD,acc_1,rec_1\n',
    );
    expect(problems).toEqual([]);
    expect(runRows[0]?.order).toMatchObject({
      recipient_id: 'rec_1',
      destination: { kind: 'existing', external_account_id: 'acc_1' },
    });
  });

  it('to a wallet', async () => {
    expect(await problemsOf(CRYPTO)).toEqual([]);
  });

  it('with totals by currency and chain, of the payable rows only', async () => {
    const header = 'name,amount,currency,rail,wallet_address,chain';
    const rows = [
      `A,1,USDC,WEB3,${WALLET},polygon`,
      `B,2,USDC,WEB3,${WALLET},ethereum`,
      `C,3.5,USDC,WEB3,${WALLET},polygon`,
      `,9,USDC,WEB3,${WALLET},polygon`,
    ];
    const { totals, rows: count, payouts } = await readAll([header, ...rows].join('\n'));
    expect(totals.map(({ currency, count, minor }) => [currency.chain, count, minor])).toEqual([
      ['polygon', 2, 4_500_000n],
      ['ethereum', 1, 2_000_000n],
    ]);
    expect([count, payouts]).toEqual([4, 3]);
  });
});

describe('what is wrong with a row', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['nothing', GOOD, []],
    ['no name', { ...GOOD, name: ' ' }, ['error name name_missing']],
    ['140 characters of name', { ...GOOD, name: 'é'.repeat(140) }, []],
    ['141 characters of name', { ...GOOD, name: 'é'.repeat(141) }, ['error name name_too_long']],
    ['a line break in the name', { ...GOOD, name: 'Ana\nBanana' }, ['error name control_character']],
    ['an escape sequence in the name', { ...GOOD, name: 'Ana\u001b[2J' }, ['error name control_character']],
    ['a turned reading direction', { ...GOOD, name: 'Ana\u202etxt' }, ['error name control_character']],
    ['a character that was lost before', { ...GOOD, name: 'M\ufffdller' }, ['error name unreadable_character']],
    ['a line break in the description', { ...GOOD, description: 'a\nb' }, ['error description control_character']],
    ['no currency', { ...GOOD, currency: '' }, ['error currency currency_missing']],
    ['an unknown currency', { ...GOOD, currency: 'XYZ' }, ['error currency currency_unknown']],
    [
      'a currency that is a property of every object',
      { ...GOOD, currency: 'constructor' },
      ['error currency currency_unknown'],
    ],
    ['another currency than the rail pays', { ...GOOD, currency: 'NZD' }, ['error rail rail_currency_mismatch']],
    ['crypto by a bank rail', { ...GOOD, currency: 'USDC', chain: 'polygon' }, ['error rail rail_currency_mismatch']],
    ['money by the crypto rail', { ...CRYPTO, currency: 'USD' }, ['error rail rail_currency_mismatch']],
    ['crypto without a chain', { ...CRYPTO, chain: '' }, ['error chain chain_missing']],
    ['crypto on a chain it is not on', { ...CRYPTO, currency: 'ETH' }, ['error chain currency_not_on_chain']],
    [
      'no rail where several fit',
      { ...GOOD, currency: 'USD', national_clearing_code: '021000021', rail: '' },
      ['error rail rail_several_fit'],
    ],
    [
      'no rail in a currency that none pays',
      { ...GOOD, currency: 'NZD', rail: '' },
      ['error currency currency_without_rail'],
    ],
    ['an unknown rail', { ...GOOD, rail: 'NPP' }, ['error rail rail_unknown']],
    ['the same source currency', { ...GOOD, source_currency: 'aud' }, []],
    ['another source currency', { ...GOOD, source_currency: 'USD' }, []],
    [
      'a source currency that there is not',
      { ...GOOD, source_currency: 'XYZ' },
      ['error source_currency source_currency_unknown'],
    ],
    [
      'a crypto source without its chain',
      { ...GOOD, source_currency: 'usdc' },
      ['error source_currency source_chain_missing'],
    ],
    [
      'a crypto source on a chain it is not on',
      { ...GOOD, source_currency: 'ETH polygon' },
      ['error source_currency source_currency_not_on_chain'],
    ],
    [
      'the coin of one chain from that of another',
      { ...CRYPTO, currency: 'ETH', chain: 'ethereum', source_currency: 'ETH arbitrum' },
      ['error source_currency source_crypto_to_crypto'],
    ],
    [
      'a coin from a stablecoin',
      { ...CRYPTO, currency: 'ETH', chain: 'ethereum', source_currency: 'USDT ethereum' },
      [],
    ],
    ['no e-mail address', { ...GOOD, email: 'ana at example.com' }, ['error email email_invalid']],
    ['two e-mail addresses', { ...GOOD, email: 'a@example.com, b@example.com' }, ['error email email_invalid']],
    [
      'a line break in the e-mail address',
      { ...GOOD, email: 'a@example.com\nBcc:b@example.com' },
      ['error email control_character', 'error email email_invalid'],
    ],
    ['a country that there is not', { ...GOOD, country: 'Atlantis' }, ['error country country_unknown']],
    ['a name that two countries have', { ...GOOD, country: 'Congo' }, ['error country country_unknown']],
    [
      'a phone number without its country',
      { ...GOOD, phone_number: '0400 000 000' },
      ['warning phone_number phone_left_out'],
    ],
    [
      'a reference that the rail cuts',
      { ...GOOD, reference: 'x'.repeat(30) },
      ['warning reference reference_may_be_cut'],
    ],
    ['a reference that is too long', { ...GOOD, reference: 'x'.repeat(281) }, ['error reference reference_too_long']],
    ['a dropped zero', { ...GOOD, national_clearing_code: '62000' }, ['error national_clearing_code bsb_leading_zero']],
    ['the account name', { ...GOOD, account_name: 'x'.repeat(141) }, ['error account_name account_name_too_long']],
    [
      'many things at once',
      { ...GOOD, name: '', amount: 'x', national_clearing_code: '1' },
      ['error name name_missing', 'error amount amount_not_a_number', 'error national_clearing_code bsb_length'],
    ],
    [
      'an existing account with neither',
      { name: 'A', amount: '1', currency: 'AUD', external_account_id: '' },
      ['error external_account_id destination_missing'],
    ],
    [
      'an existing account and a rail that does not fit',
      { name: 'A', amount: '1', currency: 'AUD', external_account_id: 'a', rail: 'GBP_FPS' },
      ['error rail rail_currency_mismatch'],
    ],
  ])('%s', async (_, row, expected) => {
    expect(await problemsOf(row)).toEqual(expected);
  });

  it('names sheet, row, column, cell, value and remedy', async () => {
    const { problems } = await readAll(`${HEADER}\n\n${npp('Ana', '1').replace('062-000', '62000')}\n`);
    expect(problems).toEqual([
      {
        severity: 'error',
        code: 'bsb_leading_zero',
        sheet: null,
        row: 3,
        column: 'national_clearing_code',
        cell: 'F3',
        value: '62000',
        params: { field: 'bsb', has: 5, length: 6, padded: '062000' },
        message: expect.stringContaining('5 digits instead of 6'),
        remedy: expect.stringContaining('062000'),
      },
    ]);
  });

  it('gives the row its first error', async () => {
    const { runRows } = await readAll(`${HEADER}\n${npp('', 'x')}\n`);
    expect(runRows[0]).toMatchObject({ order: null, problem: { code: 'name_missing' } });
  });
});

describe('rows of another length than the header', () => {
  it('are problems of their own, and the rows around them are read', async () => {
    const result = await readAll(
      `${HEADER}\n${npp('Ana', '1')}\nBob,2,AUD\n${npp('Cy', '3')},extra,\n${npp('Di', '4')}\n`,
    );
    expect(placesOf(result).slice(0, 2)).toEqual(['row 3 row_too_few_cells', 'row 4 row_too_many_cells']);
    expect(result.runRows.map((row) => [row.row, row.cells.length, row.order?.amount_minor ?? null])).toEqual([
      [2, 6, '100'],
      [3, 6, null],
      [4, 6, null],
      [5, 6, '400'],
    ]);
  });
});
