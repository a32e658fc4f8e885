import { describe, expect, it } from 'vitest';
import { readExplicitColumns } from '../../src/compose/named-input.ts';
import { placesOf, readAll } from './reading.ts';

const HEAD = 'Name,Amount,Currency,external_account_id';
const ANA = 'Ana,12.50,EUR,acc_1';
const BOB = 'Bob,3.00,EUR,acc_2';

const namesIn = ({ runRows }: Awaited<ReturnType<typeof readAll>>) =>
  runRows.map(({ order }) => order?.payee.name ?? null);

describe('a currency that is given and one in a line above the header', () => {
  const text = `Currency: | GBP\n\nName|Amount|external_account_id\nAna|1|a\n`.replaceAll('|', ',');

  it('are one error that names both where they differ, and none where they agree', async () => {
    for (const [options, who] of [
      [{ currency: 'EUR' }, 'what was given for it'],
      [{ jobCurrency: 'EUR' }, 'the job'],
    ] as const) {
      const result = await readAll(text, options);
      expect(placesOf(result)).toContain('row 1 given_currencies_differ');
      expect(result.problems.find(({ code }) => code === 'given_currencies_differ')?.message).toBe(
        `This line above the header says that the file is in GBP, and ${who} says EUR.`,
      );
      expect([result.payouts, result.isWhole]).toEqual([0, false]);
    }
    expect((await readAll(text, { currency: 'GBP' })).payouts).toBe(1);
  });

  it('are an error also where two lines differ', async () => {
    expect(placesOf(await readAll(`Currency,USD\n${text}`))).toContain('row 2 given_currencies_differ');
  });

  it('are found where the line is one cell', async () => {
    expect((await readAll(text.replace('Currency: , GBP', 'Currency: GBP'))).givenCurrency?.code).toBe('GBP');
  });
});

describe('comments', () => {
  it('above the header are no header and no payouts, and under it are noted and left out', async () => {
    const result = await readAll(`# ${HEAD}\n// ${ANA}\n${HEAD}\n${ANA}\n# paid by hand: Cid\n${BOB}\n`);
    expect(placesOf(result)).toEqual(['row 1 rows_above_header', 'row 5 row_is_comment']);
    expect(namesIn(result)).toEqual(['Ana', 'Bob']);
  });

  it('with an amount may be payouts', async () => {
    const result = await readAll(`${HEAD}\n${ANA}\n#${BOB}\n`);
    expect(placesOf(result)).toEqual(['A3 row_may_be_comment']);
    expect(result.payouts).toBe(1);
  });

  it('are the header where there is no other', async () => {
    const result = await readAll(`# ${HEAD}\n${ANA}\n`);
    expect([result.headerRow, namesIn(result), placesOf(result)]).toEqual([1, ['Ana'], []]);
  });

  it('are no numbers, and no headers with such signs', async () => {
    const result = await readAll(`#Id,#Name,#Amount,#Currency,external_account_id\n#1,Ana,1,EUR,a\n`);
    expect(result.runRows).toHaveLength(1);
  });
});

describe('the header among lines with our words', () => {
  it('is the one that the rows under it fit', async () => {
    const result = await readAll(
      `Payee,Amount,Our list,\nsee below,,,\nReference,Beneficiary,Amount,IBAN\nR1,Ana,1.00,DE89370400440532013000\n`,
      { currency: 'EUR', defaultRails: new Map([['EUR', 'EUR_SEPA']]) },
    );
    expect(result.headerRow).toBe(3);
    expect(namesIn(result)).toEqual(['Ana']);
  });
});

describe('a header of two lines', () => {
  const read = (text: string) => readAll(text, { currency: 'EUR', defaultRails: new Map([['EUR', 'EUR_SEPA']]) });
  const IBAN = 'DE89370400440532013000';

  it('is joined where its groups tell equal headers apart', async () => {
    const text = `Sender,,Beneficiary,,Payment,\nName,Account,Name,Account,Amount,Reference\nACME,DE44500105175407324931,Ana,${IBAN},1.00,R1\n`;
    const result = await read(text);
    expect(result.input.header).toEqual([
      'Sender Name',
      'Sender Account',
      'Beneficiary Name',
      'Beneficiary Account',
      'Payment Amount',
      'Payment Reference',
    ]);
    expect([placesOf(result), namesIn(result), result.headerRow]).toEqual([['row 1 header_of_two_rows'], ['Ana'], 2]);
  });

  it('is joined where columns have their word in either line', async () => {
    const text = `Payee,IBAN,Payment,,Remarks\n,,Amount,Currency,\nAna,${IBAN},1.00,EUR,x\n`;
    const result = await read(text);
    expect(result.columns).toEqual(['name', 'account_number', 'amount', 'currency', 'reference']);
    expect([namesIn(result), result.payouts]).toEqual([['Ana'], 1]);
  });

  it('never pays the account of a group of the sender, nor gross sums', async () => {
    const sender = await read(`Debtor,Ordering party,\nName,IBAN,Amount\nAna,${IBAN},1.00\n`);
    expect([sender.columns[1], sender.payouts]).toEqual([null, 0]);
    const gross = await read(`Payee,,Gross,Net\nName,IBAN,Amount,Amount\nAna,${IBAN},2.00,1.00\n`);
    expect(gross.payouts).toBe(0);
  });

  it('is not made of a label and its value', async () => {
    for (const line of ['Originator,Sample Lda', 'Debit Currency,EUR', 'Debit account,Main']) {
      const result = await read(`${line}\nName,IBAN,Amount\nAna,${IBAN},1.00\n`);
      expect([placesOf(result), result.payouts]).toEqual([['row 1 rows_above_header'], 1]);
    }
    const sender = await read(`Sender,Payment,\nIBAN,Amount,Name\n${IBAN},1.00,Ana\n`);
    expect(sender.payouts).toBe(0);
  });

  it('is not made of a title over a whole header', async () => {
    const result = await read(`Beneficiary,,Payment,\nName,Account,Amount,Currency\nAna,${IBAN},1.00,EUR\n`);
    expect([placesOf(result), result.payouts]).toEqual([['row 1 rows_above_header'], 1]);
  });
});

describe('a file without a header', () => {
  const rows = `${ANA}\n${BOB}\n`;
  const letters = (...texts: string[]) => ({ columns: readExplicitColumns(texts) });
  const ALL = ['A=name', 'B=amount', 'C=currency', 'D=external_account_id'];

  it('is not read, and says how to name its columns', async () => {
    const result = await readAll(rows);
    expect([placesOf(result), result.payouts]).toEqual([['row 1 header_not_found'], 0]);
    expect(result.problems[0]?.message).toContain('A: `Ana`, B: `12.50`, C: `EUR`, D: `acc_1`');
    expect(result.problems[0]?.remedy).toContain('--column "A=name"');
  });

  it('is read by letters, with its first row', async () => {
    const result = await readAll(rows, letters(...ALL));
    expect([placesOf(result), namesIn(result), result.headerRow]).toEqual([[], ['Ana', 'Bob'], null]);
    expect(result.runRows.map(({ row }) => row)).toEqual([1, 2]);
    expect(result.input.header).toEqual(['A', 'B', 'C', 'D']);
  });

  it('may join columns, have comments above, and a currency that is given', async () => {
    const result = await readAll('# salaries\n"Byron","Ada",1.5,a\n', {
      ...letters('B+A=name', 'C=amount', 'D=external_account_id'),
      currency: 'EUR',
    });
    expect(namesIn(result)).toEqual(['Ada Byron']);
  });

  it('is asked about where letters leave a column open', async () => {
    const result = await readAll(rows, letters('A=name', 'B=amount', 'D=external_account_id'));
    expect([placesOf(result), result.payouts]).toEqual([['row 1 header_not_found'], 0]);
  });

  it('never pays a header of other words', async () => {
    const result = await readAll(`სახელი,თანხა,ფული,გზა\n${rows}`, letters(...ALL));
    expect([result.headerRow, namesIn(result), placesOf(result)]).toEqual([1, ['Ana', 'Bob'], []]);
  });

  it('never loses a first payout whose amount is not read', async () => {
    for (const first of ['Cid,,EUR,acc_3', 'Cid,tbd,EUR,acc', 'Cid,tbd,euros,acc_3']) {
      const result = await readAll(`${first}\n${rows}`, letters(...ALL));
      expect([placesOf(result)[0], result.payouts]).toEqual(['B1 header_undecided', 0]);
    }
  });

  it('is read by letters also where a cell is a letter', async () => {
    const result = await readAll(`Ana,1,EUR,a,C\nBob,2,EUR,b,A\n`, letters(...ALL));
    expect(namesIn(result)).toEqual(['Ana', 'Bob']);
  });

  it('is not one whose header is known', async () => {
    const result = await readAll(`${HEAD}\n${rows}`, letters(...ALL));
    expect([result.headerRow, namesIn(result)]).toEqual([1, ['Ana', 'Bob']]);
  });
});
