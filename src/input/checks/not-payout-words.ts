import { keysOf } from '../header/header-key.ts';
import { wordsIn } from '../header/synonyms.ts';

const NO_KEY: ReadonlySet<string> = new Set(['']);

/** Headers as `Words` has them, of any languages: divided by commas, `(a|b) c` for two. */
function keys(...words: string[]): ReadonlySet<string> {
  return new Set(words.flatMap(wordsIn).flatMap(keysOf)).difference(NO_KEY);
}

/**
 * Headers that a list of direct debits has, and a list of payments has at most with nothing under them. A French or
 * Italian `mandat` alone is an order to pay, and a German one a lawyer's case.
 */
export const MANDATE = keys(
  `mandate, (mandate|dd|direct debit) (reference|ref|id|no|number|status|type), mandate (date|signature date|signed|signed on|date of signature), date of mandate, UMR,
    unique mandate reference, unique mandate ref, mandate umr, direct debit mandate, (creditor|sepa creditor) identifier, creditor scheme (id|identification), sepa creditor id, amount to collect, direct debit (amount|date)`,
  `Mandatsreferenz, Mandatsreferenznummer, Mandatsreferenz Nr, Mandatsref, Mandatsnummer, Mandats ID, Mandats Nr, Mandatsdatum, Mandatsart, Mandatsstatus, Mandatsgeber, Mandat (unterschrieben|erteilt) am,
    (SEPA |Lastschrift|Einzugs)mandat, SEPA Mandatsreferenz, Datum (des Mandats|der Mandatsunterschrift|Mandat), Mandatsunterschrift, Gläubiger ID, Gläubiger Identifikationsnummer, Gläubiger Identnummer,
    Gläubigeridentifikationsnummer, Gläubiger Ident Nr, Lastschriftart, Lastschriftbetrag, Einzugsdatum, Einzugsbetrag, Einzugstermin, Einziehungsdatum, Fälligkeit Lastschrift`,
  `mandat sepa, (référence|réf) (du mandat|mandat|de mandat|mandat sepa|unique de mandat|unique du mandat), référence unique mandat, RUM, date de signature du mandat, date signature mandat, identifiant (créancier|créancier sepa|du créancier|de créancier), ics, n° ics,
    date (de prélèvement|du prélèvement|prélèvement), montant (prélevé|à prélever|du prélèvement|prélèvement)`,
  `(referencia|ref) (del mandato|de mandato|mandato|única del mandato|única de mandato|única mandato), id mandato, fecha (de firma del mandato|firma mandato|del adeudo), identificador (del acreedor|de acreedor|acreedor), importe (del adeudo|adeudo)`,
  `(riferimento|identificativo) (del mandato|mandato|univoco mandato|univoco del mandato), data (firma mandato|sottoscrizione mandato|firma del mandato), identificativo (creditore|del creditore), codice identificativo (creditore|del creditore), importo (da incassare|da addebitare)`,
  `machtiging, machtigingskenmerk, kenmerk machtiging, machtigingsnummer, machtigings id, machtigingsdatum, datum machtiging, mandaatkenmerk, mandaatreferentie, mandaat (id|kenmerk|referentie|datum), mandaatdatum, incassant, incassant id, incassodatum, incassobedrag, incassotype`,
  `(identyfikator|numer|nr|referencja) (mandatu|zgody|upoważnienia), data (mandatu|zgody|podpisania mandatu), identyfikator wierzyciela, nr id wierzyciela`,
  `(referência|ref) (do mandato|de mandato|mandato|da autorização|da autorização de débito|adc), identificador do credor, identificação do credor, data da assinatura do mandato`,
);

/** People who pay a direct debit; in other files they may be the sender of a payment. */
export const DEBTOR = keys(
  '(debtor|payer|payor), (debtor|payer|payor) (name|full name|account name), name of (debtor|payer|the debtor|the payer)',
  'Zahlungspflichtiger, Zahlungspflichtige, Zahlungspflichtige*r, Zahlungspflichtiger Name, Name (Zahlungspflichtiger|des Zahlungspflichtigen|Zahler|des Zahlers|Schuldner|des Schuldners), Zahlpflichtiger, Zahler, Zahlername, Schuldner, Schuldnername, Debitorname, Name des Debitors',
  'débiteur, nom (débiteur|du débiteur|payeur|du payeur|du tiré), payeur, tiré',
  'deudor, (nombre|titular) (deudor|del deudor|del pagador), pagador',
  'debitore, (nome|nominativo) (debitore|del debitore|pagatore|del pagatore), pagatore',
  'debiteur, debiteurnaam, (naam|naam van de) (debiteur|betaler), betaler, geïncasseerde',
  'dłużnik, płatnik, nazwa (dłużnika|płatnika)',
  'devedor, nome (devedor|do devedor|do pagador)',
);

/** Words for the payee, anywhere in a header: a debtor beside one is the sender. */
export const PAYEE_PART =
  /benefici|empf|begunst|creditor|kreditor|creancier|payee|recipient|destinat|ontvanger|odbiorc|favorecid|acreedor/;

/** Headers whose cells name the kind of a payment. */
export const PAYMENT_KIND = keys(
  '(payment|transaction|transfer|order|entry|instruction) (type|method|kind|code), type, method, kind, direction, scheme, local instrument, service, service level, payment instrument, debit credit, credit debit',
  'Zahlungsart, Zahlart, Auftragsart, Zahlungsweise, Zahlungsmethode, Art, Typ, Vorgang, Transaktionsart, Zahlweg, Zahlungsweg',
  '(mode|moyen) de (paiement|règlement), type (de paiement|opération|d’opération|de virement), type, mode, nature, forma de (pago|cobro|pagamento), método de (pago|pagamento), tipo, tipo de (pago|operación|pagamento), tipo (pagamento|operazione), modalità di pagamento, betaalwijze, betaalmethode, soort, soort betaling, sposób płatności, typ płatności, typ, rodzaj, rodzaj płatności',
);

/** The codes of a bank file, and those of them that collect: of Bacs (01, 17 to 19), NACHA (27, 37) and ABA (13). */
export const TRANSACTION_CODE = keys('(transaction|tran|bacs|bacs transaction|ach transaction) code');
export const DEBIT_CODES: ReadonlySet<string> = new Set('1 01 17 18 19 27 37 13'.split(' '));

/** A direct debit, as a whole cell. */
export const DEBIT = keys(
  '(sepa|sepa core|sepa b2b|core|b2b|) direct debit, direct debits, debit order, sdd, sdd core, sdd b2b, (SEPA |Basis|Firmen|Sammel|Einzel|SEPA Basis|SEPA Firmen|)Lastschrift, Lastschriften, Lastschrifteinzug, Bankeinzug, Einzug, Abbuchung',
  'prélèvement, prélèvements, prélèvement (sepa|automatique), adeudo, adeudo (directo|sepa), domiciliación, recibo domiciliado, addebito, addebito (diretto|diretto sepa|sepa), rid, incasso, automatische incasso, polecenie zapłaty, débito (direto|directo)',
);

/** Direct debits, in a title or the name of a sheet beside other words. */
export const DEBIT_TITLES: readonly string[] = [
  ...keys(
    'lastschrift, bankeinzug, einzugsliste, direct debit, prélèvements, adeudos (directos|sepa|domiciliados), remesa de (adeudos|recibos), addebiti (diretti|sdd), incasso (bestand|batch|lijst), polecenia zapłaty, débitos (diretos|directos)',
  ),
];

/** Words of a title that says what the list is without. */
export const WITHOUT = keys(
  'excl, excluding, excludes, except, excepto, without, no, not, ohne, außer, nicht, kein, keine, hors, sauf, sans, sin, senza, zonder, geen, bez, sem',
);

/** How a direct debit follows another under the same mandate. */
export const SEQUENCES: ReadonlySet<string> = new Set(['FRST', 'RCUR', 'OOFF', 'FNAL']);

/** What a list of bookings shows, and nothing else: the balance behind each of them. */
export const RUNNING_BALANCE = keys(
  '(running|resulting) (balance|bal), balance after, balance after (transaction|booking), balance (c/f|b/f)',
  'Saldo (nach Buchung|nach Umsatz|nach Transaktion|danach), Kontostand (nach Buchung|danach), laufender Saldo, solde (après opération|après|courant|progressif), saldo (posterior|tras operación|después|progressivo|após|na mutatie|na boeking|na trn|na transactie|po operacji|po transakcji|po księgowaniu)',
  'işlem sonrası bakiye, zůstatek po transakci, 交易后余额',
);

export const BALANCE = keys(
  'balance, bal, (account|opening|closing|start|end|book|ledger|available) balance, available bal, Saldo, Saldo alt, Saldo neu, Kontosaldo, Kontostand, neuer Saldo, Anfangssaldo, Endsaldo, solde, soldes, solde (disponible|comptable), nouveau solde',
  'saldi, saldos, saldo (disponible|contable|disponível|contabilístico|contabile|final|inicial), disponible, startsaldo, beginsaldo, eindsaldo, endsaldo, stan konta, zůstatek, bakiye, 余额, 餘額, 結餘, 残高, 账户余额, 帳戶餘額',
);

export const BOOKING_DATE = keys(
  '(booking|posting|posted|booked|completed|cleared|started) date, date (posted|booked|completed|started|posted utc|completed utc|started utc)',
  'Buchungstag, Buchungsdatum, Buchung, Buchungszeit, Umsatzdatum, gebucht am, Datum der Buchung',
  "date (opération|de l'opération|d'opération|op|comptable|comptabilisation|de comptabilisation|de transaction|transaction|écriture|d'écriture), dateop",
  'fecha (operación|de operación|contable|de la operación|movimiento|del movimiento|de contabilización), f operación, f contable, data (operazione|contabile|registrazione|movimento|contabilizzazione|mov|do movimento|lançamento|de lançamento|da operação|operacji|księgowania|transakcji|zaksięgowania)',
  'boekdatum, boekingsdatum, mutatiedatum, datum (mutatie|boeking), işlem tarihi, datum (zaúčtování|provedení), 交易日期, 记账日期, 交易时间, 取引日',
);

export const BOOKING_TEXT = keys(
  '(transaction|booking|posting|statement|bank) (description|details|text|narrative|particulars), (chq|cheque) ref no, ref no (cheque|chq) no, cheque no reference no, check or slip no, spending category, merchant category code, mcc, amount foreign currency, type foreign currency, (orig|original) (amount|currency)',
  'Buchungstext, Umsatz, Umsatzart, Umsatztyp, Buchungsart, Buchungsschlüssel, Buchungsdetails, Umsatzbetrag, gekennzeichneter Umsatz, Primanota, Textschlüssel, (Name |IBAN |Konto |)Zahlungsbeteiligter',
  'Auftraggeber (Empfänger|Begünstigter|Zahlungsempfänger), (Begünstigter|Empfänger|Zahlungsempfänger) Auftraggeber, Sammlerreferenz, Auslagenersatz Rücklastschrift, Lastschrift Ursprungsbetrag',
  "(libellé|détail|nature) (opération|de l'opération|d'opération|de l'écriture), libellé de l'opération, type (opération|d'opération), montant (de l'opération|opération)",
  "movimiento, movimientos, (descripción|tipo|concepto) (del|de|) movimiento, tipo de operación, más datos, operazione, (descrizione|tipo|tipologia) (operazione|movimento|dell'operazione), descrizione completa, causale abi, lançamento, lançamentos, descrição do movimento, tipo (de |)movimento",
  'mutatie, mutatiesoort, mutationcode, mutatiecode, naam omschrijving, naam tegenpartij, iban tegenpartij, tegenrekening iban bban, rentedatum, (opis|typ|rodzaj|szczegóły|kwota) (operacji|transakcji), protiúčet, popis (transakce|operace), typ (transakce|operace), işlem (açıklaması|tutarı|tipi), 摘要, 交易摘要, 对方户名, 对方账号, 對方戶名',
);

/** The account whose bookings they are. */
export const OWN_ACCOUNT = keys(
  'Auftragskonto, (Bezeichnung|IBAN|BIC|Bankname|Kontonummer) Auftragskonto, IBAN Kontoinhaber, iban bban, accountnum, accountlabel, (own|my|our) account, Konto des Inhabers, 本方账号',
);

/** What stands beside bookings and beside payments alike: it only adds to other signs. */
export const OF_BOOKINGS = keys(
  'date, time, value date, value dt, Valuta, Valutadatum, Valuta Datum, Wert, Wertstellung, Wertstellungsdatum, Datum, date (de valeur|valeur), dateval, fecha, fecha valor, f valor, data, data valuta, data valor, data waluty, valutadatum, tarih',
  '(transaction|txn|tran|trans|entry) date, transaction (type|id|category), description, details, narrative, memo, merchant, merchant name, counterparty, counterparty name, counter party, category, exchange rate, fee, state, product, type, notes, (from|to) email address, time zone, gross, net, (cheque|check|chq) (no|number)',
  'Vorgang, Beschreibung, Kategorie, libellé, libellé court, catégorie, concepto, descripción, descrizione, descrição, categoria, omschrijving, opis, kategoria, kategorie, dane kontrahenta, histórico, docto, Transaktionsdatum, transactiedatum',
);

/** What a list of invoices to be paid has, and a statement has not. */
export const OF_INVOICES = keys(
  'invoice (no|number|date|id), due date, payment due, vendor (no|number|id), creditor (no|number), discount, Rechnungsnummer, Rechnung, Rechnungs Nr, Rechnungsdatum, Fälligkeit, fällig am, Fälligkeitsdatum, Kreditor, Kreditorennummer, Lieferantennummer, Skonto',
  "échéance, date d'échéance, (numéro|n°) (de facture|facture), facture, vencimiento, fecha de vencimiento, (número|n°) (de factura|factura), factura, vencimento, data de vencimento, nº da fatura, scadenza, data scadenza, numero fattura, fattura, vervaldatum, factuurnummer, factuur, termin płatności, numer faktury, nr faktury",
);

/** Two columns of which a booking fills one. */
export const DEBIT_CREDIT_PAIRS: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = (
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
  ] as const
).map(([debit, credit]) => [keys(debit), keys(credit)]);

/** One column that tells debits from credits. */
export const SIDE = keys(
  '(debit|dr|d) (credit|cr|c), (credit|cr|c) (debit|dr|d), (debit credit|credit debit|dr cr|cr dr|dc|cd) (indicator|flag|mark|code), indicator, dc, cdtdbtind, entry type, posting type, direction, transaction direction',
  'Soll Haben, S/H, SH, Soll Haben Kennzeichen, SH Kennzeichen, Vorzeichen, sens, sens opération, debe haber, tipo, naturaleza, dare avere, segno, af bij, bij af, debet credit, strona, 借贷, 借贷标志, 收支, 收/支, borç alacak',
);

export const DEBIT_SIDE: ReadonlySet<string> = keys(
  'debit, debits, d, dr, db, dbit, S, Soll, af, debet, débit, D-, debe, dare, uscita, cargo, wn, obciążenie, 借, 支出, borç, out, outgoing',
);
export const CREDIT_SIDE: ReadonlySet<string> = keys(
  'credit, credits, c, cr, crdt, H, Haben, bij, crédit, haber, avere, entrata, abono, ma, uznanie, 贷, 收入, alacak, in, incoming, K',
);

export const CARD = keys(
  '(card|credit card|debit card|bank card|payment card|prepaid card|gift card|payout card|cc) (number|no|nr|num|pan|#), pan, card pan, primary account number, cardnumber, credit card, debit card, card',
  '(Kreditkarten|Karten|Debitkarten|Kartenkonto)nummer, Kartennr, Karten Nr, Kreditkarte, Kreditkarten Nr, numéro (de carte|de la carte|carte|de carte bancaire|cb), n° (de carte|carte), carte bancaire, carte',
  '(número|n°|nº|num|no) (de tarjeta|de la tarjeta|tarjeta|do cartão|de cartão|cartão), tarjeta, cartão, numero (carta|di carta|della carta|carta di credito), carta di credito, (kaart|creditcard|betaalkaart|pas)nummer, creditcard, (numer|nr) karty, číslo karty, kart (numarası|no)',
);

/** Beside the numbers of cards, and of nothing else. */
export const OF_CARDS = keys(
  '(expiry|expiration|exp|card expiry|card expiration) (date|month|year|), card (expiry|type|brand|holder|holder name), cardholder, cardholder name, cvv, cvc, cvv2, cvc2, mm/yy, valid thru',
  'Ablaufdatum, gültig bis, Karteninhaber, Prüfziffer Karte, titulaire de la carte, date d’expiration, titular de la tarjeta, fecha de caducidad, titular do cartão, data de validade, titolare carta, data di scadenza, vervaldatum, kaarthouder, data ważności, posiadacz karty',
);

/** Names under which a service knows a person: nobody's account. */
export const CONTACT = keys(
  'line id, (telegram|whatsapp|wechat|discord|slack|skype|chat|viber|messenger) (id|user|username|user id|handle|number|chat id|account|name|no|), tg (id|user|username|chat id|handle), (chat|user) id, username, user name, handle, twitter, instagram',
  '(paypal|venmo|cash app|cashapp|zelle|revtag|payoneer|skrill|wise|alipay|wechat pay|mobilepay|twint|bizum|mb way|swish|blik|paytm|m-pesa|mpesa|gcash) (id|email|e-mail|account|user|username|handle|tag|address|phone|number|), email or phone, email phone, phone or email, recipient (email|contact|detail), cashtag, wisetag',
  'fps id, fps identifier, fps proxy, paynow id, upi id, upi, vpa, payee vpa, proxy id, 支付宝, 支付宝账号, 微信号, 微信',
);

/** A column that tells what became of a payment. */
export const STATUS = keys(
  'status, state, payment state, (payment|payout|pay|transfer|payroll|transaction|invoice) status, paid status, status of payment, Zahlungsstatus, Zahlstatus, Zahlungsstand, Auszahlungsstatus, Status Zahlung, Bezahlstatus, Stand',
  'statut, état, (statut|état) (paiement|du paiement|de paiement|du virement|virement), estado, estatus, estado (pago|del pago|de pago|de la transferencia), situación, situação, status do pagamento, estado do pagamento, situação do pagamento',
  'stato, stato (pagamento|del pagamento|bonifico), betaalstatus, betalingsstatus, status betaling, stan, status (płatności|przelewu|wypłaty), stan płatności, stav, stav (platby|výplaty|úhrady), durum, durumu, ödeme durumu, statü',
  '状态, 狀態, 支付状态, 付款状态, 打款状态, 发放状态, 交易状态, 付款狀態, 支付狀態, 結算狀態, 结算状态, 订单状态',
);

/** A column that tells yes or no of it. */
export const IS_PAID = keys(
  'paid, is paid, already paid, payment done, paid out, paid?, paid y/n, bezahlt, ausgezahlt, überwiesen, bereits bezahlt, erledigt, payé, réglé, déjà payé, pagado, ya pagado, pagado?, já pago, pagato, già pagato, betaald, reeds betaald, uitbetaald',
  'zapłacone, opłacone, wypłacone, zaplaceno, uhrazeno, vyplaceno, ödendi, ödendi mi, 已付款, 已支付, 是否已付, 是否支付, 是否已支付, 是否付款',
);

export const YES = keys(
  'yes, y, true, x, 1, ja, j, wahr, oui, o, vrai, sí, s, verdadero, sim, verdadeiro, si, vero, waar, tak, t, prawda, ano, a, pravda, evet, e, doğru, 是, 对, ok, done',
);

/** As the whole of a cell, but for a date: the row was paid. */
export const PAID = keys(
  'paid, paid out, fully paid, paid in full, already paid, payment (made|done|sent|completed|successful), completed, complete, settled, succeeded, success, successful, transferred, disbursed, remitted, payout completed, executed, payment complete',
  'bezahlt, gezahlt, ausgezahlt, ausbezahlt, überwiesen, ausgeführt, beglichen, abgeschlossen, erledigt, bereits (bezahlt|gezahlt|überwiesen|ausgezahlt), vollständig bezahlt, Zahlung (erfolgt|ausgeführt)',
  'payé, payée, payés, réglé, réglée, soldé, viré, versé, exécuté, exécutée, effectué, effectuée, terminé, terminée, déjà (payé|réglé|viré|versé), virement effectué, paiement effectué, complété',
  'pagado, pagada, pagados, abonado, abonada, completado, completada, realizado, realizada, transferido, transferida, liquidado, liquidada, ejecutado, ejecutada, ya pagado, pago realizado, cobrado',
  'pago, paga, pagos, concluído, concluída, efetuado, efetuada, efectuado, quitado, quitada, já pago, pagamento (efetuado|realizado|concluído), transferência efetuada',
  'pagato, pagata, pagati, completato, completata, eseguito, eseguita, effettuato, effettuata, saldato, saldata, liquidato, liquidata, bonificato, già pagato, pagamento eseguito, trasferito',
  'betaald, uitbetaald, voltooid, overgemaakt, uitgevoerd, voldaan, afgerond, reeds betaald, geslaagd, verwerkt en betaald',
  'zapłacone, zapłacono, zapłacony, zapłacona, opłacone, opłacony, opłacona, opłacono, wypłacone, wypłacono, wypłacony, wypłacona, zrealizowane, zrealizowany, zrealizowana, zrealizowano, wykonane, wykonany, wykonana, przelane, przelano, zakończone, zakończony, zakończona, rozliczone, uregulowane',
  'zaplaceno, zaplacen, zaplacena, zaplacené, uhrazeno, uhrazen, uhrazena, vyplaceno, vyplacen, vyplacena, proplaceno, provedeno, provedena, dokončeno, dokončena, odesláno, převedeno',
  'ödendi, ödenmiş, ödeme yapıldı, ödeme tamamlandı, tamamlandı, tamamlanmış, gönderildi, gerçekleşti, havale edildi, yatırıldı, başarılı',
  '已完成, 已支付, 已付款, 已付, 已打款, 已发放, 已转账, 已轉帳, 已發放, 已结算, 已結算, 已到账, 已到帳, 已入账, 已入帳, 已出款, 已提現, 已提现, 完成, 成功, 支付成功, 付款成功, 交易成功, 转账成功, 打款成功, 已結清, 已结清',
);

/** Of a status that is of the payment by its header, these are paid too; of another, it may be something else that was done. */
export const DONE = keys(
  'done, sent, processed, cleared, closed, finished, yes, y, ok, executado, traité, envoyé, procesado, enviado, enviada, processado, inviato, elaborato, verwerkt, verzonden, wysłane, wysłano, odesláno, işlendi, verarbeitet, gesendet, versendet, gebucht, 已处理, 已處理',
);

/** What may stand between a status and its date. */
export const BEFORE_DATE: ReadonlySet<string> = new Set(
  'on am at by via le el il em op dne dnia w den vom del dia data utc'.split(' '),
);

/** A column of the kinds of pay of a payroll's gross list. */
export const WAGE_TYPE = keys(
  '(wage|pay|earning|earnings|salary|payroll) (type|element|component|code|item) (code|number|no|name|id|), (wage|pay|earning|earnings) (type|element|component|item), Lohnart, Lohnarten, Lohnartnummer, Lohnartennummer, Lohnart (Nr|Nummer|Text|Bezeichnung), Lohnartentext, Lohnartbezeichnung, LA, LA Nr',
  'rubrique, (code|numéro|libellé) rubrique, rubrique de paie, concepto (salarial|retributivo|de nómina), clave (concepto|de concepto), percepción, código (da verba|da rubrica|verba|rubrica), verba, rubrica, voce (retributiva|paga|di paga), codice voce, looncomponent, looncode, looncomponenten, salariscomponent, składnik (płacowy|wynagrodzenia|płacy), kod składnika, mzdová složka, složka mzdy',
);
