import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExplicitColumn } from '../../src/input/header/columns.ts';
import { HEADER_ROWS } from '../../src/input/header/header-search.ts';
import { payrun, temporaryFolder } from '../support/payrun.ts';
import { placesOf, readAll } from './reading.ts';

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

describe('the number of an account at a building society', () => {
  const head = 'Name,Sort code,Account number,Amount,Currency';
  const row = 'Ana,601613,31926819,60.00,GBP';

  it.each(['Roll Number', 'Roll No', 'Building society reference', 'Building Society Roll Number'])(
    'in %s is an error of its row until a person says that it is the reference',
    async (header) => {
      const content = `${head},Reference,${header}\n${row},,123/456-7\n${row.replace('Ana', 'Bo')},PAY,\n`;
      const asked = await readAll(content);
      expect(placesOf(asked).filter((place) => place.includes('roll'))).toEqual(['G2 roll_number_unused']);
      expect(asked.payouts).toBe(1);
      const remedy = `${header}|Reference`;
      expect(asked.problems.some((problem) => problem.remedy.includes(`--column "${remedy}=reference"`))).toBe(true);
      const answered = await readAll(content, { columns: [{ header: remedy, column: 'reference' }] });
      expect(answered.runRows.map(({ order }) => order?.reference)).toEqual(['123/456-7', 'PAY']);
      expect((await readAll(content, { columns: [{ header, column: null }] })).payouts).toBe(2);
    },
  );

  it('is not meant by the number of a pupil', async () => {
    expect((await readAll(`Name,IBAN,Amount,Currency,Roll No\nAna,${IBAN},60.00,EUR,12\n`)).payouts).toBe(1);
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

describe('a row that was paid', () => {
  const header = (status: string) => `Name,IBAN,Amount,Currency,${status}`;
  const rows = (status: string) => [`Ana,${IBAN},60.00,EUR,${status}`, `Bo,${OTHER_IBAN},6.00,EUR,Pending`];

  it.each([
    ['Status', 'PAID'],
    ['Status', 'Completed'],
    ['State', 'completed'],
    ['Payment status', 'Processed'],
    ['Status', '✓ Paid 2026-10-30'],
    ['Zahlungsstatus', 'bezahlt am 30.10.2026'],
    ['Statut', 'Payé'],
    ['Estado', 'Pagado'],
    ['Situação', 'Pago'],
    ['Stato', 'Pagato'],
    ['Betaalstatus', 'Betaald'],
    ['Status płatności', 'Zrealizowane'],
    ['状态', '已完成'],
    ['狀態', '已付款'],
    ['Stav platby', 'Zaplaceno'],
    ['Ödeme durumu', 'Ödendi'],
    ['Paid', 'yes'],
    ['Bezahlt', 'x'],
    ['Paid', '2026-10-30'],
    ['Paid date', '2026-10-30T09:00:00Z'],
    ['Date paid', '30/10/2026'],
    ['Bezahlt am', '30.10.2026'],
    ['Статус', 'Оплачено'],
    ['ステータス', '支払済み'],
    ['상태', '지급완료'],
    ['Trạng thái', 'Đã thanh toán'],
    ['الحالة', 'تم الدفع'],
    ['UTR Number', 'HDFCN52026103012345678'],
    ['Tx hash', `0x${'ab12'.repeat(16)}`],
  ])('by %s: %s is an error, and the others are paid', async (status, text) => {
    const result = await readAll([header(status), ...rows(text)].join('\n'));
    expect(placesOf(result)).toEqual(['E2 row_paid_already']);
    expect([result.isWhole, result.payouts]).toEqual([true, 1]);
  });

  it.each([
    ['Status', 'Unpaid'],
    ['Status', 'not paid'],
    ['Status', 'Active'],
    ['Status', 'Approved'],
    ['Status', 'Sent'],
    ['Paid', 'no'],
    ['Job', 'Completed'],
    ['Pago', 'sí'],
    ['Date paid', ''],
    // The day of the payroll.
    ['Paid on', '2026-10-30'],
    ['Payment date', '2026-10-30'],
    ['UTR', '1234567890'],
    ['Tx hash', 'pending'],
  ])('is none by %s: %s', async (status, text) => {
    expect((await readAll([header(status), ...rows(text)].join('\n'))).payouts).toBe(2);
  });

  it('is not looked for in a column that a person ignores', async () => {
    const content = [header('Status'), ...rows('PAID')].join('\n');
    for (const ignored of ['Status', 'E'])
      expect((await readAll(content, { columns: [{ header: ignored, column: null }] })).payouts).toBe(2);
  });
});

describe('a row that is withheld', () => {
  const content = (header: string, text: string, other: string) =>
    [`Name,IBAN,Amount,Currency,${header}`, `Ana,${IBAN},60.00,EUR,${text}`, `Bo,${OTHER_IBAN},6.00,EUR,${other}`].join(
      '\n',
    );

  it.each([
    ['Status', 'Cancelled', 'Open'],
    ['Status', 'On hold', 'Approved'],
    ['Status', 'gesperrt', 'freigegeben'],
    ['Statut', 'Annulé le 30/10/2026', 'Validé'],
    ['Estado', 'Rechazado', 'Pendiente'],
    ['Situação', 'Cancelado', 'Pendente'],
    ['Stato', 'Annullato', 'Da pagare'],
    ['Status', 'Geannuleerd', 'Open'],
    ['Status', 'Anulowane', 'Nowe'],
    ['Durum', 'İptal edildi', 'Bekliyor'],
    ['Статус', 'Отменено', 'Новый'],
    ['状态', '已取消', '待支付'],
    ['Approved', 'no', 'yes'],
    ['Approval', 'pending', 'approved'],
    ['Freigegeben', 'nein', 'ja'],
    ['Pay?', 'N', 'Y'],
    ['Hold', 'yes', ''],
    ['Zahlsperre', 'R', ''],
    ['Do not pay', 'x', 'no'],
  ])('by %s: %s is an error, and the others are paid', async (header, text, other) => {
    const result = await readAll(content(header, text, other));
    expect(placesOf(result)).toEqual(['E2 row_withheld']);
    expect([result.isWhole, result.payouts]).toEqual([true, 1]);
    expect(result.problems[0]?.remedy).toContain(`--column "${header}="`);
    expect((await readAll(content(header, text, other), { columns: [{ header, column: null }] })).payouts).toBe(2);
  });

  it.each([
    ['Status', 'Failed', 'Active'],
    ['Status', 'Pending', 'Draft'],
    ['Approved', 'yes', 'x'],
    ['Approved by', 'no one', 'Eve'],
    ['Hold', 'no', '0'],
    ['Block', 'B12', 'A3'],
    ['Department', 'Suspended ceilings', 'Hold'],
  ])('is none by %s: %s and %s', async (header, text, other) => {
    expect((await readAll(content(header, text, other))).payouts).toBe(2);
  });
});

describe('a row that is paid in another way', () => {
  it.each([
    ['Payment Method', 'Cheque', 'Bank transfer'],
    ['Zahlungsart', 'bar', 'Überweisung'],
    ['Mode de règlement', 'Chèque', 'Virement'],
    ['Forma de pago', 'Efectivo', 'Transferencia'],
    ['Betaalwijze', 'Contant', 'Overboeking'],
  ])('by %s: %s is an error, and the others are paid', async (header, text, other) => {
    const lines = [
      `Name;IBAN;Amount;Currency;${header}`,
      `Ana;${IBAN};60.00;EUR;${text}`,
      `Bo;${OTHER_IBAN};6.00;EUR;${other}`,
    ];
    const result = await readAll(lines.join('\n'));
    expect(placesOf(result)).toEqual(['E2 row_paid_otherwise']);
    expect(result.payouts).toBe(1);
    const ignored = await readAll(lines.join('\n'), { columns: [{ header, column: null }] });
    expect(ignored.payouts).toBe(2);
  });
});

describe('a row that is no payment to be made', () => {
  it.each([
    ['Type', 'Refund received', 'Payment'],
    ['Transaction type', 'Chargeback', 'Payment'],
    ['Kind', 'Standing order received', 'Transfer'],
    ['Type', 'Credit', 'Payment'],
    ['Type', 'Fee', 'Salary'],
    ['Transaktionsart', 'Zahlungseingang', 'Überweisung'],
    ['Vorgang', 'Rückbuchung', 'Überweisung'],
    ['Type opération', 'Virement reçu', 'Virement émis'],
    ['Tipo', 'Transferencia recibida', 'Transferencia'],
    ['Tipo', 'Estorno', 'Transferência'],
    ['Type', 'Ontvangen', 'Overboeking'],
  ])('by %s: %s is an error, and the others are paid', async (header, text, other) => {
    const row = (name: string, iban: string, kind: string) => `${name};${iban};60.00;EUR;${kind}`;
    const lines = [`Name;IBAN;Amount;Currency;${header}`, row('Ana', IBAN, text), row('Bo', OTHER_IBAN, other)];
    const result = await readAll(lines.join('\n'));
    expect(placesOf(result)).toEqual(['E2 row_no_payout']);
    expect(result.payouts).toBe(1);
    const ignored = await readAll(lines.join('\n'), { columns: [{ header, column: null }] });
    expect(ignored.payouts).toBe(2);
  });

  it.each(['Credit', 'Fee', 'Gutschrift', 'Refund'])('is not meant where every row says %s', async (kind) => {
    const rows = [`Ana;${IBAN};60.00;EUR;${kind}`, `Bo;${OTHER_IBAN};6.00;EUR;${kind}`];
    expect((await readAll(['Name;IBAN;Amount;Currency;Type', ...rows].join('\n'))).payouts).toBe(2);
  });
});

describe('amounts in minor units', () => {
  it.each([
    ['amount_cents', []],
    ['amountCents', []],
    ['Amount (minor)', []],
    ['Amount in paise', []],
    ['Pence', []],
    ['Betrag in Cent', []],
    ['Montant en centimes', []],
    ['Importe en céntimos', []],
    ['Valor em centavos', []],
    ['Kwota w groszach', []],
    ['amount_cents', [{ header: 'amount_cents', column: 'amount' as const }]],
    ['Pence', [{ header: 'Pence', column: 'amount' as const }]],
  ])('by %s, mapped by %j, are an error of the file alone', async (header, columns) => {
    const result = await readAll(`Name,IBAN,Currency,${header}\nAna,${IBAN},EUR,30050\n`, { columns });
    expect(result.problems.filter(({ row }) => row === 1).map(({ code }) => code)).toEqual(['amount_in_minor_units']);
    expect(result.problems[0]?.message).toContain('30050 stands for 300.50');
    expect([result.isWhole, result.payouts]).toEqual([false, 0]);
  });

  it.each([['Per cent'], ['Cents'], ['Minor'], ['Ore']])('are not meant by %s beside an amount', async (header) => {
    const result = await readAll(`Name,IBAN,Currency,Amount,${header}\nAna,${IBAN},EUR,300.50,30050\n`);
    expect([result.problemCounts.errors, result.payouts]).toEqual([0, 1]);
  });
});

describe('amounts in thousands', () => {
  it.each([
    ['Betrag in TEUR', []],
    ['Montant (k€)', []],
    ['Importe (miles de euros)', []],
    ['Amount (EUR k)', []],
    ["Amount ('000)", []],
    ['Kwota (tys. zł)', []],
    ['金额（万元）', []],
    ['Amount (in lakhs)', [{ header: 'Amount (in lakhs)', column: 'amount' as const }]],
  ])('by %s, mapped by %j, are an error of the file', async (header, columns) => {
    const result = await readAll(`Name;IBAN;Currency;${header}\nAna;${IBAN};EUR;12,5\n`, { columns });
    expect(result.problems.map(({ code }) => code)).toEqual(['amount_in_thousands']);
    expect([result.isWhole, result.payouts]).toEqual([false, 0]);
  });

  it.each([['Miles'], ['Employee k'], ['Salary band (k)'], ['Turnover in TEUR'], ['EFT']])(
    'are not meant by %s beside an amount',
    async (header) => {
      const result = await readAll(`Name,IBAN,Currency,Amount,${header}\nAna,${IBAN},EUR,300.50,17\n`);
      expect([result.problemCounts.errors, result.payouts]).toEqual([0, 1]);
    },
  );
});

describe('a second account or amount', () => {
  const THIRD_IBAN = 'ES9121000418450200051332';
  const file = (headers: string, ...rows: string[]) => [headers, ...rows].join('\n');

  it.each([
    ['New IBAN', `Ana,${IBAN},60.00,EUR,`, `Bo,${OTHER_IBAN},6.00,EUR,${THIRD_IBAN}`],
    ['IBAN (neu)', `Ana,${IBAN},60.00,EUR,${IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${THIRD_IBAN}`],
    ['IBAN 2', `Ana,${IBAN},60.00,EUR,`, `Bo,${OTHER_IBAN},6.00,EUR,${THIRD_IBAN}`],
    ['Account number 2', `Ana,${IBAN},60.00,EUR,`, `Bo,${OTHER_IBAN},6.00,EUR,12345678`],
    ['Savings', `Ana,${IBAN},60.00,EUR,${THIRD_IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${IBAN}`],
  ])('by %s is a question until a person answers it', async (header, ...rows) => {
    const content = file(`Name,IBAN,Amount,Currency,${header}`, ...rows);
    const asked = await readAll(content);
    expect([placesOf(asked), asked.payouts]).toEqual([['B1 account_or_other'], 0]);
    expect(asked.problems[0]?.remedy).toContain(`--column "${header}=account_number" --column "IBAN="`);
    for (const columns of [[{ header: 'IBAN', column: 'account_number' as const }], [{ header, column: null }]])
      expect((await readAll(content, { columns })).payouts).toBe(2);
  });

  it.each([
    ['Old IBAN', `Ana,${IBAN},60.00,EUR,${THIRD_IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${IBAN}`],
    ['Our account', `Ana,${IBAN},60.00,EUR,${THIRD_IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${THIRD_IBAN}`],
    ['IBAN again', `Ana,${IBAN},60.00,EUR,${IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${OTHER_IBAN}`],
    ['New IBAN', `Ana,${IBAN},60.00,EUR,`, `Bo,${OTHER_IBAN},6.00,EUR,`],
    ['Debtor IBAN', `Ana,${IBAN},60.00,EUR,${THIRD_IBAN}`, `Bo,${OTHER_IBAN},6.00,EUR,${IBAN}`],
    ['Account code', `Ana,${IBAN},60.00,EUR,4400`, `Bo,${OTHER_IBAN},6.00,EUR,4500`],
  ])('is not meant by %s', async (header, ...rows) => {
    expect((await readAll(file(`Name,IBAN,Amount,Currency,${header}`, ...rows))).payouts).toBe(2);
  });

  /** More rows than those by which a file is judged as a whole. */
  const ROWS = 2 * HEADER_ROWS;

  /** A file of so many rows, of which the last has another last cell. */
  const long = (headers: string, cells: string, usual: string, last: string) => {
    const row = (at: number) => `P${at},${IBAN},${cells},EUR,${at === ROWS ? last : usual === 'IBAN' ? IBAN : usual}`;
    return file(headers, ...Array.from({ length: ROWS }, (_, at) => row(at + 1)));
  };

  it.each([
    ['New IBAN', 'account_or_other', '', THIRD_IBAN],
    ['Account number 2', 'account_or_other', '', '12345678'],
    ['Savings', 'account_or_other', '', THIRD_IBAN],
    ['Again', 'account_or_other', 'IBAN', THIRD_IBAN],
    ['Amount 2', 'amount_or_other', '', '5.00'],
    ['Bonus (EUR)', 'amount_or_other', '', '5.00'],
    ['Deductions', 'amount_before_deductions', '0.00', '5.00'],
  ])('by %s further down is an error of its row', async (header, code, usual, last) => {
    const amount = header.includes('EUR') ? 'Amount (EUR)' : 'Amount';
    const content = long(`Name,IBAN,${amount},Currency,${header}`, '60.00', usual, last);
    const result = await readAll(content);
    expect(placesOf(result).filter((place) => place.includes(code))).toEqual([`E${ROWS + 1} ${code}`]);
    expect(result.payouts).toBe(ROWS - 1);
    expect((await readAll(content, { columns: [{ header, column: null }] })).payouts).toBe(ROWS);
  });

  it.each([
    ['Notes', '', 'see 12345678'],
    ['Old IBAN', '', THIRD_IBAN],
    ['Again', 'IBAN', ''],
    ['Deductions', '0.00', '0'],
  ])('is not meant by %s further down', async (header, usual, last) => {
    expect((await readAll(long(`Name,IBAN,Amount,Currency,${header}`, '60.00', usual, last))).payouts).toBe(ROWS);
  });

  it.each([
    ['Amount 2', 'Amount', '60.00', '5.00', ''],
    ['Total', 'Amount,VAT', '60.00,12.00', '72.00', '6.00'],
    ['Balance to pay', 'Net pay,Advance', '60.00,12.00', '48.00', '6.00'],
    ['Restzahlung', 'Nettolohn,Vorschuss', '60.00,12.00', '48.00', '6.00'],
  ])('%s beside %s is a question', async (header, before, amounts, result, other) => {
    const content = file(
      `Name,IBAN,Currency,${before},${header}`,
      `Ana,${IBAN},EUR,${amounts},${result}`,
      `Bo,${OTHER_IBAN},EUR,6.00${before.includes(',') ? ',' : ''},${other}`,
    );
    const asked = await readAll(content);
    expect(asked.problems.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
      'amount_or_other',
    ]);
    expect((await readAll(content, { columns: [{ header, column: null }] })).payouts).toBe(2);
  });

  it.each([
    ['what it is the sum of', 'Salary,Bonus,Amount', '50.00,10.00,60.00', '5.00,1.00,6.00'],
    ['a running sum', 'Amount,Cumulative', '60.00,60.00', '6.00,66.00'],
    ['hours and a rate', 'Amount,Hours,Rate', '60.00,6,10.00', '6.00,1,6.00'],
    ['nothing taken off', 'Amount,Deduction,Check', '60.00,0.00,60.00', '6.00,0.00,6.00'],
  ])('is not meant by an amount with %s', async (_, headers, first, second) => {
    const content = file(`Name,IBAN,Currency,${headers}`, `Ana,${IBAN},EUR,${first}`, `Bo,${OTHER_IBAN},EUR,${second}`);
    expect((await readAll(content)).payouts).toBe(2);
  });
});

describe('an amount whose side a column tells', () => {
  it('is paid only where it is what the payee receives', async () => {
    const file = (side: string) =>
      `Name,IBAN,Amount,Currency,Funding currency,Fixed side\nAna,${IBAN},60.00,EUR,GBP,${side}\n`;
    expect((await readAll(file('sell'))).problems.map(({ code }) => code)).toEqual(['amount_of_source_currency']);
    expect((await readAll(file('buy'))).payouts).toBe(1);
  });
});

describe('a net amount beside a gross one', () => {
  it('beside other amounts in the same currency is a question until a person answers it', async () => {
    const content = (header: string, value: string) => `Name;IBAN;Amount (EUR);${header}\nAna;${IBAN};2.50;${value}\n`;
    const asked = await readAll(content('Bonus (EUR)', '3.00'), { currency: 'EUR' });
    expect([placesOf(asked), asked.payouts]).toEqual([['C1 amount_or_other'], 0]);
    expect(asked.problems[0]?.remedy).toContain('--column "Bonus (EUR)=amount"');
    const answers: [ExplicitColumn[], string][] = [
      [[{ header: 'Amount (EUR)', column: 'amount' }], '2.50'],
      [[{ header: 'Bonus (EUR)', column: null }], '2.50'],
      [
        [
          { header: 'Bonus (EUR)', column: 'amount' },
          { header: 'Amount (EUR)', column: null },
        ],
        '3.00',
      ],
    ];
    for (const [columns, paid] of answers) {
      const { problems, totals } = await readAll(content('Bonus (EUR)', '3.00'), { currency: 'EUR', columns });
      expect([problems, totals.map(({ minor }) => minor)]).toEqual([[], [BigInt(paid.replace('.', ''))]]);
    }
    for (const [header, value] of [
      ['Bonus (USD)', '3.00'],
      ['Bonus', '3.00'],
      ['Pay in EUR', 'yes'],
      ['Again (EUR)', '2.50'],
    ] as const)
      expect((await readAll(content(header, value), { currency: 'EUR' })).payouts).toBe(1);
  });

  it.each([
    ['Net Pay', 'Gross Salary'],
    ['Nettolohn', 'Bruttolohn'],
    ['Netto Auszahlung', 'Gesamtbrutto'],
    ['Net à payer', 'Salaire brut'],
    ['Salario neto', 'Salario bruto'],
    ['Valor líquido', 'Salário bruto'],
    ['Stipendio netto', 'Lordo'],
    ['Netto loon', 'Bruto loon'],
    ['Wypłata netto', 'Kwota brutto'],
  ])('%s and %s is a question until a person answers it', async (net, gross) => {
    const content = `Name;IBAN;Currency;${gross};${net}\nAna;${IBAN};EUR;3,00;2,50\n`;
    const columns: ExplicitColumn[] = [{ header: net, column: 'amount' }];
    const asked = await readAll(content);
    expect(placesOf(asked)).toEqual(['E1 amount_net_or_gross']);
    expect(asked.problems[0]?.remedy).toContain(`--column "${net}=amount"`);
    expect([asked.isWhole, asked.payouts]).toEqual([false, 0]);
    const byLetter: ExplicitColumn[] = [{ header: 'E', column: 'amount' }];
    for (const mapped of [
      { columns },
      { columns: byLetter },
      { jobColumns: columns },
      { memory: { recall: () => ({ columns }) } },
    ])
      expect((await readAll(content, mapped)).totals).toMatchObject([{ count: 1, minor: 250n }]);
  });

  it('is none where the gross one is ignored, or the amount says neither', async () => {
    const ignored: ExplicitColumn[] = [{ header: 'Gross', column: null }];
    const net = `Name,IBAN,Currency,Gross,Net pay\nAna,${IBAN},EUR,3.00,2.50\n`;
    expect((await readAll(net, { columns: ignored })).payouts).toBe(1);
    expect((await readAll(`Name,IBAN,Currency,Gross,Amount\nAna,${IBAN},EUR,3.00,2.50\n`)).payouts).toBe(1);
  });
});

describe('an amount from which something may be taken off', () => {
  const file = (headers: string, ...amounts: string[]) =>
    [
      `Name;IBAN;Currency;${headers}`,
      ...amounts.map((cells, at) => `P${at};${[IBAN, OTHER_IBAN][at]};EUR;${cells}`),
    ].join('\n');

  it.each([
    ['Amount', 'Deductions'],
    ['Payment amount', 'TDS'],
    ['Amount', 'Tax withheld'],
    ['Betrag', 'Abzüge'],
    ['Betrag', 'Vorschuss'],
    ['Montant', 'Retenue à la source'],
    ['Importe', 'Retención IRPF'],
    ['Valor', 'Descontos'],
    ['Importo', "Ritenuta d'acconto"],
    ['Bedrag', 'Inhoudingen'],
    ['Kwota', 'Potrącenia'],
    ['Částka', 'Srážky'],
    ['Tutar', 'Kesinti'],
    ['Belopp', 'Avdrag'],
    ['Сумма', 'Удержано'],
    ['金额', '扣除'],
    ['金額', '源泉徴収税'],
  ])('%s beside %s is a question until a person answers it', async (header, deduction) => {
    const content = file(`${header};${deduction}`, '60.00;12.00', '6.00;0.00');
    const asked = await readAll(content);
    expect([placesOf(asked).filter((place) => !place.includes('beside_tax')), asked.payouts]).toEqual([
      ['D1 amount_before_deductions'],
      0,
    ]);
    expect(asked.problems[0]?.remedy).toContain(`Say --column "${header}=amount" if it is`);
    for (const columns of [[{ header, column: 'amount' as const }], [{ header: deduction, column: null }]])
      expect((await readAll(content, { columns })).payouts).toBe(2);
  });

  it.each([
    ['none was', 'Amount;Deductions', '60.00;0.00', '6.00;'],
    ['the amount is net', 'Deductions;Net pay', '12.00;60.00', '1.00;6.00'],
    ['the amount is transferred', 'Abzüge;Auszahlungsbetrag', '12.00;60.00', '1.00;6.00'],
    ['it was', 'Salary;Deductions;Amount', '72.00;12.00;60.00', '6.00;0.00;6.00'],
    [
      'all of it was',
      'Base;Bonus;Tax withheld;Advance;Amount',
      '70.00;2.00;-10.00;-2.00;60.00',
      '6.00;1.00;1.00;0.00;6.00',
    ],
    ['more was before', 'Gross;Deductions;Amount', '73.00;12.00;60.00', '6.00;0.00;6.00'],
    ['it is no sum', 'Amount;Deduction code', '60.00;AB', '6.00;CD'],
  ])('but not where %s', async (_, headers, ...amounts) => {
    expect((await readAll(file(headers, ...amounts))).payouts).toBe(2);
  });
});

describe('a total with an account of its own', () => {
  it.each([
    'TOTAL',
    'Grand total:',
    'Gesamtsumme',
    'Total general',
    'Totale EUR',
    'Razem',
    'ИТОГО',
    '合计',
    '合計',
    'รวม',
    'Tổng',
  ])('%s is an error of its row, wherever it is', async (name) => {
    const total = `${name},${OTHER_IBAN},60.00,EUR`;
    for (const rows of [
      [`Ana,${IBAN},60.00,EUR`, total],
      [total, `Ana,${IBAN},60.00,EUR`],
    ]) {
      const result = await readAll(['Name,IBAN,Amount,Currency', ...rows].join('\n'));
      expect(placesOf(result)).toEqual([`A${rows.indexOf(total) + 2} row_named_total`]);
      expect(result.totals).toMatchObject([{ count: 1, minor: 6000n }]);
    }
  });

  it.each(['Total Energies SE', 'TotalEnergies', 'Som Chai', 'Sum Wong', 'Ana Soma', 'Total Fitness GmbH'])(
    'is not meant by %s',
    async (name) => {
      expect((await readAll(`Name,IBAN,Amount,Currency\n${name},${IBAN},60.00,EUR\n`)).payouts).toBe(1);
    },
  );
});

describe("the sender's account", () => {
  it.each(['Debit Account No', 'AUFTRAGGEBER_IBAN', 'RazorpayX Account Number', 'IBAN del ordenante'])(
    '%s is never the payee’s, not even where a person maps it',
    async (header) => {
      const content = `Name,${header},Amount,Currency\nAna,${IBAN},60.00,EUR\n`;
      expect((await readAll(content)).payouts).toBe(0);
      const mapped = await readAll(content, { columns: [{ header, column: 'account_number' }] });
      const byLetter = await readAll(content, { columns: [{ header: 'B', column: 'account_number' }] });
      for (const result of [mapped, byLetter]) expect(placesOf(result)).toEqual(['B1 account_of_sender']);
      expect([mapped.isWhole, mapped.payouts]).toEqual([false, 0]);
    },
  );
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
