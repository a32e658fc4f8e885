import { describe, expect, it } from 'vitest';
import type { ExplicitColumn } from '../../src/input/header/columns.ts';
import { placesOf, readAll } from './reading.ts';
import { IBAN, kindOf, OTHER_IBAN } from './refused-lists.ts';

describe('a list of direct debits is refused by name', () => {
  it.each([
    ['German', 'Name;IBAN;Betrag;Währung;Mandatsreferenz', `Ana;${IBAN};60,00;EUR;M-42`],
    ['of debtors alone', 'Zahlungspflichtiger;IBAN;Betrag;Währung', `Ana;${IBAN};60,00;EUR`],
    ['of a creditor', 'Name;IBAN;Betrag;Währung;Gläubiger-ID', `Ana;${IBAN};60,00;EUR;DE98ZZZ09999999999`],
    ['English', 'Name;IBAN;Amount;Currency;Mandate ID', `Ana;${IBAN};60.00;EUR;M-42`],
    ['by UMR', 'Name;IBAN;Amount;Currency;UMR', `Ana;${IBAN};60.00;EUR;M-42`],
    [
      'by its sequences alone',
      'Name;IBAN;Amount;Currency;Kind',
      `Ana;${IBAN};60.00;EUR;RCUR\nBo;${IBAN};1.00;EUR;FRST`,
    ],
    ['by the kind of its payments', 'Name;IBAN;Amount;Currency;Payment type', `Ana;${IBAN};60.00;EUR;Direct debit`],
    ['French', 'Nom;IBAN;Montant;Devise;RUM', `Ana;${IBAN};60,00;EUR;M-42`],
    ['Spanish', 'Nombre;IBAN;Importe;Divisa;Referencia del mandato', `Ana;${IBAN};60,00;EUR;M-42`],
    ['Italian', 'Debitore;IBAN;Importo;Divisa;Riferimento mandato', `Ana;${IBAN};60,00;EUR;M-42`],
    ['Dutch', 'Naam;IBAN;Bedrag;Valuta;Machtigingskenmerk', `Ana;${IBAN};60,00;EUR;M-42`],
    ['Polish', 'Płatnik;IBAN;Kwota;Waluta;Identyfikator mandatu', `Ana;${IBAN};60,00;EUR;M-42`],
    ['Portuguese', 'Devedor;IBAN;Valor;Moeda;Referência do mandato', `Ana;${IBAN};60,00;EUR;M-42`],
    [
      'by the codes of Bacs',
      'Name,Sort code,Account number,Amount,Currency,Transaction code',
      'Ana,601613,31926819,60.00,GBP,17',
    ],
    ['of a society', 'Kontoinhaber;IBAN;Betrag;Währung;Mandat gültig seit', `Ana;${IBAN};60,00;EUR;1.1.2020`],
    ['Italian, by codes', 'Cliente;IBAN;Importo;Divisa;Codice mandato', `Ana;${IBAN};60,00;EUR;M-42`],
    ['Czech', 'Plátce;IBAN;Částka;Měna', `Ana;${IBAN};60,00;EUR`],
    ['Swedish', 'Namn;IBAN;Belopp;Valuta;Medgivande', `Ana;${IBAN};60,00;EUR;M-42`],
    ['Hungarian', 'Fizető fél;IBAN;Összeg;Devizanem', `Ana;${IBAN};60,00;EUR`],
    ['Russian', 'Плательщик;IBAN;Сумма;Валюта', `Ana;${IBAN};60,00;EUR`],
    ['by its title', 'SEPA-Lastschriften November 2026\nName;IBAN;Betrag;Währung', `Ana;${IBAN};60,00;EUR`],
  ])('%s', async (_, header, row) => {
    expect(await kindOf([header, row])).toBe('direct_debit_list');
  });

  it('also where a person says that the debtor is the payee', async () => {
    const columns: ExplicitColumn[] = [
      { header: 'Zahlungspflichtiger', column: 'name' },
      { header: 'Mandat', column: null },
    ];
    const lines = ['Zahlungspflichtiger;IBAN;Betrag;Währung;Mandat', `Ana;${IBAN};60,00;EUR;M-42`];
    expect(await kindOf(lines, columns)).toBe('direct_debit_list');
  });

  it.each([
    ['a mandate with nothing under it', 'Name;IBAN;Amount;Currency;Mandate reference', `Ana;${IBAN};60.00;EUR;`],
    [
      'a payer of another language',
      'IBAN platitelja;Platitelj;Primatelj;IBAN primatelja;Iznos;Valuta plaćanja',
      `${OTHER_IBAN};We;Ana;${IBAN};60,00;EUR`,
    ],
    [
      'a debtor who pays',
      'Debtor name;Debtor IBAN;Creditor name;Creditor IBAN;Amount;Currency',
      `We;${OTHER_IBAN};Ana;${IBAN};60.00;EUR`,
    ],
    ['a French order to pay', 'Mandat;Nom;IBAN;Montant;Devise', `2026-17;Ana;${IBAN};60,00;EUR`],
    [
      'a title that excludes them',
      'Payments without direct debits\nName;IBAN;Amount;Currency',
      `Ana;${IBAN};60.00;EUR`,
    ],
  ])('but not one with %s', async (_, header, row) => {
    const { problemCounts, payouts } = await readAll(`${header}\n${row}\n`);
    expect([problemCounts.errors, payouts]).toEqual([0, 1]);
  });

  it('of which one row is among payments is an error of that row', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => `P${at};${IBAN};${at + 1}.00;EUR;`);
    const result = await readAll(
      ['Name;IBAN;Amount;Currency;Mandate ID', ...rows, `Ana;${IBAN};99.00;EUR;M-42`].join('\n'),
    );
    expect(result.problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'row_is_direct_debit', cell: 'E32' },
    ]);
    expect([result.isWhole, result.payouts]).toEqual([true, 30]);
  });
});

describe('a list of what people owe is refused by name', () => {
  it.each([
    ['German', `Name;IBAN;Beitrag;Währung`, `Ana;${IBAN};60,00;EUR`],
    ['Spanish', `Nombre;IBAN;Cuota;Divisa`, `Ana;${IBAN};60,00;EUR`],
    ['French', `Nom;IBAN;Cotisation;Devise`, `Ana;${IBAN};60,00;EUR`],
    ['English', `Name;IBAN;Membership fee;Currency`, `Ana;${IBAN};60.00;EUR`],
    ['of rents', `Name;IBAN;Rent receivable;Currency`, `Ana;${IBAN};60.00;EUR`],
    ['Polish', `Nazwa;IBAN;Składka;Waluta`, `Ana;${IBAN};60,00;EUR`],
    ['Chinese', `姓名;IBAN;应收金额;币种`, `Ana;${IBAN};60.00;EUR`],
    ['by its title', `Accounts receivable, November\nName;IBAN;Amount;Currency`, `Ana;${IBAN};60.00;EUR`],
    ['of standing orders', `Standing orders received\nName;IBAN;Amount;Currency`, `Ana;${IBAN};60.00;EUR`],
  ])('%s', async (_, header, row) => {
    expect(await kindOf([header, row])).toBe('collection_list');
  });

  it.each([
    ['it is receivable', 'Name;IBAN;Forderung;Währung', 'Forderung', `Ana;${IBAN};60,00;EUR`],
    [
      'it has a title of receivables',
      'Mitgliedsbeiträge 2026\nName;IBAN;Beitrag;Währung',
      'Beitrag',
      `Ana;${IBAN};60,00;EUR`,
    ],
    [
      'it has invoices that are due',
      'Name;IBAN;Beitrag;Währung;Rechnungsnummer;Fällig am',
      'Beitrag',
      `Ana;${IBAN};60,00;EUR;17;1.12.2026`,
    ],
  ])('also where a person says that it is the amount, if %s', async (_, head, header, row) => {
    expect(await kindOf([head, row], [{ header, column: 'amount' }])).toBe('collection_list');
  });

  it.each([
    ['Beitrag', `Name;IBAN;Beitrag;Währung`, `Ana;${IBAN};60,00;EUR`],
    ['Cuota', `Nombre;IBAN;Cuota;Divisa`, `Ana;${IBAN};60,00;EUR`],
    ['Cotisation', `Nom;IBAN;Cotisation;Devise`, `Ana;${IBAN};60,00;EUR`],
    ['Składka', `Pracownik;IBAN;Składka;Waluta`, `Ana;${IBAN};60,00;EUR`],
  ])('but not one of contributions where a person says that %s is the amount', async (header, head, row) => {
    const asked = await readAll(`${head}\n${row}\n`);
    expect(asked.problems[0]?.remedy).toContain(`--column "${header}=amount"`);
    const paid = await readAll(`${head}\n${row}\n`, { columns: [{ header, column: 'amount' }] });
    expect(paid.problems.map(({ code, severity }) => [code, severity])).toEqual([
      ['amount_is_contribution', 'warning'],
    ]);
    expect(paid.payouts).toBe(1);
  });

  it.each([
    ['an amount beside it', 'Name;IBAN;Beitrag;Betrag;Währung', `Ana;${IBAN};60,00;6,00;EUR`],
    ['fees that are given back', 'Membership fees: refunds\nName;IBAN;Amount;Currency', `Ana;${IBAN};60.00;EUR`],
  ])('but not one with %s', async (_, header, row) => {
    expect((await readAll(`${header}\n${row}\n`)).payouts).toBe(1);
  });
});

describe('customers as payees', () => {
  const HEADERS = [
    'Customer',
    'Client Name',
    'Kunde',
    'Nombre del cliente',
    'Klant',
    'Klient',
    'Zákazník',
    'Müşteri',
    '客户名称',
  ];

  it.each(HEADERS)('are a warning where a person says so of %s', async (header) => {
    const text = `${header};IBAN;Amount;Currency\nAna;${IBAN};60.00;EUR\n`;
    const result = await readAll(text, { columns: [{ header, column: 'name' }] });
    expect(placesOf(result)).toEqual(['A1 name_of_customer']);
    expect(result.payouts).toBe(1);
  });

  it.each([
    ['Customer', 'Customer;IBAN;Invoice No;Due date;Amount;Currency'],
    ['Kunde', 'Kunde;IBAN;Rechnungsnummer;Fälligkeit;Betrag;Währung'],
    ['Client', 'Client;IBAN;N° facture;Échéance;Montant;Devise'],
    ['Cliente', 'Cliente;IBAN;Nº factura;Vencimiento;Importe;Divisa'],
  ])('are an error beside invoices that are due: %s', async (header, head) => {
    const columns = [{ header, column: 'name' as const }];
    const result = await readAll(`${head}\nAna;${IBAN};17;2026-12-01;60.00;EUR\n`, { columns });
    expect([result.problems.map(({ code }) => code), result.payouts]).toEqual([['name_of_customer'], 0]);
  });

  it('are paid where money is given back, and suppliers with invoices always', async () => {
    const columns = [{ header: 'Customer', column: 'name' as const }];
    const refunds = `Customer;IBAN;Invoice No;Due date;Amount;Currency;Refund reason\nAna;${IBAN};17;2026-12-01;60.00;EUR;x\n`;
    expect((await readAll(refunds, { columns })).problems).toEqual([]);
    const bills = `Supplier;IBAN;Invoice No;Due date;Amount;Currency\nAna;${IBAN};17;2026-12-01;60.00;EUR\n`;
    expect((await readAll(bills)).problems).toEqual([]);
  });
});
