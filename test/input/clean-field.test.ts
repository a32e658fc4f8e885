import { describe, expect, it } from 'vitest';
import { readAll } from './reading.ts';

const HEADER = 'name,amount,currency,rail,account_number,national_clearing_code,bic';

async function problemsOf(currency: string, rail: string, account: string, clearing = '', bic = '') {
  const { problems } = await readAll(`${HEADER}\nAna,1,${currency},${rail},${account},${clearing},${bic}\n`);
  return problems.filter(({ severity }) => severity === 'error');
}

describe('a field that is right but for what cannot be seen', () => {
  it.each([
    ['a dash', '60\u201116\u201313', '601613'],
    ['a zero-width blank', '60-16-13\u200b', '601613'],
    ['digits of full width', '６０１６１３', '601613'],
    ['quotes', '“601613”', '601613'],
  ])('has it suggested without %s', async (_what, clearing, suggestion) => {
    expect(await problemsOf('GBP', 'GBP_FPS', '31926819', clearing)).toMatchObject([
      {
        code: 'sort_code_characters',
        cell: 'F2',
        suggestion,
        remedy: expect.stringMatching(`^Write (?:only )?${suggestion}[ :]`),
      },
    ]);
  });

  it('is an IBAN in groups, and nothing else that is in groups', async () => {
    const suggestion = 'DE89370400440532013000';
    for (const iban of ['DE89.3704.0044.0532.0130.00', 'DE89/37040044/0532013000', 'DE89 3704 0044 0532 0130 00\u202c'])
      expect(await problemsOf('EUR', 'EUR_SEPA', iban)).toMatchObject([{ cell: 'E2', suggestion }]);
    const [account] = await problemsOf('AUD', 'AUD_NPP', '1234567/8', '062-000');
    expect([account?.code, account?.suggestion]).toEqual(['account_number_characters', undefined]);
  });

  it.each([
    ['an IBAN whose check digits are wrong', 'EUR', 'EUR_SEPA', 'DE88.3704.0044.0532.0130.00'],
    ['a PIX key that could be two', 'BRL', 'BRL_PIX', '１１９１２３４５６８４'],
    ['an account that is too short', 'GBP', 'GBP_FPS', '“3192681”'],
  ])('is not %s', async (_what, currency, rail, account) => {
    const problems = await problemsOf(currency, rail, account, '601613');
    expect(problems.map(({ suggestion }) => suggestion)).toEqual([undefined]);
  });
});

describe('a British IBAN by GBP_FPS', () => {
  const IBAN = 'GB29NWBK60161331926819';

  it('says which account number and sort code it holds', async () => {
    expect(await problemsOf('GBP', 'GBP_FPS', IBAN)).toMatchObject([
      { cell: 'E2', remedy: 'Write 31926819 here, and 601613 into the column national_clearing_code.' },
      { cell: 'F2', code: 'sort_code_missing', remedy: 'Write 601613, which is in the IBAN.' },
    ]);
  });

  it('is mended where nothing is lost by it', async () => {
    const suggestions = async (iban: string, sortCode: string) =>
      (await problemsOf('GBP', 'GBP_FPS', iban, sortCode)).map(({ suggestion }) => suggestion);
    expect(await suggestions(IBAN, '60-16-13')).toEqual(['31926819']);
    expect(await suggestions(IBAN, '40-47-84')).toEqual([undefined]);
    expect(await suggestions(IBAN.replace('29', '28'), '60-16-13')).toEqual([undefined]);
  });
});

describe('a cell of a text file', () => {
  it('that is a formula of a text alone is that text', async () => {
    const { problems, runRows } = await readAll(`${HEADER}\nAna,1,GBP,GBP_FPS,="01926819",="601613",\n`);
    expect(problems).toEqual([]);
    expect(runRows[0]?.order?.destination).toMatchObject({
      fields: { account_number: '01926819', national_clearing_code: '601613' },
    });
    for (const cell of ['=1926819+1', '="01926819"&A1', '=01926819'])
      expect(await problemsOf('GBP', 'GBP_FPS', cell, '601613')).toMatchObject([{ code: 'account_number_characters' }]);
  });

  it('in single quotes is read without them', async () => {
    const { problems, runRows } = await readAll(`${HEADER}\nAna,1,GBP,GBP_FPS,'31926819',601613,\n`);
    expect(problems).toMatchObject([{ code: 'leading_apostrophe', suggestion: '31926819' }]);
    expect(runRows[0]?.order?.destination).toMatchObject({ fields: { account_number: '31926819' } });
  });
});

describe('the header', () => {
  it('that has a tax beside the amount is warned of', async () => {
    const account = 'external_account_id';
    for (const tax of ['VAT', 'GST amount', 'MwSt', 'TVA', 'IVA', 'btw']) {
      const { problems } = await readAll(`name,Net amount,${tax},currency,${account}\nAna,1,2,EUR,a\n`);
      expect(problems).toMatchObject([{ severity: 'warning', code: 'amount_beside_tax', cell: 'B1' }]);
    }
    const { problems } = await readAll(`name,Tax,Net pay,currency,${account}\nAna,2,1,EUR,a\n`);
    expect(problems).toEqual([]);
  });

  it('that has two which may be the amount names both', async () => {
    const { problems } = await readAll('name,Amount (USD),Amount (EUR),currency,external_account_id\nAna,1,2,EUR,a\n');
    expect(problems).toMatchObject([
      { code: 'column_twice', cell: 'C1' },
      { code: 'amount_header_currency_differs', cell: 'B2' },
    ]);
  });

  it('that is not found is not said to have no payouts under it', async () => {
    expect((await readAll('[1]\n')).problems.map(({ code }) => code)).toEqual(['header_not_found']);
    expect((await readAll('{"a":"b" c}\n"x"y\n')).problems.map(({ code }) => code)).not.toContain('file_empty');
  });
});

describe('a row that is the header again', () => {
  it('is passed over with a warning, and is not in the sums', async () => {
    const header = 'name,amount,currency,external_account_id';
    const result = await readAll(`${header}\nAna,1,EUR,a\n${header}\nBen,2,EUR,b\n,3,,\n`);
    expect(result.problems.map(({ severity, code, row }) => [severity, code, row])).toEqual([
      ['warning', 'header_repeated', 3],
      ['warning', 'total_line', 5],
    ]);
    expect([result.rows, result.payouts]).toEqual([2, 2]);
    const changed = await readAll(`${header}\nAna,1,EUR,a\n${header.replace('name', 'Name')}\n`);
    expect(changed.problems.map(({ severity }) => severity)).toContain('error');
  });
});

describe('amounts that contradict each other', () => {
  it('are named', async () => {
    const row = (at: number, amount: string) => `P${at},"${amount}",EUR,acc_${at}`;
    const rows = [row(1, '5'), row(2, '1,000.50'), row(3, '2,000.50'), row(4, '1000,50'), row(5, '3000,50')];
    const { problems } = await readAll(`name,amount,currency,external_account_id\n${rows.join('\n')}\n`);
    expect(problems).toHaveLength(4);
    for (const { code, message } of problems) {
      expect(code).toBe('amount_separators_mixed');
      expect(message).toContain('as decimal separator, so none of them is certain: B3 "1,000.50" and B5 "1000,50".');
    }
  });
});
