/** A text file of the corpus: its lines as the program writes them, and how. */
export type TextFile = {
  lines: string[];
  /** UTF-8 without a byte order mark where it is absent. */
  encoding?: 'utf-8-bom' | 'utf-16le' | 'windows-1252' | 'windows-1250';
  newline?: '\n' | '\r\n' | '\r';
  /** Whether the last line has no end, as Google writes it. */
  endsOpen?: boolean;
};

const NPP = 'Name,Amount,Currency,Rail,Account number,BSB';

/** No-break space, narrow no-break space, and what shows as nothing. */
const NBSP = '\u00a0';
const NARROW = '\u202f';
const ZERO_WIDTH = '\u200b';
const RIGHT_TO_LEFT_MARK = '\u200f';
const RIGHT_TO_LEFT_OVERRIDE = '\u202e';

/** What spreadsheet programs write. */
export const PROGRAM_FILES: Readonly<Record<string, TextFile>> = {
  'excel-de-windows-1252.csv': {
    encoding: 'windows-1252',
    newline: '\r\n',
    lines: [
      'Personalnummer;Name;Betrag;Währung;Zahlungsweg;IBAN;BIC;Verwendungszweck',
      '1001;Jürgen Müller;2.345,67;EUR;EUR_SEPA;DE89 3704 0044 0532 0130 00;COBADEFFXXX;Gehalt Juli 2026',
      '1002;Änne Groß;1.980,00;EUR;EUR_SEPA;DE70370400440539667321;;Gehalt März 2026',
      '1003;Søren Weiß;3.012,5;EUR;EUR_SEPA;AT611904300234573201;;Gehalt Juli 2026',
      '1004;Zoë Schäfer;850;EUR;EUR_SEPA;DE51370400440547321642;;Gehalt Juli 2026',
    ],
  },
  'excel-utf8-bom.csv': {
    encoding: 'utf-8-bom',
    newline: '\r\n',
    lines: [
      'Employee ID,Employee Name,Net Pay,Currency,Rail,Account Number,BSB,Reference',
      'E01,Zoë O’Brien,"4,120.55",AUD,AUD_NPP,12345678,062-000,PAY JUL 26',
      'E02,Nguyễn Thị Hương,3980.10,AUD,AUD_NPP,87654321,733-000,PAY JUL 26',
      'E03,"Smith, John ""JJ""",5100,AUD,AUD_NPP,554812,013-006,PAY JUL 26',
    ],
  },
  'excel-unicode-text.txt': {
    encoding: 'utf-16le',
    newline: '\r\n',
    lines: [
      'Name\tAmount\tCurrency\tRail\tAccount number\tBIC\tReference',
      '山田 太郎\t1500\tUSD\tUSD_SWIFT\t1234567890\tBOTKJPJT\tInvoice 17',
      'Łukasz Żółć\t"2,500.00"\tUSD\tUSD_SWIFT\tPL61109010140000071219812874\tBREXPLPW\t"Invoice 18, 19"',
    ],
  },
  'excel-sep-line.csv': {
    encoding: 'windows-1252',
    newline: '\r\n',
    lines: [
      'sep=;',
      'Name;Amount;Currency;Rail;Account number;Sort code',
      'Siân Évans;1200.50;GBP;GBP_FPS;31926819;60-16-13',
      'Bob Stone;0;GBP;GBP_FPS;12345678;20-00-00',
    ],
  },
  'excel-macintosh.csv': {
    newline: '\r',
    lines: [
      NPP,
      'Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000',
      'Ben Fox,200.00,AUD,AUD_NPP,123,062-000',
      'Cat Ray,300.00,AUD,AUD_NPP,11112222,062-000',
    ],
  },
  'excel-zeros-dropped.csv': {
    newline: '\r\n',
    lines: [
      'Payee ID,Name,Amount,Currency,Rail,Account Number,Clearing code',
      '1,Ann Lee,100.00,AUD,AUD_NPP,12345678,62000',
      '2,Ben Fox,100.00,GBP,GBP_FPS,31926819,40478',
      '3,Cat Ray,100.00,GBP,GBP_FPS,1926819,601613',
      '4,Dan Roe,100.00,USD,USD_ACH,483920175,21000021',
      '5,Eva Paz,100.00,MXN,MXN_SPEI,6.4618E+17,',
      '6,Fay Chan,100.00,HKD,HKD_FPS,123456789838,4',
      '7,Gus Lim,100.00,MXN,MXN_SPEI,32180000118359719,',
      '8,Hal Ito,100.00,USD,USD_ACH,4.8392E+11,021000021',
      '9,Ian Ruiz,1.2E+03,AUD,AUD_NPP,87654321,062-000',
    ],
  },
  'excel-cleared-rows.csv': {
    newline: '\r\n',
    lines: [
      'Name,,Amount,Currency,Rail,Account number,BSB,,',
      'Ann Lee,,100.00,AUD,AUD_NPP,12345678,062-000,,',
      ',,,,,,,,',
      '',
      'Ben Fox,,200.00,AUD,AUD_NPP,87654321,062-000,,',
      '  ,, ,,,,,,',
      ',,,,,,,,',
      'Cat Ray,,300.00,AUD,AUD_NPP,11112222,62000,,',
      ',,,,,,,,',
      ',,,,,,,,',
    ],
  },
  'excel-trailing-cells.csv': {
    newline: '\r\n',
    lines: [
      `${NPP},Description`,
      'Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000,July,,,',
      'Ben Fox,200.00,AUD,AUD_NPP,87654321,062-000,July,,,',
      'Cat Ray,300.00,AUD,AUD_NPP,11112222,062-000,,,,',
      'Dan Roe,400.00,AUD,AUD_NPP,33334444,062-000,July,,x,',
    ],
  },
  'excel-short-rows.csv': {
    newline: '\r\n',
    lines: [
      `${NPP},Description`,
      'Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000,July',
      'Ben Fox,200.00,AUD,AUD_NPP,87654321,062-000',
      'Cat Ray,300.00,AUD,AUD_NPP,11112222,062-000',
      'Dan Roe,400.00,AUD,AUD_NPP,33334444',
    ],
  },
  'excel-error-values.csv': {
    newline: '\r\n',
    lines: [
      `${NPP},Reference`,
      '#N/A,100.00,AUD,AUD_NPP,12345678,062-000,JULY',
      'Ben Fox,#VALUE!,AUD,AUD_NPP,87654321,062-000,JULY',
      'Cat Ray,300.00,AUD,AUD_NPP,#REF!,062-000,JULY',
      'Dan Roe,400.00,AUD,AUD_NPP,33334444,062-000,#NAME?',
      'Eva Paz,######,AUD,AUD_NPP,55556666,062-000,JULY',
    ],
  },
  'excel-pl-windows-1250.csv': {
    encoding: 'windows-1250',
    newline: '\r\n',
    lines: [
      'Odbiorca;Kwota przelewu;Waluta;Numer rachunku',
      'Łucja Wiśniewska;1432,10;EUR;PL61 1090 1014 0000 0712 1981 2874',
      'Grażyna Żak;1200,00;EUR;PL27 1140 2004 0000 3002 0135 5387',
    ],
  },
  'google-sheets.csv': {
    newline: '\r\n',
    endsOpen: true,
    lines: [
      'Payee,Amount,Currency,Rail,Account number,BSB,Reference,Memo',
      'Ann Lee,"A$1,250.00",AUD,AUD_NPP,12345678,062-000,JULY,"first half,\nsecond half"',
      'Zoë Ünal 🦊,$980.40,AUD,AUD_NPP,87654321,062-000,JULY,',
    ],
  },
  'google-sheets.tsv': {
    newline: '\r\n',
    endsOpen: true,
    lines: [
      'Payee\tAmount\tCurrency\tIBAN\tReference',
      'Aoife Byrne\t1,250.00\tEUR\tIE88AIBK93115213111110\tJULY',
      'Luc "le Grand" Petit\t980.40\tEUR\tLU280019400644750000\tJULY',
    ],
  },
  'numbers-de.csv': {
    newline: '\r\n',
    endsOpen: true,
    lines: [
      'Tabelle 1;;;;;',
      'Empfänger;Betrag;Währung;IBAN;BIC;Verwendungszweck',
      'Jürgen Müller;1.250,00;EUR;DE89370400440532013000;;Rechnung 4711',
      'Änne Groß;980,4;EUR;DE70370400440539667321;;Rechnung 4712',
    ],
  },
};

/** What programs for payroll and mass payments export. */
export const PAYROLL_FILES: Readonly<Record<string, TextFile>> = {
  'datev-auszahlungsliste.csv': {
    encoding: 'windows-1252',
    newline: '\r\n',
    lines: [
      'Auszahlungsliste Juli 2026;;;;;;;',
      'Berater 12345;Mandant 678;Muster GmbH & Co. KG;;;;;',
      ';;;;;;;',
      'Pers.-Nr.;Name, Vorname;Auszahlungsbetrag;Währung;IBAN;BIC;Kreditinstitut;Verwendungszweck',
      '00017;Müller, Jürgen;2.010,88;EUR;DE89370400440532013000;;Commerzbank;Lohn 07/2026',
      '00023;Öztürk, Ayse;1.744,02;EUR;DE70370400440539667321;;Commerzbank;Lohn 07/2026',
      '00031;Groß, Änne;1.999,10;EUR;DE51370400440547321642;;Commerzbank;Lohn 07/2026',
      'Summe;;5.754,00;EUR;;;;',
    ],
  },
  'lexware-mit-bic.csv': {
    encoding: 'windows-1252',
    newline: '\r\n',
    lines: [
      'Kontoinhaber;Mitarbeiter;IBAN;BIC;Auszahlungsbetrag;Währung;Zahlungsgrund',
      'Jürgen Müller;Jürgen Müller;DE89370400440532013000;COBADEFFXXX;2010,88;EUR;Lohn Juli',
      'Änne Groß;Änne Groß;DE70370400440539667321;COBADEFFXXX;1744,02;EUR;Lohn Juli',
    ],
  },
  'personio.csv': {
    encoding: 'utf-8-bom',
    newline: '\n',
    lines: [
      '"Mitarbeiter","Mitarbeiter ID","Auszahlungsbetrag","Währung","IBAN","Kontoinhaber","E-Mail"',
      '"Lena Vogt","1007","2345.67","EUR","DE89 3704 0044 0532 0130 00","","lena.vogt@muster"',
      '"Tim Brandt","1008","1980.00","EUR","DE70370400440539667321","Fam. Brandt","tim.brandt@example.com"',
      '"Ida Koch","1009","2050.00","EUR","","","ida.koch@example.com"',
    ],
  },
  'silae-fr.csv': {
    encoding: 'windows-1252',
    newline: '\r\n',
    lines: [
      'Matricule;Nom du salarié;Net à payer;Devise;IBAN;Motif',
      `0012;Hélène Lefèvre;1${NBSP}234,56;EUR;FR14${NBSP}2004${NBSP}1010${NBSP}0505${NBSP}0001${NBSP}3M02${NBSP}606;Salaire juillet 2026`,
      `0013;François Noël;2${NBSP}001,00;EUR;FR7630006000011234567890189;Salaire juillet 2026`,
      "0014;Zoé Müller;987,10;EUR;FR7620041010050005000131600;Salaire d'aout",
      `;;4${NBSP}222,66;;;`,
    ],
  },
  'a3-es.csv': {
    newline: '\r\n',
    lines: [
      'Código empleado;Apellidos y nombre;Líquido a percibir;Moneda;IBAN;Concepto',
      '7;García Peña, María;1.432,18;EUR;ES91 2100 0418 4502 0005 1332;Nómina julio',
      '8;Núñez Ibáñez, José;1.600,00;EUR;ES7921000813610123456789;Nomina julio',
      '9;Ruiz, Ana;1.250,5;EUR;ES8023100001180000012345;Nomina julio',
      'TOTAL;;4.282,68;;;',
    ],
  },
  'primavera-pt.csv': {
    encoding: 'windows-1252',
    newline: '\r\n',
    lines: [
      'Nº do colaborador;Nome do colaborador;Valor líquido;Moeda;IBAN do colaborador;Descritivo',
      '21;João Gonçalves;1.102,33;EUR;PT50 0002 0123 1234 5678 9015 4;Salario julho',
      '22;Conceição Simões;1.540,00;EUR;PT50002700000001234567833;Salario julho',
    ],
  },
  'zucchetti-it.csv': {
    newline: '\r\n',
    lines: [
      'Matricola;Cognome e nome;Netto in busta;Divisa;Codice IBAN;Causale',
      '000123;Rossi Mario;1.876,00;EUR;IT60X0542811101000000123456;Stipendio luglio',
      "000124;D'Angelo Lucia;2.134,90;EUR;IT40S0542811101000000123456;Stipendio luglio",
    ],
  },
  'afas-nl.csv': {
    newline: '\r\n',
    lines: [
      'Medewerkernummer;Naam;Netto loon;Valuta;IBAN;Betalingskenmerk',
      'M1;Jan van der Berg;2.310,44;EUR;NL91 ABNA 0417 1643 00;Salaris juli',
      'M2;Fleur de Wit;1.999,99;EUR;NL20INGB0001234567;Salaris juli',
      'M3;Piet Bakker;1.750,00;EUR;NL91ABNA0417164301;Salaris juli',
    ],
  },
  'symfonia-pl.csv': {
    encoding: 'utf-8-bom',
    newline: '\r\n',
    lines: [
      'Nr ewidencyjny;Nazwisko i imię;Do wypłaty;Waluta;Numer rachunku;Tytuł przelewu',
      '1;Wiśniewska Łucja;1 432,10;EUR;PL61 1090 1014 0000 0712 1981 2874;Wyplata lipiec',
      '2;Żak Grażyna;1 200,00;EUR;PL27114020040000300201355387;Wyplata lipiec',
      '3;Kowalski Jan;5 400,00;PLN;PL10105000997603123456789123;Wyplata lipiec',
    ],
  },
  'sage-50-uk.csv': {
    newline: '\r\n',
    lines: [
      '"Employee Reference","Forename","Surname","Net Pay","Sort Code","Account Number","Account Name"',
      '1,"Ann","Lee",1500.00,"20-00-00","55779911","A LEE"',
      '2,"Ben","Fox",1650.25,"60-16-13","31926819","B FOX"',
    ],
  },
  'adp-us.csv': {
    newline: '\r\n',
    lines: [
      '"Co Code","Employee ID","Employee Name","Net Pay","Currency","Payment Rail","Routing Number","Account Number","Account Type","Payment reference"',
      '"ABC","000123","Nguyen, Olivia","3,456.78","USD","USD_ACH","021000021","000483920175","checking","PAYROLL"',
      '"ABC","000123","Nguyen, Olivia","250.00","USD","USD_ACH","122105155","7781234","savings","PAYROLL"',
      '"ABC","000124","Doe, John","2,200.00","USD","USD_ACH","091000019","55512345","Checking","PAYROLL JULY"',
      '"ABC","000125","Roe, Jane","1,000.00","USD","USD_ACH","091000018","55512346","C","PAYROLL"',
    ],
  },
  'xero-au.csv': {
    newline: '\n',
    lines: [
      'Payee,Account Name,BSB,Account Number,Amount,Currency,Reference',
      'Northern Supplies Pty Ltd,Northern Supplies,062-000,12345678,1250.00,AUD,INV-2207',
      'Ken Wu,K & M Wu,733000,87654321,89.95,AUD,INV-2208 for July and August',
      'Ocean Freight,Ocean Freight,62-000,55667788,4000,AUD,INV-2209',
    ],
  },
  'gusto-us.csv': {
    newline: '\n',
    lines: [
      'Contractor,Contractor Type,Wage Type,Net amount,Currency,Routing number,Account number,Account type,Rail',
      'Rivera Design LLC,Business,Fixed,"$4,500.00",USD,021000021,483920175,Checking,USD_ACH',
      'Sam Okafor,Individual,Hourly,"$2,500.00",USD,122105155,7781234,Savings,',
      'Total,,,"$7,000.00",,,,,',
    ],
  },
  'wise-batch.csv': {
    newline: '\n',
    lines: [
      'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency,IBAN',
      'Aoife Byrne,aoife@example.com,July,PERSON,source,1250.00,EUR,EUR,IE88AIBK93115213111110',
      'Luc Petit,luc@example.com,July,PERSON,target,980.40,GBP,EUR,LU280019400644750000',
    ],
  },
  'paypal-mass-pay.txt': {
    newline: '\n',
    lines: ['ann@example.com\t100.00\tUSD\tE01\tThank you', 'ben@example.com\t250.00\tUSD\tE02\tThank you'],
  },
  'contpaqi-mx.csv': {
    encoding: 'windows-1252',
    newline: '\r\n',
    lines: [
      'Código de empleado,Nombre completo,Neto a pagar,Moneda,CLABE interbancaria,Concepto de pago',
      '1,Peña Ruiz María,"$12,345.67",MXN,\'032180000118359719,NOMINA Q1',
      '2,López José,"$9,800.00",MXN,\'646180110400000007,NOMINA Q1',
      '3,Díaz Ana,"$8,100.00",MXN,002010077777777772,NOMINA Q1',
    ],
  },
  'folha-br.csv': {
    encoding: 'windows-1252',
    newline: '\r\n',
    lines: [
      'Matrícula;Favorecido;Valor líquido;Moeda;Chave PIX',
      '1;João Gonçalves;R$ 3.450,00;BRL;111.444.777-35',
      '2;Padaria Pão Quente Ltda;R$ 1.200,50;BRL;11.222.333/0001-81',
      '3;Ana Luíza;R$ 2.100,00;BRL;+55 11 98765-4321',
      '4;Caio Simões;R$ 2.300,00;BRL;caio@example.com.br',
      '5;Rui Melo;R$ 1.900,00;BRL;11987654321',
    ],
  },
  'keka-in.csv': {
    newline: '\r\n',
    lines: [
      'Employee Number,Employee Name,Net Pay,Currency,Bank Account Number,IFSC Code',
      '101,Priya Sharma,"1,23,456.50",INR,50100234567812,HDFC0000123',
      '102,Arjun Rao,"98,000",INR,123456789012,SBIN0001234',
      '103,Meera Iyer,"75,250.00",INR,1234567890,ICICO000104',
    ],
  },
  'abacus-ch.csv': {
    encoding: 'windows-1252',
    newline: '\r\n',
    lines: [
      'Pers.-Nr.;Name Vorname;Nettolohn;Währung;IBAN;Mitteilung',
      "7;Zürcher Beat;5'432.10;EUR;CH93 0076 2011 6238 5295 7;Lohn Juli",
      '8;Favre Chloé;4’100.00;EUR;CH9300762011623852957;Lohn Juli',
    ],
  },
  'sap-list.txt': {
    newline: '\r\n',
    lines: [
      'Payment list|05.07.2026|||',
      '',
      'Vendor number|Vendor name|Amount|Currency|IBAN',
      '0000100017|Muster GmbH|12.345,67|EUR|DE89370400440532013000',
      '0000100018|Beispiel AG|1.000,00|EUR|DE70370400440539667321',
    ],
  },
  'wallets.csv': {
    newline: '\n',
    lines: [
      'name,amount,currency,chain,wallet address',
      'Ann Lee,250.5,USDC,polygon,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      'Ben Fox,100,USDC,polygon,0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
      'Cat Ray,100,USDC,polygon,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
      'Dan Roe,100,USDC,tron,0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
      'Eva Paz,0.0000001,USDC,polygon,0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    ],
  },
};

/** What people do to sheets. */
export const PEOPLE_FILES: Readonly<Record<string, TextFile>> = {
  'decimals-mixed.csv': {
    lines: [
      'Name;Amount;Currency;Rail;Account number;BSB',
      'Ann Lee;1234.50;AUD;AUD_NPP;12345678;062-000',
      'Ben Fox;1.234,50;AUD;AUD_NPP;87654321;062-000',
      'Cat Ray;300;AUD;AUD_NPP;11112222;062-000',
      'Dan Roe;1,234.50;AUD;AUD_NPP;33334444;062-000',
    ],
  },
  'decimals-unproven.csv': {
    lines: [
      NPP,
      'Ann Lee,"1,234",AUD,AUD_NPP,12345678,062-000',
      'Ben Fox,300,AUD,AUD_NPP,87654321,062-000',
      'Cat Ray,"2,500",AUD,AUD_NPP,11112222,062-000',
    ],
  },
  'decimals-given.csv': {
    lines: [
      NPP,
      'Ann Lee,"1,234",AUD,AUD_NPP,12345678,062-000',
      'Ben Fox,300,AUD,AUD_NPP,87654321,062-000',
      'Cat Ray,"2,500",AUD,AUD_NPP,11112222,062-000',
    ],
  },
  'control-figures-differ.csv': {
    lines: [NPP, 'Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000', 'Ben Fox,200.00,AUD,AUD_NPP,87654321,062-000'],
  },
  'currency-signs.csv': {
    lines: [
      'Name,Amount,Currency,Rail,Account number,Clearing code',
      'Ann Lee,"$1,250.00",AUD,AUD_NPP,12345678,062-000',
      'Ben Fox,A$ 99.90,AUD,AUD_NPP,87654321,062-000',
      'Cat Ray,"£1,000.00",AUD,AUD_NPP,11112222,062-000',
      'Dan Roe,USD 75.00,USD,USD_ACH,483920175,021000021',
      'Eva Paz,75.00 €,USD,USD_ACH,483920176,021000021',
      'Fay Ito,"₹1,00,000.00",INR,INR_IMPS,50100234567812,HDFC0000123',
      'Gus Lim,12 kr,USD,USD_ACH,483920177,021000021',
    ],
  },
  'negatives.csv': {
    lines: [
      NPP,
      'Ann Lee,"(1,234.50)",AUD,AUD_NPP,12345678,062-000',
      'Ben Fox,"1,234.50-",AUD,AUD_NPP,87654321,062-000',
      'Cat Ray,-20.00,AUD,AUD_NPP,11112222,062-000',
      'Dan Roe,0.00,AUD,AUD_NPP,33334444,062-000',
      'Eva Paz,−5,AUD,AUD_NPP,55556666,062-000',
      'Fay Ito,10.00,AUD,AUD_NPP,77778888,062-000',
    ],
  },
  'subtotals.csv': {
    lines: [
      `Department,${NPP}`,
      'Sales,Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000',
      'Sales,Ben Fox,200.00,AUD,AUD_NPP,87654321,062-000',
      'Subtotal Sales,,300.00,,,,',
      'Operations,Cat Ray,400.00,AUD,AUD_NPP,11112222,062-000',
      'Operations,Dan Roe,50.00,AUD,AUD_NPP,33334444,062-000',
      'Subtotal Operations,,450.00,,,,',
      'Total,,750.00,,,,',
    ],
  },
  'total-disagrees.csv': {
    lines: [
      NPP,
      'Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000',
      'Ben Fox,200.00,AUD,AUD_NPP,87654321,062-000',
      ',301.00,,,,',
    ],
  },
  'footer.csv': {
    lines: [
      `Department,${NPP}`,
      'Sales,Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000',
      ',,,,,,',
      'Prepared by M. Smith on 5 July,,,,,,',
    ],
  },
  'invisible-characters.csv': {
    lines: [
      NPP,
      `${NBSP}Ann Lee${NBSP},1${NARROW}250.00,AUD,AUD_NPP,1234${NBSP}5678,062-000`,
      'Ben Fox,１２５０,AUD,AUD_NPP,87654321,062-000',
      'Cat Ray,100.00,AUD,AUD_NPP,１１１１２２２２,062-000',
      `Dan Roe,100.00,AUD,AUD_NPP,33334444${ZERO_WIDTH},062-000`,
      'Eva Paz,100.00,AUD,AUD_NPP,55556666,062–000',
    ],
  },
  'names-of-the-world.csv': {
    lines: [
      NPP,
      'Zoë Ünal 🦊,100.00,AUD,AUD_NPP,12345678,062-000',
      'محمد علي,100.00,AUD,AUD_NPP,87654321,062-000',
      `${RIGHT_TO_LEFT_MARK}דנה כהן,100.00,AUD,AUD_NPP,11112222,062-000`,
      `Evil ${RIGHT_TO_LEFT_OVERRIDE}knab,100.00,AUD,AUD_NPP,33334444,062-000`,
      'Bell \u0007 Ringer,100.00,AUD,AUD_NPP,55556666,062-000',
      'J\ufffdrgen,100.00,AUD,AUD_NPP,77778888,062-000',
    ],
  },
  'formula-looking-text.csv': {
    lines: [
      `${NPP},Description`,
      '"=HYPERLINK(""https://example.com"",""Ann"")",100.00,AUD,AUD_NPP,12345678,062-000,=1+1',
      '+Ben Fox,100.00,AUD,AUD_NPP,87654321,062-000,@SUM(A1:A9)',
      '-Cat Ray,100.00,AUD,AUD_NPP,11112222,062-000,-2+3',
      '@Dan Roe,100.00,AUD,AUD_NPP,33334444,062-000,"=cmd|\' /C calc\'!A0"',
    ],
  },
  'duplicates.csv': {
    lines: [
      `Employee ID,${NPP}`,
      'E1,Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000',
      'E1,Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000',
      'E2,Ben Fox,50.00,AUD,AUD_NPP,87654321,062-000',
      'E3,Benjamin Foxx,60.00,AUD,AUD_NPP,87654321,062-000',
      'E4,Cat Ray,70.00,AUD,AUD_NPP,11112222,062-000',
      'E4,Catherine Roy,80.00,AUD,AUD_NPP,33334444,062-000',
      ',Dan Roe,90.00,AUD,AUD_NPP,55556666,062-000',
      ',Daniela Marsh,95.00,AUD,AUD_NPP,55556666,062-000',
      'E5,Eva Paz,10.00,AUD,AUD_NPP,77778888,062-000',
      'E5,Eva Paz,20.00,AUD,AUD_NPP,99990000,062-000',
      'E6,Fay Ito,10.00,AUD,AUD_NPP,10102020,062-000',
      'E6,Fay Ito,20.00,AUD,AUD_NPP,10102020,062-000',
    ],
  },
  'apostrophes.csv': {
    lines: [NPP, "Ann O'Lee,'1250.00,AUD,AUD_NPP,'12345678,'062000", 'Ben Fox,200.00,AUD,AUD_NPP,87654321,062-000'],
  },
  'titles-above.csv': {
    lines: [
      ...Array.from({ length: 19 }, (_, at) => `Acme Pty Ltd - payroll run - note ${at + 1},,,,,`),
      NPP,
      'Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000',
      'Ben Fox,200.00,AUD,AUD_NPP,87654321,62000',
    ],
  },
  'titles-too-many.csv': {
    lines: [
      ...Array.from({ length: 20 }, (_, at) => `Acme Pty Ltd - payroll run - note ${at + 1},,,,,`),
      NPP,
      'Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000',
    ],
  },
  'two-headers-one-column.csv': {
    lines: ['Name,Amount,Currency,IBAN,Bank account', 'Ann Lee,100.00,EUR,DE89370400440532013000,532013000'],
  },
  'headers-misspelt.csv': {
    lines: ['Name,Amuont,Currency,Rail,Acount number,BSB', 'Ann Lee,100.00,AUD,AUD_NPP,12345678,062-000'],
  },
  'name-in-parts.csv': {
    lines: ['First name,Last name,Amount,Currency,IBAN', 'Ann,Lee,100.00,EUR,DE89370400440532013000'],
  },
  'template-filled-in.csv': {
    newline: '\r\n',
    lines: [
      'payee_id,name,amount,currency,rail,account_number,national_clearing_code,reference,description',
      'EXAMPLE - not paid,Example payee by AUD_NPP,1000,AUD,AUD_NPP,12345678,062-000,,',
      'EXAMPLE - not paid,Ann Lee,100.00,AUD,AUD_NPP,87654321,062-000,,',
      'E2,Ben Fox,200.00,AUD,AUD_NPP,11112222,062-000,,',
    ],
  },
};
