import { describe, expect, it } from 'vitest';
import { placesOf, readAll } from './reading.ts';
import { IBAN, kindOf } from './refused-lists.ts';

describe('a list without accounts is refused by name', () => {
  it.each([
    ['of payee numbers', 'PayeeID,PayeeName,Amount,Currency,RefCode', 'P1,Ana,60.00,USD,x'],
    ['of accounts that only a service knows', 'id,destination,amount,currency', 'tr_1,acct_1Abc,60.00,USD'],
    ['with dates and invoices', 'Name,Amount,Currency,Invoice Number,Due Date', 'Ana,60.00,USD,123456789,2026-12-01'],
    ['without a currency', 'Nom;Montant;Motif', 'Ana;60,00;Paie'],
  ])('%s', async (_, header, row) => {
    const { problems, payouts } = await readAll(`${header}\n${row}\n${row.replace('60', '7')}\n`);
    expect([placesOf({ problems }), payouts]).toEqual([['row 1 list_without_accounts'], 0]);
    expect(problems[0]?.message).toContain('This file has no account numbers');
    expect(problems[0]?.remedy).toContain('Export it with bank details');
  });

  it('by e-mail too, beside dates', async () => {
    const text = 'Contractor Name,Contractor Email,Amount,Currency,Due Date\nAna,a@example.com,60.00,USD,2026-12-01\n';
    expect(await kindOf(text.trim().split('\n'))).toBe('contact_list');
  });

  it.each([
    ['a misspelt header of accounts', 'Name,Acount number,Amount,Currency', 'Ana,12345678,1.00,AUD'],
    ['digits under a header that we do not know', 'Name,Where to,Amount,Currency', 'Ana,12345678,1.00,AUD'],
    ['a column of accounts that is empty', 'Name,Account number,Amount,Currency', 'Ana,,1.00,AUD'],
    ['accounts that the service has', 'Name,external_account_id,Amount,Currency', 'Ana,acc_1,1.00,AUD'],
  ])('but not one with %s', async (_, header, row) => {
    const codes = (await readAll(`${header}\n${row}\n`)).problems.map(({ code }) => code);
    expect(codes).not.toContain('list_without_accounts');
  });
});

describe('a list of cards is refused by name', () => {
  it.each([
    ['English', 'Name,Card number,Amount,Currency', 'Ana,4111 1111 1111 1111,60.00,USD'],
    ['masked', 'Name,Card number,Amount,Currency', 'Ana,4111********1111,60.00,USD'],
    ['German', 'Name;Kartennummer;Betrag;Währung', 'Ana;5555555555554444;60,00;EUR'],
    ['French', 'Nom;Numéro de carte;Montant;Devise', 'Ana;4012888888881881;60,00;EUR'],
    ['Russian', 'ФИО;Номер карты;Сумма;Валюта', 'Ana;4012888888881881;60,00;EUR'],
    ['Turkish', 'Ad;Kart numarası;Amount;Currency', 'Ana;4012888888881881;60,00;EUR'],
    [
      'by what is in it',
      'Name,Where to,Amount,Currency',
      'Ana,4111111111111111,60.00,USD\nBo,5555555555554444,6.00,USD',
    ],
    ['as accounts', 'Name,Account number,Expiry date,Amount,Currency', 'Ana,4111111111111111,10/29,60.00,USD'],
  ])('%s', async (_, header, row) => {
    expect(await kindOf([header, row])).toBe('card_list');
  });

  it('but not one of accounts with a card beside them, nor a PAN of India', async () => {
    const card = await readAll(`Name,IBAN,Amount,Currency,Card number\nAna,${IBAN},60.00,EUR,4111111111111111\n`);
    const pan = await readAll(`Name,IBAN,Amount,Currency,PAN\nAna,${IBAN},60.00,EUR,ABCDE1234F\n`);
    expect([card, pan].map(({ payouts, problemCounts }) => [payouts, problemCounts.errors])).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });
});

describe('a list of people without accounts is refused by name', () => {
  it.each([
    ['e-mails', 'Name,Email,Amount,Currency', 'Ana,ana@example.com,60.00,USD'],
    ['e-mails under no header', 'ana@example.com\t60.00\tUSD', 'bo@example.com\t6.00\tUSD'],
    ['telephones', 'Name,Phone,Amount,Currency', 'Ana,+15550100,60.00,USD'],
    ['chats', 'Name,Telegram chat id,Amount,Currency', 'Ana,123456789,60.00,USDT'],
    ['e-mails as accounts', 'Name,Account,Amount,Currency', 'Ana,ana@example.com,60.00,USD'],
    ['telephones with money', 'Name,MSISDN,Amount,Currency', 'Ana,254712345678,60.00,USD'],
    ['telephones of Zelle', 'Name,Zelle phone or email,Amount,Currency', 'Ana,555-0100,60.00,USD'],
    ['what PayPal takes', 'Email/Phone,Amount,Currency code,Recipient wallet', 'ana@example.com,60.00,USD,PAYPAL'],
  ])('%s', async (_, header, row) => {
    const { problems, isWhole } = await readAll(`${header}\n${row}\n`);
    expect(problems.map(({ code }) => code)).toEqual(['contact_list']);
    expect(problems[0]?.message).toContain('The file has no accounts.');
    expect(isWhole).toBe(false);
  });

  it.each([
    ['PayPal', 'Email/Phone,Amount,Currency code,Note to recipient', 'ana@example.com,60.00,USD,x'],
    ['Telegram', 'Name,Telegram,Amount,Currency', 'Ana,@ana,60.00,USDT'],
    ['Wise', 'name,recipientEmail,receiverType,amount,targetCurrency', 'Ana,ana@example.com,PERSON,60.00,EUR'],
  ])('which of %s has accounts is in the remedy', async (service, header, row) => {
    const { problems } = await readAll(`${header}\n${row}\n`);
    expect(problems[0]?.remedy).toContain(service);
  });

  it.each([
    [
      'a misspelt header of accounts',
      `Name,Email,Acount number,Amount,Currency\nAna,a@example.com,12345678,1.00,AUD\n`,
    ],
    ['a header of ours in another sense', `Name,Email,Konto,Amount,Currency\nAna,a@example.com,${IBAN},1.00,EUR\n`],
    [
      'IBANs under a header that we do not know',
      `Name,Email,Where to,Amount,Currency\nAna,a@example.com,${IBAN},1.00,EUR\n`,
    ],
    ['PIX keys', 'Name,Email,Chave PIX,Amount,Currency\nAna,a@example.com,a@example.com,1.00,BRL\n'],
  ])('but not one with %s', async (_, content) => {
    expect((await readAll(content)).problems.map(({ code }) => code)).not.toContain('contact_list');
  });
});

describe('a gross list of a payroll is refused by name', () => {
  it.each([
    ['German', 'Personalnummer;Nachname;Vorname;Lohnart;Betrag', '1001;Müller;Jürgen;1000;2345,67'],
    ['English', 'Employee ID,Employee Name,Pay element,Amount,Currency', 'E1,Ana,Basic,60.00,EUR'],
    ['French', 'Matricule;Nom;Code rubrique;Montant', '12;Ana;100;60,00'],
  ])('%s', async (_, header, row) => {
    expect(await kindOf([header, row])).toBe('gross_list');
  });

  it('but not one that has accounts', async () => {
    const result = await readAll(`Name,Wage type,Amount,Currency,IBAN\nAna,Basic,60.00,EUR,${IBAN}\n`);
    expect(result.payouts).toBe(1);
  });
});
