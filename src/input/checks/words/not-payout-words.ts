import { keyList, keys } from './header-keys.ts';

/**
 * Headers that a list of direct debits has, and a list of payments has at most with nothing under them. A French or
 * Italian `mandat` alone is an order to pay, and a German one a lawyer's case.
 */
export const MANDATE = keys(
  `mandate, (mandate|dd|direct debit) (reference|ref|id|no|number|status|type), mandate (date|signature date|signed|signed on|date of signature), date of mandate, UMR,
    unique mandate reference, unique mandate ref, mandate umr, direct debit mandate, (creditor|sepa creditor) identifier, creditor scheme (id|identification), sepa creditor id, amount to collect, direct debit (amount|date)`,
  `Mandatsreferenz, Mandatsreferenznummer, Mandatsreferenz Nr, Mandatsref, Mandatsnummer, Mandats ID, Mandats Nr, Mandatsdatum, Mandatsart, Mandatsstatus, Mandatsgeber, Mandat (unterschrieben|erteilt) am,
    (SEPA |Lastschrift|Einzugs)mandat, SEPA Mandatsreferenz, Datum (des Mandats|der Mandatsunterschrift|Mandat), Mandatsunterschrift, Mandat (gültig|gültig seit|gültig ab|seit|ab|vom|Nr|ID|Ref|Referenz|Datum|Art|Status), SEPA Mandat (vom|Nr|ID|Referenz|Datum|Status), Einzugsermächtigung, Einzugsermächtigung (erteilt|vom|erteilt am), Zustimmung SEPA, SEPA Zustimmung, Gläubiger ID, Gläubiger Identifikationsnummer, Gläubiger Identnummer,
    Gläubigeridentifikationsnummer, Gläubiger Ident Nr, Lastschriftart, Lastschriftbetrag, Einzugsdatum, Einzugsbetrag, Einzugstermin, Einziehungsdatum, Fälligkeit Lastschrift`,
  `mandat sepa, (référence|réf) (du mandat|mandat|de mandat|mandat sepa|unique de mandat|unique du mandat), référence unique mandat, RUM, date de signature du mandat, date signature mandat, identifiant (créancier|créancier sepa|du créancier|de créancier), ics, n° ics,
    date (de prélèvement|du prélèvement|prélèvement), montant (prélevé|à prélever|du prélèvement|prélèvement)`,
  `(referencia|ref) (del mandato|de mandato|mandato|única del mandato|única de mandato|única mandato), id mandato, fecha (de firma del mandato|firma mandato|del adeudo), identificador (del acreedor|de acreedor|acreedor), importe (del adeudo|adeudo), (código|cód|número|nº|n°|tipo|fecha|fecha firma) (de mandato|del mandato|mandato), mandato sepa`,
  `(riferimento|identificativo) (del mandato|mandato|univoco mandato|univoco del mandato), data (firma mandato|sottoscrizione mandato|firma del mandato), identificativo (creditore|del creditore), codice identificativo (creditore|del creditore), importo (da incassare|da addebitare), (codice|id|numero|nr|n°|tipo|data) mandato, mandato (sdd|sepa)`,
  `machtiging, machtigingskenmerk, kenmerk machtiging, machtigingsnummer, machtigings id, machtigingsdatum, datum machtiging, mandaatkenmerk, mandaatreferentie, mandaat (id|kenmerk|referentie|datum), mandaatdatum, incassant, incassant id, incassodatum, incassobedrag, incassotype, mandaat (nummer|nr|type)`,
  `(identyfikator|numer|nr|referencja) (mandatu|zgody|upoważnienia), data (mandatu|zgody|podpisania mandatu), identyfikator wierzyciela, nr id wierzyciela`,
  `(referência|ref) (do mandato|de mandato|mandato|da autorização|da autorização de débito|adc), identificador do credor, identificação do credor, data da assinatura do mandato`,
  `betalningsmedgivande, medgivande, medgivandenummer, autogiro, autogironummer, avtalegiro, fullmaktsnummer, betalingsaftale, aftalenummer betalingsservice, suoraveloitus, suoraveloitusvaltuutus`,
  `csoportos beszedés, beszedési (megbízás|felhatalmazás), felhatalmazás (azonosítója|dátuma|száma), mandat debit direct, referință mandat, sglasnost za terećenje, suglasnost za terećenje, izravno terećenje, sepa izravno terećenje, souhlas s inkasem, inkaso, súhlas s inkasom, πάγια εντολή, εντολή άμεσης χρέωσης`,
  `UMRN, NACH mandate, nach (id|ref|reference|umrn), e mandate (id|ref), (dda|ddr) (reference|ref|no|number), 口座振替, 口座振替日, 口座振替金額, 代扣协议号, 自动扣款, 委托扣款, 납부자번호, 출금동의, 자동이체 출금일, otomatik ödeme talimatı, автосписание, согласие на списание, הוראת קבע, אסמכתא הרשאה`,
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
  'plátce, jméno plátce, dlužník, platca, dlžník, borçlu, borçlu adı, ödeyen, betalare, gäldenär, betaler, betalers navn, velallinen, maksajan nimi, fizető fél, fizető fél neve, adós, adós neve, plătitor, nume plătitor, platitelj, naziv platitelja, uplatitelj, dužnik, плательщик, должник, фио плательщика, наименование плательщика, платник, боржник, платец, πληρωτής, οφειλέτης',
  '債務者, 支払人, 付款人, 付款人姓名, 缴费人, 繳費人, 납부자, 납부자명, người trả tiền, pembayar, nama pembayar, الدافع, المدين, חייב',
);

/** Words for the payee, anywhere in a header: a debtor beside one is the sender. */
export const PAYEE_PART =
  /benefici|empf|begunst|creditor|kreditor|creancier|payee|recipient|receiv|destinat|ontvanger|odbiorc|favorecid|acreedor|prijemc|prijimat|alici|lehtar|mottag|modtag|mottak|saaja|kedvezm|primatelj|primalac|primao|prejemn|получат|отримув|одержув|δικαιουχ|收款|受款|受取|振込先|수취|받는|예금주|thuhuong|nguoinhan|penerima|مستفيد|مستلم|מוטב/;

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
export const DEBIT_TITLES = keyList(
  'lastschrift, bankeinzug, einzugsliste, direct debit, prélèvements, adeudos (directos|sepa|domiciliados), remesa de (adeudos|recibos), addebiti (diretti|sdd), incasso (bestand|batch|lijst), polecenia zapłaty, débitos (diretos|directos)',
);

/** Words of a title that says what the list is without. */
export const WITHOUT = keys(
  'excl, excluding, excludes, except, excepto, without, no, not, ohne, außer, nicht, kein, keine, hors, sauf, sans, sin, senza, zonder, geen, bez, sem',
);

/** How a direct debit follows another under the same mandate. */
export const SEQUENCES: ReadonlySet<string> = new Set(['FRST', 'RCUR', 'OOFF', 'FNAL']);

export const CARD = keys(
  '(card|credit card|debit card|bank card|payment card|prepaid card|gift card|payout card|cc) (number|no|nr|num|pan|#), pan, card pan, primary account number, cardnumber, credit card, debit card, card',
  '(Kreditkarten|Karten|Debitkarten|Kartenkonto)nummer, Kartennr, Karten Nr, Kreditkarte, Kreditkarten Nr, numéro (de carte|de la carte|carte|de carte bancaire|cb), n° (de carte|carte), carte bancaire, carte',
  '(número|n°|nº|num|no) (de tarjeta|de la tarjeta|tarjeta|do cartão|de cartão|cartão), tarjeta, cartão, numero (carta|di carta|della carta|carta di credito), carta di credito, (kaart|creditcard|betaalkaart|pas)nummer, creditcard, (numer|nr) karty, číslo karty, kart (numarası|no)',
  'номер карты, № карты, номер картки, номер карта, kortnummer, kortin numero, korttinumero, kártyaszám, bankkártyaszám, număr card, numărul cardului, broj kartice, številka kartice, αριθμός κάρτας, カード番号, クレジットカード番号, 카드번호, 카드 번호, หมายเลขบัตร, เลขที่บัตร, số thẻ, nomor kartu, no kartu, رقم البطاقة, מספר כרטיס',
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
  'msisdn, (mobile money|momo|mobile wallet|m-pesa|airtel money|mtn) (number|no|phone|msisdn|), (recipient|beneficiary|payee) (phone|mobile|msisdn)',
);

/** A column of the kinds of pay of a payroll's gross list. */
export const WAGE_TYPE = keys(
  '(wage|pay|earning|earnings|salary|payroll) (type|element|component|code|item) (code|number|no|name|id|), (wage|pay|earning|earnings) (type|element|component|item), Lohnart, Lohnarten, Lohnartnummer, Lohnartennummer, Lohnart (Nr|Nummer|Text|Bezeichnung), Lohnartentext, Lohnartbezeichnung, LA, LA Nr',
  'rubrique, (code|numéro|libellé) rubrique, rubrique de paie, concepto (salarial|retributivo|de nómina), clave (concepto|de concepto), percepción, código (da verba|da rubrica|verba|rubrica), verba, rubrica, voce (retributiva|paga|di paga), codice voce, looncomponent, looncode, looncomponenten, salariscomponent, składnik (płacowy|wynagrodzenia|płacy), kod składnika, mzdová složka, složka mzdy',
);
