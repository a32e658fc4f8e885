import { describe, expect, it } from 'vitest';
import { placesOf, readAll } from './reading.ts';

const IBAN = 'DE89370400440532013000';
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** Headers of public templates and exports, a row of ours, the currency where the file does not say it, and what is paid. */
const PAID: readonly (readonly [string, string, string, string | null, string])[] = [
  [
    'a bank of Britain',
    'Debit account sort code,Debit account number,Payee name,Payee sort code,Payee account number,Amount,Payment reference',
    '300001,12345678,Ana,601613,31926819,60.00,PAY',
    'GBP',
    'Ana 6000 31926819 PAY',
  ],
  [
    'a bank of Australia',
    'From BSB,From Account Number,To BSB,To Account Number,To Account Name,Amount',
    '062111,99887766,062000,12345678,Ana,60.00',
    'AUD',
    'Ana 6000 12345678 -',
  ],
  [
    'a payroll of India',
    'Employee ID,Employee Name,Bank Name,Account Number,IFSC Code,Net Payable Amount (INR)',
    'E1,Ana,HDFC,50100123456789,HDFC0001234,60.00',
    'INR',
    'Ana 6000 50100123456789 -',
  ],
  [
    'a program with both sides of an exchange',
    'beneficiary_name,beneficiary_account_number,beneficiary_bank_code,source_currency,source_amount,destination_currency,destination_amount',
    'Ana,50100123456789,HDFC0001234,USD,1.00,INR,60.00',
    null,
    'Ana 6000 50100123456789 -',
  ],
  [
    'a bank of Mexico',
    'Cuenta de Cargo;Cuenta de Abono;Beneficiario;Monto Abono;Concepto',
    '65501234567;032180000118359719;Ana;60.00;PAGO',
    'MXN',
    'Ana 6000 032180000118359719 PAGO',
  ],
  [
    'a list of Pix',
    'Nome do afiliado;Chave PIX do favorecido;Valor Pix',
    'Ana;ana@example.com;60,00',
    'BRL',
    'Ana 6000 ana@example.com -',
  ],
  [
    'a bank of Croatia',
    'IBAN platitelja;Naziv primatelja;IBAN primatelja;Iznos',
    `HR1210010051863000160;Ana;${IBAN};60,00`,
    'EUR',
    `Ana 6000 ${IBAN} -`,
  ],
  [
    'a payroll of Finland',
    'Saajan nimi;IBAN;Maksettava summa;Viesti',
    `Ana;${IBAN};60,00;PALKKA`,
    'EUR',
    `Ana 6000 ${IBAN} PALKKA`,
  ],
  [
    'a payroll of France',
    'Code salarié;Nom salarié;Prénom salarié;IBAN;Montant à virer',
    `1;Dupont;Ana;${IBAN};60,00`,
    'EUR',
    `Ana Dupont 6000 ${IBAN} -`,
  ],
  [
    'wires of a bank',
    'Beneficiary Name,Beneficiary IBAN/Account,Beneficiary Bank SWIFT/BIC,Payment Amount,Payment Currency,Rail',
    `Ana,${IBAN},COBADEFF,60.00,EUR,EUR_SEPA`,
    null,
    `Ana 6000 ${IBAN} -`,
  ],
  ['Hebrew', 'שם המוטב,מספר חשבון,סכום לתשלום', `Ana,${IBAN},60.00`, 'EUR', `Ana 6000 ${IBAN} -`],
  ['Azerbaijani', 'Ad Soyad;IBAN;Məbləğ', `Ana;${IBAN};60,00`, 'EUR', `Ana 6000 ${IBAN} -`],
  [
    'coins',
    'Recipient name,Wallet address,Amount,Coin,Network',
    `Ana,${WALLET},60,USDC,ethereum`,
    null,
    `Ana 60000000 ${WALLET} -`,
  ],
];

describe('a layout that nobody has mapped', () => {
  it.each(PAID)('of %s is read with its columns', async (_, header, row, currency, paid) => {
    const content = `${header}\n${row}\n`;
    if (currency !== null)
      expect((await readAll(content)).problems.map(({ code }) => code)).toEqual(['column_missing']);
    const { runRows, problems } = await readAll(content, currency === null ? {} : { currency });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const order = runRows[0]?.order;
    const fields = order?.destination.kind === 'account' ? order.destination.fields : null;
    const account = fields?.account_number || fields?.wallet_address;
    expect(`${order?.payee.name} ${order?.amount_minor} ${account} ${order?.reference ?? '-'}`).toBe(paid);
  });

  it('is refused with the currency that no rail pays, where its accounts show it', async () => {
    for (const [header, row, code] of [
      ['שם עובד,מספר חשבון,סכום', 'Ana,123456,60.00', 'ILS'],
      ['Payee Name,Institution Number,Transit Number,Account Number,Amount', 'Ana,003,00010,1234567,60.00', 'CAD'],
    ])
      expect((await readAll(`${header}\n${row}\n`)).problems[0]?.message).toContain(`suggests ${code}, which no rail`);
  });

  it('takes a whole name for one, whatever part of it stands beside', async () => {
    const content = `Nom salarié;Prénom salarié;IBAN;Montant;Devise\nDupont Ana;Ana;${IBAN};60,00;EUR\n`;
    expect((await readAll(content)).runRows[0]?.order?.payee.name).toBe('Dupont Ana');
  });

  it('asks for what is nearest: an account of an employee; of what members pay nothing is the amount', async () => {
    const [account] = (await readAll('Employee Account No,Employee Name,Net Pay,Currency\n123,Ana,60.00,EUR\n'))
      .problems;
    expect(account?.remedy).toContain('--column "Employee Account No=account_number"');
    const owed = await readAll(`Name;IBAN;Beitrag;Währung\nAna;${IBAN};60,00;EUR\n`);
    expect([owed.problems.map(({ code }) => code), owed.payouts]).toEqual([['collection_list'], 0]);
  });

  it('asks for the chain once, where the currency is given', async () => {
    const content = `Name,Wallet Address,Amount (USDC)\nAna,${WALLET},60\n`;
    expect(placesOf(await readAll(content, { currency: 'USDC' }))).toEqual(['row 2 chain chain_missing']);
  });
});
