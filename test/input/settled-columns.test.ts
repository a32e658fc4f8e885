import { describe, expect, it } from 'vitest';
import { readExplicitColumns } from '../../src/compose/named-input.ts';
import { placesOf, readAll } from './reading.ts';

const IBAN = 'DE89370400440532013000';
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

async function accountsIn(text: string, columns: string[] = []) {
  const result = await readAll(text, {
    columns: readExplicitColumns(columns),
    defaultRails: new Map([['EUR', 'EUR_SEPA']]),
  });
  const accounts = result.runRows.map(({ order }) =>
    order?.destination.kind === 'account' ? order.destination.fields.account_number : null,
  );
  return { accounts, places: placesOf(result) };
}

describe('two columns for the account', () => {
  const head = 'name,amount,currency,IBAN,Account Number,Sort Code,Routing number';
  const eur = `Ana,1,EUR,${IBAN},,,`;
  const gbp = 'Bob,2,GBP,,31926819,601613,';

  it('are one where each row fills one of them', async () => {
    expect(await accountsIn(`${head}\n${eur}\n${gbp}\n`)).toEqual({ accounts: [IBAN, '31926819'], places: [] });
  });

  it('are a question where a row fills both', async () => {
    const { places } = await accountsIn(`${head}\nAna,1,EUR,${IBAN},31926819,,\n${gbp}\n`);
    expect(places).toContain('E1 column_twice');
  });

  it('are an error of a later row that fills both and differs', async () => {
    const rows = Array.from({ length: 25 }, () => eur);
    const text = `${head}\n${rows.join('\n')}\n${gbp}\nCid,3,EUR,${IBAN},31926819,,\n`;
    const { accounts, places } = await accountsIn(text);
    expect(places.filter((place) => place.includes('28'))).toEqual(['D28 cells_differ']);
    expect(accounts.at(-1)).toBeNull();
  });

  it('are what a person says with |, by headers or letters', async () => {
    const text = `name,amount,currency,First choice,Second,x\nAna,1,EUR,${IBAN},,\nBob,2,GBP,,31926819,601613\n`;
    for (const of of ['First choice|Second', 'D|E'])
      expect(await accountsIn(text, [`${of}=account_number`, 'x=national_clearing_code'])).toEqual({
        accounts: [IBAN, '31926819'],
        places: [],
      });
    const both = await accountsIn(text.replace(`${IBAN},,`, `${IBAN},9,`), [
      'D|E=account_number',
      'x=national_clearing_code',
    ]);
    expect(both.places).toEqual(['D2 cells_differ']);
  });
});

describe('two columns with one meaning', () => {
  const of = (...amounts: string[]) =>
    readAll(
      `name,IMPORTE,currency,external_account_id,IMPORTE\n${amounts.map((two, at) => `P${at},${two.replace('|', `,EUR,a${at},`)}`).join('\n')}\n`,
    );

  it('are no question where every row has the same in both', async () => {
    const result = await of('12.50|12.50', '3|3');
    expect([placesOf(result), result.payouts]).toEqual([[], 2]);
  });

  it('are one where a row differs, and an error where a later row does', async () => {
    expect(placesOf(await of('12.50|12.50', '3|4'))).toContain('E1 column_twice');
    const many = await of(...Array.from({ length: 24 }, (_, at) => `${at + 1}|${at + 1}`), '5|6', '7|');
    expect(placesOf(many).filter((place) => place.includes('cells_differ'))).toEqual([
      'B26 cells_differ',
      'B27 cells_differ',
    ]);
  });

  it('are one where they are in other currencies', async () => {
    const text = 'name,Amount (EUR),currency,external_account_id,Amount (USD)\nAna,5,EUR,a,5\n';
    expect(placesOf(await readAll(text))).toContain('E1 column_twice');
  });

  it('are asked about with both names and both answers', async () => {
    const text =
      'Beneficiario,IBAN,Importo,Divisa,Causale,Riferimento\nMario,IT60X0542811101000000123456,1,EUR,Compenso,PAY1\n';
    const [twice] = (await readAll(text)).problems;
    expect(twice?.message).toBe('Both `Causale` in E1 and `Riferimento` in F1 name the column reference.');
    expect(twice?.remedy).toContain('--column "Riferimento="');
    expect(twice?.remedy).toContain('--column "Causale="');
    const { payouts } = await readAll(text, {
      columns: readExplicitColumns(['Riferimento=']),
      defaultRails: new Map([['EUR', 'EUR_SEPA']]),
    });
    expect(payouts).toBe(1);
  });
});

describe('wallets by their cells', () => {
  it.each(['Address', 'Recipient Address', 'Receiver', 'To', '地址'])(
    '%s that holds wallets is one',
    async (header) => {
      const { columns } = await readAll(`Name,${header},Amount,Currency,Chain\nAna,${WALLET},1,USDC,ethereum\n`);
      expect(columns[1]).toBe('wallet_address');
    },
  );

  it('an address of a street is none, and a wallet that is a service is none', async () => {
    const street = await readAll('Name,Address,Amount,Currency,IBAN\nAna,1 High Street,1,EUR,x\n');
    expect(street.columns[1]).toBeNull();
    const paypal = await readAll('Name,Recipient wallet,Amount,Currency,IBAN\nAna,PAYPAL,1,EUR,x\n');
    expect(paypal.columns[1]).toBeNull();
  });

  it('the address of a token is nobody’s', async () => {
    const { columns } = await readAll(`token_address,receiver,amount,id\n${WALLET},${WALLET},1,x\n`);
    expect(columns.slice(0, 2)).toEqual([null, 'wallet_address']);
  });
});

describe('the reference', () => {
  const of = (header: string, cell: string) =>
    readAll(`name,amount,currency,external_account_id,${header}\nAna,1,EUR,a,${cell}\n`);

  it.each(['Narration', 'Remarks', 'Narration(Must be between 5 to 47 Characters)', 'Purpose', '备注', 'Açıklama'])(
    'is %s where there is no other, which is said',
    async (header) => {
      const result = await of(header, 'SAL');
      expect([placesOf(result), result.runRows[0]?.order?.reference]).toEqual([['E1 reference_taken'], 'SAL']);
      expect(placesOf(await readAll(`name,amount,currency,external_account_id,${header}\nAna,1,EUR,a,\n`))).toEqual([]);
    },
  );

  it('is none of them beside a reference, and narration before purpose', async () => {
    expect(placesOf(await of('Reference,Remarks', 'R1,note'))).toEqual([]);
    const result = await of('Payout Narration,Payout Purpose', 'SAL,salary');
    expect([placesOf(result), result.runRows[0]?.order?.reference]).toEqual([['E1 reference_taken'], 'SAL']);
  });

  it('is asked for where two may be it, and never notes', async () => {
    expect(placesOf(await of('Narration,Remarks', 'a,b'))).toEqual(['F1 column_twice']);
    expect((await of('Notes', 'late')).columns.at(-1)).toBeNull();
  });
});
