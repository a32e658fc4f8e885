import { describe, expect, it } from 'vitest';
import { readAll } from './reading.ts';
import { IBAN, kindOf } from './refused-lists.ts';

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
    ['the turnover that it is a part of', 'Name;IBAN;Betrag;Währung;Umsatz', `Ana;${IBAN};60,00;EUR;600,00`],
    ['both accounts', 'Name,Debit,IBAN,Credit,Amount,Currency', `Ana,1234567,${IBAN},7654321,60.00,EUR`],
    ['a job that is called Cargo', 'Nombre;Cargo;IBAN;Importe;Divisa', `Ana;Gerente;${IBAN};60,00;EUR`],
  ])('but not payments with %s', async (_, header, row) => {
    const { problemCounts, payouts } = await readAll(`${header}\n${row}\n`);
    expect([problemCounts.errors, payouts]).toEqual([0, 1]);
  });
});
