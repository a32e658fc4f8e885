import { type HeaderKeys, keys, keysWithColumns } from './header-keys.ts';

/** What a list of bookings shows, and nothing else: the balance behind each of them. */
export const RUNNING_BALANCE = keys(
  '(running|resulting) (balance|bal), balance after, balance after (transaction|booking), balance (c/f|b/f)',
  'Saldo (nach Buchung|nach Umsatz|nach Transaktion|danach), Kontostand (nach Buchung|danach), laufender Saldo, solde (après opération|après|courant|progressif), saldo (posterior|tras operación|después|progressivo|após|na mutatie|na boeking|na trn|na transactie|po operacji|po transakcji|po księgowaniu)',
  'işlem sonrası bakiye, zůstatek po transakci, 交易后余额',
  'saldo (efter|etter), egyenleg a tranzakció után, sold după tranzacție, stanje nakon transakcije, остаток после операции, залишок після операції, υπόλοιπο μετά, 取引後残高, 差引残高, 거래후잔액, 거래 후 잔액, คงเหลือหลังทำรายการ, số dư sau giao dịch, saldo setelah transaksi, الرصيد بعد العملية',
);

export const BALANCE = keys(
  'balance, bal, (account|opening|closing|start|end|book|ledger|available) balance, available bal, Saldo, Saldo alt, Saldo neu, Kontosaldo, Kontostand, neuer Saldo, Anfangssaldo, Endsaldo, solde, soldes, solde (disponible|comptable), nouveau solde',
  'saldi, saldos, saldo (disponible|contable|disponível|contabilístico|contabile|final|inicial), disponible, startsaldo, beginsaldo, eindsaldo, endsaldo, stan konta, zůstatek, bakiye, 余额, 餘額, 結餘, 残高, 账户余额, 帳戶餘額',
  'bokfört saldo, disponibelt saldo, tilin saldo, egyenleg, (számla|záró|nyitó|könyvelt) egyenleg, sold, sold (final|inițial|disponibil|contabil), stanje, stanje računa, υπόλοιπο, λογιστικό υπόλοιπο, салдо, наличност, остаток, (исходящий|входящий) остаток, сальдо, баланс, залишок',
  'お預かり残高, 預金残高, 잔액, 통장잔액, ยอดคงเหลือ, ยอดเงินคงเหลือ, số dư, số dư (cuối|đầu|khả dụng), saldo (akhir|awal), الرصيد, رصيد, יתרה',
);

export const BOOKING_DATE = keys(
  '(booking|posting|posted|booked|completed|cleared|started) date, date (posted|booked|completed|started|posted utc|completed utc|started utc)',
  'Buchungstag, Buchungsdatum, Buchung, Buchungszeit, Umsatzdatum, gebucht am, Datum der Buchung',
  "date (opération|de l'opération|d'opération|op|comptable|comptabilisation|de comptabilisation|de transaction|transaction|écriture|d'écriture), dateop",
  'fecha (operación|de operación|contable|de la operación|movimiento|del movimiento|de contabilización), f operación, f contable, data (operazione|contabile|registrazione|movimento|contabilizzazione|mov|do movimento|lançamento|de lançamento|da operação|operacji|księgowania|transakcji|zaksięgowania)',
  'boekdatum, boekingsdatum, mutatiedatum, datum (mutatie|boeking), işlem tarihi, datum (zaúčtování|provedení), 交易日期, 记账日期, 交易时间, 取引日',
  'datum (transakce|pohybu|operace), dátum (zaúčtovania|transakcie|pohybu|operácie), bokförings (dag|datum), transaktionsdag, bokføringsdato, bokført dato, transaksjonsdato, bogføringsdato, kirjauspäivä, kirjauspvm, könyvelés (dátuma|napja), könyvelési (dátum|nap), tranzakció (dátuma|napja)',
  'data (tranzacției|tranzacţiei|înregistrării|procesării|contabilă), datum (knjiženja|transakcije|prometa), ημερομηνία (συναλλαγής|καταχώρησης|κίνησης), дата на (транзакция|операция|осчетоводяване), дата (операции|проводки|транзакции|обработки|операції|транзакції)',
  'お取引日, 取引年月日, 거래일, 거래일시, 거래일자, วันที่ทำรายการ, วันที่รายการ, ngày (giao dịch|hạch toán|ghi sổ), tanggal (transaksi|mutasi|pembukuan), تاريخ (العملية|المعاملة|الحركة|القيد), תאריך (הפעולה|פעולה|העסקה)',
);

export const BOOKING_TEXT = keys(
  '(transaction|booking|posting|statement|bank) (description|details|text|narrative|particulars), (chq|cheque) ref no, ref no (cheque|chq) no, cheque no reference no, check or slip no, spending category, merchant category code, mcc, amount foreign currency, type foreign currency, (orig|original) (amount|currency)',
  'Buchungstext, Umsatz, Umsatzart, Umsatztyp, Buchungsart, Buchungsschlüssel, Buchungsdetails, Umsatzbetrag, gekennzeichneter Umsatz, Primanota, Textschlüssel, (Name |IBAN |Konto |)Zahlungsbeteiligter',
  'Auftraggeber (Empfänger|Begünstigter|Zahlungsempfänger), (Begünstigter|Empfänger|Zahlungsempfänger) Auftraggeber, Sammlerreferenz, Auslagenersatz Rücklastschrift, Lastschrift Ursprungsbetrag',
  "(libellé|détail|nature) (opération|de l'opération|d'opération|de l'écriture), libellé de l'opération, type (opération|d'opération), montant (de l'opération|opération)",
  "movimiento, movimientos, (descripción|tipo|concepto) (del|de|) movimiento, tipo de operación, más datos, operazione, (descrizione|tipo|tipologia) (operazione|movimento|dell'operazione), descrizione completa, causale abi, lançamento, lançamentos, descrição do movimento, tipo (de |)movimento",
  'mutatie, mutatiesoort, mutationcode, mutatiecode, naam omschrijving, naam tegenpartij, iban tegenpartij, tegenrekening iban bban, rentedatum, (opis|typ|rodzaj|szczegóły|kwota) (operacji|transakcji), protiúčet, popis (transakce|operace), typ (transakce|operace), işlem (açıklaması|tutarı|tipi), 摘要, 交易摘要, 对方户名, 对方账号, 對方戶名',
  'tapahtumalaji, tapahtumatyyppi, arkistointitunnus, verifikationsnummer, transaktionstyp, posteringstekst, arkivref, tranzakció (típusa|leírása|azonosítója), forgalom típusa, tip (tranzacție|tranzacţie|operațiune), (detalii|descrierea) (tranzacție|tranzacției), opis transakcije, vrsta (transakcije|prometa)',
  'περιγραφή (συναλλαγής|κίνησης), είδος (κίνησης|συναλλαγής), (описание|тип|вид|категория) операции, (опис|тип|вид) операції, 取引内容, お取引内容, 取引区分, 거래내용, 거래점, 취급점, jenis (transaksi|mutasi), نوع (العملية|المعاملة|الحركة), وصف العملية, סוג (פעולה|הפעולה), תיאור הפעולה, 交易类型, 交易流水号, 凭证号',
);

/** The account whose bookings they are. */
export const OWN_ACCOUNT = keys(
  'Auftragskonto, (Bezeichnung|IBAN|BIC|Bankname|Kontonummer) Auftragskonto, IBAN Kontoinhaber, iban bban, accountnum, accountlabel, (own|my|our) account, Konto des Inhabers, 本方账号',
);

/** What stands beside bookings and beside payments alike: it only adds to other signs. */
export const OF_BOOKINGS = keysWithColumns(
  ['description', 'state'],
  'date, time, value date, value dt, Valuta, Valutadatum, Valuta Datum, Wert, Wertstellung, Wertstellungsdatum, Datum, date (de valeur|valeur), dateval, fecha, fecha valor, f valor, data, data valuta, data valor, data waluty, valutadatum, tarih',
  '(transaction|txn|tran|trans|entry) date, transaction (type|id|category), description, details, narrative, memo, merchant, merchant name, counterparty, counterparty name, counter party, category, exchange rate, fee, state, product, type, notes, (from|to) email address, time zone, gross, net, (cheque|check|chq) (no|number)',
  'Vorgang, Beschreibung, Kategorie, libellé, libellé court, catégorie, concepto, descripción, descrizione, descrição, categoria, omschrijving, opis, kategoria, kategorie, dane kontrahenta, histórico, docto, Transaktionsdatum, transactiedatum',
  'beskrivning, valutadag, radnummer, päivämäärä, pvm, arvopäivä, dátum, értéknap, data valutei, дата, категория, категорія, описание, опис, ημερομηνία, αξία, 日付, 日期, 时间, 時間, 流水号, 日時, 날짜, 일자, วันที่, เวลา, ngày, diễn giải, số chứng từ, tanggal, التاريخ, תאריך',
);

/** What a list of invoices to be paid has, and a statement has not. */
export const OF_INVOICES = keys(
  'invoice (no|number|date|id), due date, payment due, vendor (no|number|id), creditor (no|number), discount, Rechnungsnummer, Rechnung, Rechnungs Nr, Rechnungsdatum, Fälligkeit, fällig am, Fälligkeitsdatum, Kreditor, Kreditorennummer, Lieferantennummer, Skonto',
  "échéance, date d'échéance, (numéro|n°) (de facture|facture), facture, vencimiento, fecha de vencimiento, (número|n°) (de factura|factura), factura, vencimento, data de vencimento, nº da fatura, scadenza, data scadenza, numero fattura, fattura, vervaldatum, factuurnummer, factuur, termin płatności, numer faktury, nr faktury",
);

/** Two columns of which a booking fills one. */
export const DEBIT_CREDIT_PAIRS: readonly (readonly [HeaderKeys, HeaderKeys])[] = (
  [
    [
      'debit, debits, (debit|dr|withdrawal|withdrawals) (amount|amt), dr, withdrawal, withdrawals, money out, paid out, out, amount debit, spent',
      'credit, credits, (credit|cr|deposit|deposits) (amount|amt), cr, deposit, deposits, money in, paid in, in, amount credit, received',
    ],
    [
      'Soll, Belastung, Belastungen, Lastschrift, Ausgabe, Ausgaben, Ausgang, Abgang, Betrag Soll, Sollbetrag',
      'Haben, Gutschrift, Gutschriften, Einnahme, Einnahmen, Eingang, Zugang, Betrag Haben, Habenbetrag',
    ],
    ['débit, débits, débit euros, montant débit, dépenses', 'crédit, crédits, crédit euros, montant crédit, recettes'],
    [
      'debe, cargo, cargos, débito, débitos, adeudos, gastos, importe cargo',
      'haber, abono, abonos, crédito, créditos, ingresos, importe abono',
    ],
    [
      'dare, uscite, uscita, addebiti, addebito, importo dare',
      'avere, entrate, entrata, accrediti, accredito, importo avere',
    ],
    ['débito, débitos, saídas, saída, débito mov', 'crédito, créditos, entradas, entrada'],
    ['af, debet, uitgaven, bedrag af', 'bij, credit, ontvangsten, inkomsten, bedrag bij'],
    ['obciążenia, obciążenie, wydatki, wn, winien, kwota obciążenia', 'uznania, uznanie, wpływy, ma, kwota uznania'],
    ['odchozí, výdaje, má dáti, borç, çekilen', 'příchozí, příjmy, dal, alacak, yatan'],
    ['借方, 支出, 借方金额, 支出金额', '贷方, 收入, 贷方金额, 收入金额'],
    [
      'uttag, ut, ut fra konto, ut av konto, belastet, hævet, veloitus, otto, otot',
      'insättning, in, inn, inn på konto, kreditert, indsat, hyvitys, pano, panot',
    ],
    ['terhelés, kiadás, kimenő', 'jóváírás, bevétel, bejövő'],
    ['debit, plăți, ieșiri, sumă debit, suma debit', 'credit, încasări, intrări, sumă credit, suma credit'],
    [
      'isplata, isplate, duguje, zaduženje, rashod, breme, teret',
      'uplata, uplate, potražuje, odobrenje, prihod, dobro, korist',
    ],
    ['χρέωση, χρεώσεις', 'πίστωση, πιστώσεις'],
    [
      'расход, списание, дебет, дебит, сумма списания, видаток, витрати, списання',
      'приход, зачисление, поступление, кредит, сумма зачисления, надходження, зарахування',
    ],
    ['出金, 出金額, お引出し, お引出金額, お支払金額, 引出', '入金, 入金額, お預入れ, お預り金額, お預入金額, 預入'],
    ['출금, 출금액, 출금금액, 찾으신금액', '입금, 입금액, 입금금액, 맡기신금액'],
    ['ถอน, ถอนเงิน, เดบิต', 'ฝาก, ฝากเงิน, เครดิต'],
    ['ghi nợ, nợ, tiền ra, phát sinh nợ, số tiền ghi nợ', 'ghi có, có, tiền vào, phát sinh có, số tiền ghi có'],
    ['debet, debit, keluar, mutasi debet', 'kredit, masuk, mutasi kredit'],
    ['مدين, سحب, المسحوبات', 'دائن, إيداع, الإيداعات'],
    ['חובה, בחובה', 'זכות, בזכות'],
    ['giden, giden tutar', 'gelen, gelen tutar'],
  ] as const
).map(([debit, credit]) => [keys(debit), keys(credit)]);

/** One column that tells debits from credits. */
export const SIDE = keys(
  '(debit|dr|d) (credit|cr|c), (credit|cr|c) (debit|dr|d), (debit credit|credit debit|dr cr|cr dr|dc|cd) (indicator|flag|mark|code), indicator, dc, cdtdbtind, entry type, posting type, direction, transaction direction',
  'Soll Haben, S/H, SH, Soll Haben Kennzeichen, SH Kennzeichen, Vorzeichen, sens, sens opération, debe haber, tipo, naturaleza, dare avere, segno, af bij, bij af, debet credit, strona, 借贷, 借贷标志, 收支, 收/支, borç alacak',
  'terhelés (vagy |)jóváírás, t/j, debet kredit, дебет кредит, 入出金区分, 入払区分, 입출금구분, 입출구분, d/k, db/cr, זכות חובה, χρέωση πίστωση',
);

export const DEBIT_SIDE = keys(
  'debit, debits, d, dr, db, dbit, S, Soll, af, debet, débit, D-, debe, dare, uscita, cargo, wn, obciążenie, 借, 支出, borç, out, outgoing, t, terhelés, дебет, расход, списание, 出金, 출금, ถอน, nợ, keluar, مدين, חובה, χρέωση, uttag',
);
export const CREDIT_SIDE = keys(
  'credit, credits, c, cr, crdt, H, Haben, bij, crédit, haber, avere, entrata, abono, ma, uznanie, 贷, 收入, alacak, in, incoming, K, j, jóváírás, кредит, приход, зачисление, 入金, 입금, ฝาก, có, masuk, دائن, זכות, πίστωση, insättning',
);
