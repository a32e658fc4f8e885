import { describe, expect, it } from 'vitest';
import { HEADER, npp, placesOf, readAll } from './reading.ts';

/** Rows of `payee_id,name,amount,account` under one bank, as CSV; an amount may name its currency. */
function payees(...rows: string[]): string {
  const header = 'payee_id,name,amount,currency,rail,account_number,national_clearing_code,bic';
  return [header, ...rows.map(payeeRow)].join('\n');
}

function payeeRow(row: string): string {
  const [id, name, amount, account] = row.split(',');
  return account?.startsWith('DE')
    ? `${id},${name},${amount},EUR,EUR_SEPA,${account},,COBADEFFXXX`
    : `${id},${name},${amount},AUD,AUD_NPP,12${account},062-000,`;
}

const IBAN = 'DE89370400440532013000';

async function warningsOf(...rows: string[]): Promise<string[]> {
  const { problems } = await readAll(payees(...rows));
  return problems.map(({ severity, cell, code, message }) => `${severity} ${cell} ${code}: ${message}`);
}

describe('the same amount to the same account', () => {
  it('is a possible duplicate, and names the first row', async () => {
    const result = await readAll(
      [HEADER, npp('Ana', '1'), npp('Ana', '2'), npp('Ana', '1.00'), npp('Ana', '2', '1234567-8')].join('\n'),
    );
    expect(placesOf(result)).toEqual(['E4 possible_duplicate', 'E5 possible_duplicate']);
    expect(result.problems.map(({ severity, message, value }) => [severity, message, value])).toEqual([
      ['warning', 'Row 2 pays the same amount to the same account.', '••••5678'],
      ['warning', 'Row 3 pays the same amount to the same account.', '••••67-8'],
    ]);
    expect(result.payouts).toBe(4);
  });

  it('names the row with that amount, where the account has several', async () => {
    const rows = ['E1,Ana,1,5501', 'E1,Ana,2,5501', 'E1,Ana,3,5501', 'E1,Ana,2,5501', 'E1,Ana,3,5501'];
    expect((await warningsOf(...rows)).slice(2)).toEqual([
      'warning F5 possible_duplicate: Row 3 pays the same amount to the same account.',
      'warning F6 possible_duplicate: Row 4 pays the same amount to the same account.',
    ]);
  });

  it('says so where name or payee_id are others, and nothing else', async () => {
    expect(await warningsOf('E1,Ana,1,5501', 'E2,Ana,1,5501', 'E1,Bob,1,5501', 'E2,Bob,1,5501')).toEqual([
      'warning F3 possible_duplicate: Row 2 pays the same amount to the same account, under another payee ID.',
      'warning F4 possible_duplicate: Row 2 pays the same amount to the same account, under another name.',
      'warning F5 possible_duplicate: Row 2 pays the same amount to the same account, under another name and another payee ID.',
    ]);
  });

  it('is not the same number at another bank, another amount, nor another currency', async () => {
    const rows = [npp('Ana', '1'), npp('Ana', '1').replace('062-000', '013-006'), npp('Ana', '2')];
    expect((await readAll([HEADER, ...rows].join('\n'))).problems).toEqual([]);
    const header = 'name,amount,currency,external_account_id';
    expect((await readAll(`${header}\nAna,1,AUD,acc1\nAna,1,USD,acc1\nAna,1,AUD,acc2`)).problems).toEqual([]);
  });

  it.each([
    ['by another rail', 'A,1,USD,USD_ACH,12345678,021000021,,checking', 'A,1,USD,USD_WIRE,12345678,021000021,,'],
    ['with and without the BIC', `A,1,EUR,EUR_SEPA,${IBAN},,COBADEFFXXX,`, `A,1,EUR,EUR_SEPA,${IBAN},,,`],
    ['with both forms of the BIC', 'A,1,USD,USD_SWIFT,123456,,DBSSSGSG,', 'A,1,USD,USD_SWIFT,123456,,DBSSSGSGXXX,'],
  ])('is found %s', async (_, first, second) => {
    const header = 'name,amount,currency,rail,account_number,national_clearing_code,bic,account_type';
    const { problems } = await readAll([header, first, second].join('\n'));
    expect(problems).toContainEqual(expect.objectContaining({ row: 3, code: 'possible_duplicate' }));
  });

  it('is found whatever the case of a wallet, on one chain', async () => {
    const wallet = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
    const rows = [wallet, `0x${wallet.slice(2).toUpperCase()}`].map((text) => `A,1,USDC,WEB3,${text},polygon`);
    const other = `A,1,USDC,WEB3,${wallet},ethereum`;
    const result = await readAll(['name,amount,currency,rail,wallet_address,chain', ...rows, other].join('\n'));
    expect(result.problems.filter(({ code }) => code === 'possible_duplicate').map(({ cell }) => cell)).toEqual(['E3']);
  });

  it.each(['\n', '\r'])('is found among many rows that end with %j', async (lineBreak) => {
    const rows = Array.from({ length: 5_000 }, (_, at) => npp('Ana', '1', String(10_000_000 + at)));
    const result = await readAll(`${[HEADER, ...rows, npp('Ana', '1', '10003210')].join(lineBreak)}\n`);
    expect(result.problems).toMatchObject([
      { code: 'possible_duplicate', row: 5_002, message: expect.stringContaining('Row 3212') },
    ]);
  });
});

describe('a payee_id in two rows', () => {
  it('is remarked, since a salary and expenses look alike', async () => {
    expect(await warningsOf('E1,Ana,1,5501', 'E1,Ana,2,5501', 'E2,Bob,2,5502')).toEqual([
      'warning A3 payee_repeated: Row 2 pays the same payee ID.',
    ]);
  });

  it('with another name', async () => {
    expect(await warningsOf('E1,Ana,1,5501', 'E1,Bob,2,5501', 'E1,Cy,3,5503')).toEqual([
      'warning B3 payee_name_differs: Row 2 has the same payee ID and account with another name.',
      'warning B4 payee_name_differs: Row 2 has the same payee ID with another name and another account.',
    ]);
  });

  it('with another account of the same currency', async () => {
    expect(await warningsOf('E1,Ana,1,5501', 'E1,Ana,2,5502')).toEqual([
      'warning F3 payee_account_differs: Row 2 pays the same payee ID in AUD to another account.',
    ]);
  });

  it('with an account of each currency is only remarked, and with two of one currency more than that', async () => {
    const other = 'DE02120300000000202051';
    expect(await warningsOf('E1,Ana,1,5501', `E1,Ana,2,${IBAN}`, `E1,Ana,3,${IBAN}`, `E1,Ana,4,${other}`)).toEqual([
      'warning A3 payee_repeated: Row 2 pays the same payee ID.',
      'warning A4 payee_repeated: Row 2 pays the same payee ID.',
      'warning F5 payee_account_differs: Row 3 pays the same payee ID in EUR to another account.',
    ]);
  });

  it('with the account of somebody else names both rows', async () => {
    expect(await warningsOf('E1,Ana,1,5501', 'E2,Bob,2,5502', 'E1,Ana,3,5502')).toEqual([
      'warning F4 payee_account_differs: Row 2 pays the same payee ID in AUD to another account, and row 3 pays this one for another payee ID.',
    ]);
  });

  it('with a wallet on each chain is only remarked', async () => {
    const [one, other] = ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359'];
    const rows = [`E1,A,1,USDC,WEB3,${one},polygon`, `E1,A,2,USDC,WEB3,${other},ethereum`];
    const header = 'payee_id,name,amount,currency,rail,wallet_address,chain';
    const { problems } = await readAll([header, ...rows, `E1,A,3,USDC,WEB3,${other},polygon`].join('\n'));
    const found = problems.filter(({ column }) => column !== 'wallet_address');
    expect(found.map(({ cell, code }) => `${cell} ${code}`)).toEqual(['A3 payee_repeated']);
    expect(problems).toContainEqual(expect.objectContaining({ cell: 'F4', code: 'payee_account_differs' }));
  });

  it('written in full-width digits is the same', async () => {
    expect(await warningsOf('E1,Ana,1,5501', 'E１,Ana,2,5501')).toEqual([
      'warning A3 payee_repeated: Row 2 pays the same payee ID.',
    ]);
  });
});

describe('an account in two rows', () => {
  it('of two payee_ids', async () => {
    expect(await warningsOf('E1,Ana,1,5501', 'E2,Bob,2,5501', 'E3,ANA,3,5501')).toEqual([
      'warning F3 account_shared: Row 2 pays the same account under another payee ID.',
      'warning F4 account_shared: Row 2 pays the same account and name under another payee ID.',
    ]);
  });

  it('under two names, where no payee_id tells them apart', async () => {
    expect(await warningsOf('E1,Ana,1,5501', ',Bob,2,5501', ',Ana,3,5501')).toEqual([
      'warning B3 account_name_differs: Row 2 pays the same account under another name.',
    ]);
  });
});

describe('names are compared as people compare them', () => {
  it.each([
    ['Zoë Müller', 'ZOE MULLER'],
    ['Zoë Müller', 'Müller, Zoë'],
    ['Zoë  Müller', 'Zoe Mueller'],
    ['Zoë Müller', 'Zoe\u0308 Mu\u0308ller'],
    ["Siân O'Brien", 'Sian O’Brien'],
    ['Anne-Marie St. Clair', 'Anne Marie St Clair'],
    ['Łukasz Ørsted', 'Lukasz Orsted'],
    ['Jörg Strauß', 'JOERG STRAUSS'],
    ['Þóra Ægisdóttir', 'Thora Aegisdottir'],
    ['ＡＢＣ株式会社', 'ABC株式会社'],
    ['Nguyễn Thị Ánh', 'Nguyen Thi Anh'],
  ])('%s is %s', async (one, other) => {
    const rows = [one, other].map((name, at) => `"${name}",${at + 1},AUD,AUD_NPP,125501,062-000`);
    expect((await readAll([HEADER, ...rows].join('\n'))).problems).toEqual([]);
  });

  it.each([
    ['Ana Silva', 'Ana Silvia'],
    ['Ana Silva', 'Ana'],
    ['Ana Silva', 'An Asilva'],
    ['Ana Ana', 'Ana'],
    ['李伟', '李强'],
    ['Acme 1 Ltd', 'Acme 2 Ltd'],
  ])('%s is not %s', async (one, other) => {
    const rows = [one, other].map((name, at) => `"${name}",${at + 1},AUD,AUD_NPP,125501,062-000`);
    expect(placesOf(await readAll([HEADER, ...rows].join('\n')))).toEqual(['A3 account_name_differs']);
  });

  it('and a name of characters that no letter stands for is a name', async () => {
    const rows = ['\ufffc\uf8ff', '\ufffc\uf8fe'].map((name, at) => `${name},${at + 1},AUD,AUD_NPP,125501,062-000`);
    expect(placesOf(await readAll([HEADER, ...rows].join('\n')))).toEqual(['A3 account_name_differs']);
  });
});

it('what was found of one row is not said of the next', async () => {
  const rows = ['E1,Ana,1,5501', 'E1,Ana,1,5501', 'E1,Ana,2,5502', 'E1,Bob,3,5503', ',Cy,4,5501', ',Di,5,5504'];
  expect((await warningsOf(...rows)).map((text) => text.slice(0, text.indexOf(':')))).toEqual([
    'warning F3 possible_duplicate',
    'warning F4 payee_account_differs',
    'warning B5 payee_name_differs',
    'warning B6 account_name_differs',
  ]);
  expect((await warningsOf('E1,Ana,1,5501', 'E2,Bob,2,5501', 'E2,Bob,3,5502'))[1]).toMatch(/ to another account\.$/);
});
