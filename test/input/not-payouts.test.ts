import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExplicitColumn } from '../../src/input/header/columns.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { readAll } from './reading.ts';

const IBAN = 'DE89370400440532013000';
const OTHER_IBAN = 'DE75512108001245126199';

/** Layouts that others wrote; they are not part of this repository. */
const LAYOUTS = join(import.meta.dirname, '../../../shared/vectors/layouts');
const isThere = existsSync(LAYOUTS);
if (!isThere)
  console.warn('SKIPPED: ../shared/vectors/layouts is not here, so its lists that are no payouts were not run');

/** The only problem of a file of which nothing is paid. */
async function kindOf(lines: readonly string[], columns: ExplicitColumn[] = []): Promise<string | undefined> {
  const result = await readAll(`${lines.join('\n')}\n`, { columns });
  expect([result.isWhole, result.payouts, result.runRows]).toEqual([false, 0, []]);
  expect(result.problems).toHaveLength(1);
  return result.problems[0]?.code;
}

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

describe('a bank statement is refused by name', () => {
  it.each([
    [
      'German',
      'Buchungstag;Wertstellung;Buchungstext;Auftraggeber/Empfänger;IBAN;Betrag;Währung',
      `1.10.2026;1.10.2026;Gutschrift;Ana;${IBAN};60,00;EUR`,
    ],
    [
      'with a mandate',
      'Buchungstag;Buchungstext;Empfänger;IBAN;Mandatsreferenz;Betrag;Währung',
      `1.10.2026;Lastschrift;Ana;${IBAN};M-42;60,00;EUR`,
    ],
    ['with Soll and Haben', `Datum;Empfänger;IBAN;Soll;Haben;Währung`, `1.10.2026;Ana;${IBAN};;60,00;EUR`],
    [
      'English',
      'Date,Description,Name,IBAN,Amount,Currency,Running balance',
      `2026-10-01,Invoice,Ana,${IBAN},60.00,EUR,1060.00`,
    ],
    [
      'with debits and credits',
      'Date,Payee,IBAN,Currency,Debit Amount,Credit Amount',
      `2026-10-01,Ana,${IBAN},EUR,,60.00`,
    ],
    [
      'by its indicator',
      'Date,Payee,IBAN,Currency,Amount,D/C',
      `2026-10-01,Ana,${IBAN},EUR,60.00,C\n2026-10-01,Bo,${IBAN},EUR,6.00,D`,
    ],
    [
      'by balances that follow the amounts',
      'Payee,IBAN,Currency,Amount,Balance',
      `Ana,${IBAN},EUR,60.00,160.00\nBo,${IBAN},EUR,6.00,154.00\nZoe,${IBAN},EUR,4.00,158.00`,
    ],
    [
      'French',
      "Date de l'opération;Type opération;Bénéficiaire;IBAN;Montant;Devise",
      `01/10/2026;VIR;Ana;${IBAN};60,00;EUR`,
    ],
    [
      'French with two columns',
      'Date;Libellé;Débit euros;Crédit euros',
      '01/10/2026;VIR Ana;;60,00\n02/10/2026;CB Bo;6,00;',
    ],
    [
      'Spanish',
      'Fecha operación;Fecha valor;Concepto;Beneficiario;IBAN;Importe;Divisa;Saldo',
      `01/10/2026;01/10/2026;Nómina;Ana;${IBAN};60,00;EUR;160,00`,
    ],
    [
      'Italian',
      'Data contabile;Data valuta;Beneficiario;IBAN;Divisa;Dare;Avere',
      `01/10/2026;01/10/2026;Ana;${IBAN};EUR;;60,00`,
    ],
    [
      'Dutch',
      'Datum;Naam / Omschrijving;Rekening;Tegenrekening;Code;Af Bij;Bedrag (EUR);Mutatiesoort',
      `20261001;Ana;NL91ABNA0417164300;${IBAN};GT;Bij;60,00;Online`,
    ],
    [
      'Polish',
      'Data operacji;Opis operacji;Odbiorca;Numer rachunku;Kwota;Waluta;Saldo po operacji',
      `2026-10-01;Przelew;Ana;${IBAN};60,00;EUR;160,00`,
    ],
    [
      'Portuguese',
      'Data mov.;Data valor;Descrição;Débito;Crédito;Saldo contabilístico',
      '01-10-2026;01-10-2026;TRF Ana;;60,00;160,00',
    ],
    [
      'by signs',
      'Datum;Empfänger;IBAN;Betrag;Währung;Kategorie',
      `1.10.2026;Ana;${IBAN};-6,00;EUR;x\n2.10.2026;Bo;${IBAN};9,00;EUR;y`,
    ],
    ['Swedish', 'Bokföringsdag;Mottagare;IBAN;Belopp;Valuta;Saldo', `2026-10-01;Ana;${IBAN};60,00;EUR;160,00`],
    ['Finnish', 'Kirjauspäivä;Tapahtumalaji;Saajan nimi;IBAN;Valuutta', `1.10.2026;PANO;Ana;${IBAN};EUR`],
    ['Hungarian', 'Dátum;Partner neve;IBAN;Terhelés;Jóváírás;Devizanem', `2026.10.01;Ana;${IBAN};;60,00;EUR`],
    ['Romanian', 'Data tranzacției;Beneficiar;IBAN;Debit;Credit;Moneda', `1.10.2026;Ana;${IBAN};;60,00;EUR`],
    ['Croatian', 'Datum knjiženja;Primatelj;IBAN;Isplata;Uplata;Valuta', `1.10.2026;Ana;${IBAN};;60,00;EUR`],
    ['Greek', 'Ημερομηνία;Δικαιούχος;IBAN;Χρέωση;Πίστωση', `1.10.2026;Ana;${IBAN};;60,00`],
    [
      'Russian',
      'Дата операции;Получатель;Номер счета;Приход;Расход;Остаток',
      '1.10.2026;Ana;40817810099910004312;60,00;;160,00',
    ],
    ['Japanese', '取引日,摘要,出金額,入金額,残高', '2026/10/01,給与,,60,160'],
    ['Korean', '거래일시,적요,출금액,입금액,잔액', '2026-10-01,급여,,60,160'],
    ['Thai', 'วันที่,รายการ,ถอน,ฝาก,ยอดคงเหลือ', '01/10/2026,Ana,,60.00,160.00'],
    ['Vietnamese', 'Ngày giao dịch,Diễn giải,Ghi nợ,Ghi có,Số dư', '01/10/2026,Ana,,60,160'],
    ['Arabic', 'التاريخ,البيان,مدين,دائن,الرصيد', '01/10/2026,Ana,,60.00,160.00'],
    ['Hebrew', 'תאריך,תיאור,חובה,זכות,יתרה', '01/10/2026,Ana,,60.00,160.00'],
    ['below a title', `Kontoauszug\nKonto;${IBAN}\n\nBuchungstag;Umsatz in EUR;Saldo`, '1.10.2026;60,00;160,00'],
  ])('%s', async (_, header, row) => {
    expect(await kindOf([header, row])).toBe('bank_statement');
  });

  it('and names the headers that show it', async () => {
    const { problems } = await readAll(`Date,Payee,IBAN,Currency,Debit,Credit\n2026-10-01,Ana,${IBAN},EUR,,60.00\n`);
    expect(problems[0]).toMatchObject({ cell: 'E1', value: 'Debit' });
    expect(problems[0]?.message).toContain('The file is a bank statement, as `Debit` in E1 shows');
  });

  it.each([
    [
      'a value date',
      'Name,IBAN,Amount,Currency,Value Date,Transaction Type,Description',
      `Ana,${IBAN},60.00,EUR,2026-10-01,NEFT,x`,
    ],
    [
      'invoices that were booked',
      'Kreditor;Name;IBAN;Rechnungsnummer;Buchungsdatum;Fälligkeit;Betrag;Währung;Buchungstext',
      `7;Ana;${IBAN};4711;1.10.2026;30.10.2026;60,00;EUR;Miete`,
    ],
    ['the account that is debited', 'Debit Account No,Name,IBAN,Amount,Currency', `001,Ana,${IBAN},60.00,EUR`],
    [
      'the day on which an invoice was posted',
      'Name,IBAN,Amount,Currency,Posting date,Document',
      `Ana,${IBAN},60.00,EUR,2026-10-01,17`,
    ],
    ['what is still owed', 'Name,IBAN,Amount,Currency,Balance', `Ana,${IBAN},60.00,EUR,0.00`],
    ['the turnover of which it is a part', 'Name;IBAN;Betrag;Währung;Umsatz', `Ana;${IBAN};60,00;EUR;600,00`],
    ['both accounts', 'Name,Debit,IBAN,Credit,Amount,Currency', `Ana,1234567,${IBAN},7654321,60.00,EUR`],
    ['a job that is called Cargo', 'Nombre;Cargo;IBAN;Importe;Divisa', `Ana;Gerente;${IBAN};60,00;EUR`],
  ])('but not payments with %s', async (_, header, row) => {
    const { problemCounts, payouts } = await readAll(`${header}\n${row}\n`);
    expect([problemCounts.errors, payouts]).toEqual([0, 1]);
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

  it('also where a person says that it is the amount', async () => {
    const columns = [{ header: 'Beitrag', column: 'amount' as const }];
    expect(await kindOf(['Name;IBAN;Beitrag;Währung', `Ana;${IBAN};60,00;EUR`], columns)).toBe('collection_list');
  });

  it.each([
    ['an amount beside it', 'Name;IBAN;Beitrag;Betrag;Währung', `Ana;${IBAN};60,00;6,00;EUR`],
    ['fees that are given back', 'Membership fees: refunds\nName;IBAN;Amount;Currency', `Ana;${IBAN};60.00;EUR`],
  ])('but not one with %s', async (_, header, row) => {
    expect((await readAll(`${header}\n${row}\n`)).payouts).toBe(1);
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
    expect(problems[0]?.message).toContain('No account is in it');
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

describe.skipIf(!isThere)('layouts of others', () => {
  const errorsOf = async (file: string) => {
    const { problemGroups } = await readAll(readFileSync(join(LAYOUTS, file)));
    return problemGroups.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  };

  it.each([
    ['de_datev_bruttoliste.csv', ['gross_list']],
    ['paypal_payouts.csv', ['contact_list']],
    ['wise_saved_recipients.csv', ['contact_list']],
    ['vn_payroll_full.csv', ['amount_net_or_gross', 'column_missing', 'row_paid_already']],
    ['more/de_lastschrift_einzug.csv', ['direct_debit_list']],
    ['more/hk_fps_withdrawals.csv', ['contact_list']],
    ['more/int_paypal_masspay_tab.txt', ['contact_list']],
    ['more/us_dots_amount_cents.csv', ['contact_list', 'amount_in_minor_units']],
  ])('%s is refused by %j', async (file, codes) => {
    expect(await errorsOf(file)).toEqual(codes);
  });

  it('a foot of words is compared with the payouts', async () => {
    const content = readFileSync(join(LAYOUTS, 'more/hazards/foot_with_words_blocks.csv'), 'utf8');
    const read = await readAll(content);
    expect(read.problems.slice(1).map(({ code }) => code)).toEqual(['total_line', 'footer_line']);
    expect([read.isWhole, read.problemCounts.errors, read.payouts]).toEqual([true, 0, 2]);
    const other = await readAll(content.replace('1350.50 USD', '9999.99 USD'));
    expect(other.problems.slice(1).map(({ code }) => code)).toEqual(['total_line_differs', 'footer_line']);
    expect(other.isWhole).toBe(false);
  });

  it.each([
    'kotak_neft.csv',
    'sbi_cmp.csv',
    'revolut_uk_sortcode.csv',
    'revolut_sepa.csv',
    'uk_bacs.csv',
    'razorpayx.csv',
    'more/de_gbanking_sender_iban.csv',
    'more/es_nominas.csv',
    'more/fr_ordre_virement.csv',
    'more/in_debit_currency.csv',
    'more/in_icici_cib.csv',
    'more/in_sbi_saral.csv',
    'more/it_illimity.csv',
    'more/mx_banorte.csv',
    'more/nl_crew_uren.csv',
    'more/us_vendor_bank_routing.csv',
    'more/br_afiliados_pix.csv',
  ])('%s is a list of payouts', async (file) => {
    expect((await errorsOf(file)).join()).not.toMatch(/list|statement|paid_already|net_or_gross|minor|sender/);
  });
});

describe('a real run', () => {
  it('pays nothing of a statement, not even the valid rows', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, 'october.csv'),
      `Booking date,Payee,IBAN,Amount,Currency,Balance\n2026-10-01,Ana,${IBAN},60.00,EUR,160.00\n`,
    );
    const { exit, stdout } = await payrun(['run', 'october.csv', '--yes', '--only-valid'], { cwd });
    expect(stdout).toContain('bank_statement at A1');
    expect(exit).toBe(3);
  });

  it('leaves rows that were paid out of the valid ones', async () => {
    const cwd = temporaryFolder();
    const lines = ['Name,IBAN,Amount,Currency,Status', `Ana,${IBAN},60.00,EUR,Paid`, `Bo,${OTHER_IBAN},6.00,EUR,Open`];
    writeFileSync(join(cwd, 'october.csv'), lines.join('\n'));
    const { stdout } = await payrun(['run', 'october.csv', '--yes', '--only-valid', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ counts: { completed: 1 } });
  });
});
