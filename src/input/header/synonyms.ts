// Over 250 lines: because it is one table of eight languages, and tables may be long.

/** Languages whose words for columns are known, as in `de`. */
export type Language = 'en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'pl';

/** Words for one column, by language, divided by commas. `(a|b) c` is both `a c` and `b c`. */
export type Words = Readonly<Partial<Record<Language, string>>>;

/**
 * The canonical columns of the input, and what else people and payroll programs call them. A header is compared with
 * blanks, punctuation, accents and case ignored, so `Sort Code`, `sort_code` and `SORT-CODE` are one, and `Empfänger`,
 * `Empfaenger` and `Empfanger`. A word that could be two columns, or a column and something else of a payroll
 * (`address`, `id`, `Konto`), is on purpose in none: `UNSURE_WORDS` has those that are worth a question.
 */
export const SYNONYMS = {
  name: {
    en: `(payee|beneficiary|bene|recipient|employee|supplier|vendor|contractor|freelancer|worker|staff|creditor) name,
      payee, beneficiary, recipient, employee, supplier, vendor, contractor, freelancer, full name, name in full,
      (employee|payee|recipient|beneficiary|worker) full name, full name of (payee|recipient|employee|beneficiary),
      name of (payee|recipient|employee|beneficiary|the payee|the recipient|the employee|the beneficiary), pay to,
      payee or beneficiary name, staff member, team member, associate name, receiver, (receiver|receiving party|partner|consultant|creator|driver|member|seller|agent|student|tutor|landlord|crew) name, receiver full name, payable to, beneficiary or company name, name of (receiver|the receiver|supplier|vendor|beneficiary or company)`,
    de: `Empfänger, Empfängername, Name Empfänger, Name des Empfängers, Zahlungsempfänger, Name Zahlungsempfänger,
      Name des Zahlungsempfängers, Begünstigter, Begünstigte, Name Begünstigter, Name des Begünstigten, Mitarbeiter,
      Mitarbeitername, Mitarbeiterin, Mitarbeiter Name, Name Mitarbeiter, Name des Mitarbeiters, Mitarbeitende, Mitarbeitender,
      Arbeitnehmer, Arbeitnehmername, Name des Arbeitnehmers, Beschäftigter, Lieferant, Lieferantenname, Name des Lieferanten,
      Kreditorname, Name des Kreditors, vollständiger Name, Name Vorname, Nachname Vorname, Vorname Nachname,
      Vor und Nachname, Vorname und Nachname, Name und Vorname, Nachname und Vorname, Beg Zahlpfl Name,
      Empfänger Zahlungspflichtiger, Begünstigter Zahlungspflichtiger`,
    fr: `nom, bénéficiaire, nom (bénéficiaire|du bénéficiaire|du salarié|salarié|employé|de l'employé|du fournisseur|fournisseur|du destinataire|destinataire|du collaborateur),
      destinataire, salarié, employé, collaborateur, fournisseur, nom complet, nom et prénom, nom prénom, prénom et nom,
      prénom nom, nom et prénoms, nom et prénom (du salarié|du bénéficiaire)`,
    es: `nombre, beneficiario, nombre (beneficiario|del beneficiario|empleado|del empleado|trabajador|del trabajador|proveedor|del proveedor|destinatario|del destinatario),
      destinatario, empleado, trabajador, proveedor, nombre completo, nombre y apellidos, nombre y apellido, apellidos y nombre,
      apellido y nombre, apellidos y nombres, nombres y apellidos, nombre o razón social, nombre del (colaborador|titular beneficiario), nombre o razón social del beneficiario, nombres y apellidos del beneficiario, colaborador, apellidos nombre, nombre apellidos, nombre completo (del empleado|del beneficiario|del trabajador)`,
    pt: `nome, beneficiário, nome (beneficiário|do beneficiário|do favorecido|favorecido|do funcionário|funcionário|do colaborador|colaborador|do trabalhador|do empregado|do fornecedor|fornecedor|do destinatário|do recebedor),
      favorecido, funcionário, colaborador, trabalhador, empregado, fornecedor, destinatário, recebedor, nome completo, prestador, nome (do prestador|do afiliado|do parceiro|do vendedor|do membro|do motorista|prestador),
      nome e apelido, nome e sobrenome, nome completo do (beneficiário|favorecido|funcionário)`,
    it: `nominativo, nome (beneficiario|del beneficiario|dipendente|del dipendente|fornitore|del fornitore|destinatario|del destinatario),
      dipendente, fornitore, lavoratore, collaboratore, cognome e nome, nome e cognome, cognome nome, nome cognome,
      nominativo (dipendente|beneficiario|del dipendente|del beneficiario)`,
    nl: `naam, begunstigde, naam (begunstigde|van de begunstigde|van begunstigde|ontvanger|van de ontvanger|medewerker|van de medewerker|werknemer|leverancier|crediteur),
      ontvanger, medewerker, werknemer, leverancier, volledige naam, naam (tegenrekening|tegenpartij|rekeninghouder begunstigde), medewerkernaam, werknemersnaam, leveranciersnaam, voor en achternaam`,
    pl: `odbiorca, beneficjent, nazwa (odbiorcy|beneficjenta|kontrahenta|dostawcy), imię i nazwisko, nazwisko i imię,
      imię i nazwisko (odbiorcy|pracownika|beneficjenta), nazwisko i imię (odbiorcy|pracownika), pracownik, dostawca, kontrahent,
      odbiorca nazwa, odbiorca przelewu, nazwa i adres odbiorcy`,
  },
  amount: {
    en: `amount to (pay|transfer|be paid|receive), (payment|pay|payout|transfer|target|receive|receiving|credit|instructed|transaction|txn) amount,
      net (pay|salary|wage|wages|payment|amount|payout|pay amount|pay due), amount payable, payable amount, amount due,
      amount to (send|credit|remit), (disbursement|remittance|settlement|credit transfer|reimbursement|bank transfer|commission payout) amount, net (payable|to pay|remuneration|disbursement|pay amount payable|payroll), take home, take home (pay|salary), direct deposit amount, total (to pay|payable|net pay), payout, amount in target currency,
      (recipient|beneficiary|payee|receiver|destination|buy) amount, net (payable amount|amount payable|payment amount|salary payable|salary amount|pay payable|take home), nett (pay|salary|amount|payable|wage|wages), total net (salary|payable), net earnings, amount to be (transferred|credited|paid out), transfer value`,
    de: `Betrag, (Auszahlungs|Überweisungs|Zahlungs|Zahl|Auszahl|Transfer)betrag, Auszahlung, Auszahlungssumme, Nettoauszahlung,
      Netto Auszahlung, Nettoauszahlungsbetrag, Nettolohn, Nettogehalt, Netto Lohn, Netto Gehalt,
      (zu zahlender|auszuzahlender|zu überweisender) Betrag, Lohnauszahlung, Gehaltsauszahlung, (Zahlungs|Überweisungs)summe`,
    fr: `montant, montant (à payer|à verser|à virer|du virement|virement|du paiement|du règlement|net|net à payer|du versement),
      net à (payer|verser|percevoir), salaire net, salaire net à payer, somme à (payer|verser)`,
    es: `importe, monto, importe (a pagar|a transferir|de la transferencia|transferencia|del pago|líquido|a abonar),
      monto (a pagar|a transferir|de la transferencia|del pago|neto a pagar), líquido a (percibir|cobrar|pagar), líquido,
      neto a (percibir|cobrar|pagar), total a (percibir|pagar), (salario|sueldo) neto, monto (abono|de abono|pago|transferencia|líquido|a abonar|depósito|a depositar), importe (de abono|abono|pago),
      valor (transacción|de la transacción|del pago|a girar|transferencia|de la transferencia)`,
    pt: `valor, montante, quantia, importância, valor (a pagar|a receber|a transferir|do pagamento|pagamento|da transferência|transferência|líquido|líquido a pagar|líquido a receber),
      valor (pix|do pix|de pagamento|para pagamento|a creditar|do crédito), (vlr|vl) (líquido|pagamento), líquido a (pagar|receber), (salário|vencimento|ordenado) líquido, total líquido, montante a (pagar|transferir)`,
    it: `importo, ammontare, importo (bonifico|del bonifico|da pagare|da bonificare|del pagamento|pagamento|da accreditare),
      netto (a pagare|da pagare|in busta|busta|del mese|da bonificare|in busta paga), stipendio netto`,
    nl: `bedrag, te betalen, te betalen bedrag, uit te betalen, uit te betalen bedrag, over te maken bedrag, uitbetaling,
      netto (loon|salaris|uitbetaling|te betalen|uit te betalen|uit te keren), uit te keren, uit te keren bedrag, over te boeken bedrag, betaalbedrag, overboekingsbedrag, uitbetalingsbedrag`,
    pl: `kwota, kwota (przelewu|płatności|do wypłaty|do zapłaty|wypłaty|do przelewu|transakcji|zlecenia), do wypłaty, do zapłaty,
      wypłata, wypłata netto, wynagrodzenie netto, do wypłaty netto, kwota netto do wypłaty, kwota do przelania`,
  },
  currency: {
    en: `currency code, ccy, ccy code, token, token symbol, (pay|payment|payout|target|receive|receiving|beneficiary|recipient|transaction|transfer|settlement|destination) currency,
      (payment|target|transaction|beneficiary|payout) ccy, buy currency, coin, coin symbol, asset (code|symbol|ticker), cryptocurrency, crypto currency, currency symbol, currency iso, iso currency, iso currency code, currency iso code, currency of payment`,
    de: `Währung, Währungscode, Währungskürzel, Währungskennzeichen, WKZ, Whg, Währungsschlüssel, Auftragswährung, Zahlungswährung,
      Zielwährung, Überweisungswährung, ISO Währung, ISO Währungscode, Währung ISO`,
    fr: `devise, code devise, devise (du paiement|du virement|de paiement|de virement|cible), monnaie, code monnaie`,
    es: `moneda, divisa, (código|tipo) de (moneda|divisa), código (moneda|divisa), (moneda|divisa) (de pago|del pago|destino|de destino)`,
    pt: `moeda, código (da moeda|de moeda|moeda), tipo de moeda, moeda (de pagamento|do pagamento|destino|de destino)`,
    it: `valuta, codice (valuta|divisa), valuta (pagamento|del pagamento|di pagamento|bonifico|di destinazione), codice divisa iso`,
    nl: `valutacode, munt, muntsoort, munteenheid, valutasoort, doelvaluta`,
    pl: `waluta, kod waluty, waluta (przelewu|płatności|transakcji|zlecenia|docelowa|operacji), symbol waluty`,
  },
  rail: {
    en: 'payment rail, payout rail, rail name, payment rails',
    de: 'Zahlungsweg, Zahlungsschiene, Überweisungsweg',
    fr: 'rail de paiement, circuit de paiement, canal de paiement',
    es: 'vía de pago, riel de pago, canal de pago',
    pt: 'via de pagamento, trilho de pagamento, canal de pagamento',
    it: 'circuito di pagamento, canale di pagamento',
    nl: 'betaalkanaal, betalingskanaal, betaalroute',
    pl: 'kanał płatności, system płatności',
  },
  account_number: {
    en: `account, fund account number, (account|acct|acc|a/c|bank account|bank acct|bank acc|bank a/c) (no|nr|num|number|#), bank account, bank acct, bank acc,
      (beneficiary|bene|recipient|payee|creditor|credit|destination|deposit|direct deposit|bank deposit|employee bank|supplier bank|vendor bank|contractor bank) (account|account no|account num|account number|account nr|acct|acct no|a/c no),
      (beneficiary|bene|recipient|payee|creditor|employee|supplier|vendor|contractor) (iban|bank account|bank account number|bank account no|iban number),
      national account number, domestic account number, account to credit, credit to account, to account, to account number, to account no, account number or iban, iban or account number, account number iban,
      iban account number, account iban, bank account iban, iban, iban number, iban no, iban nr, iban code, bank iban, international bank account number,
      (receiver|receiving|target|to|crediting|counterparty) (account|account no|account number|iban|bank account|bank account number), (receiver|payee|beneficiary) account identifier, (beneficiary|recipient|payee|receiver|creditor) (iban account|account iban|iban or account|account or iban|iban account number|iban or account number), nuban, nuban number, cbu, cvu, cbu cvu, cci,
      clabe, clabe number, clabe account, clabe account number, pix, pix key, pix code`,
    de: `Kontonummer, Konto Nr, Kontonr, Kto Nr, Ktonr, Bankkonto, Bankkontonummer, Bankkonto Nr, (Empfänger|Zahlungsempfänger|Ziel|Mitarbeiter|Lieferanten|Gehalts|Lohn)konto,
      (Empfänger|Zahlungsempfänger|Begünstigter|Mitarbeiter|Lieferant) (IBAN|Kontonummer), IBAN (Empfänger|des Empfängers|Zahlungsempfänger|des Zahlungsempfängers|Begünstigter|des Begünstigten|Mitarbeiter|Nr|Nummer),
      Kontonummer (Empfänger|des Empfängers|Begünstigter|des Begünstigten|des Zahlungsempfängers|IBAN), IBAN Kontonummer, Kontonummer bzw IBAN, Kontonummer oder IBAN, IBAN oder Kontonummer,
      Beg Zahlpfl KontoNr bzw IBAN, Konto IBAN, IBAN Konto`,
    fr: `numéro (de compte|du compte|compte|de compte bancaire|iban), n° (de compte|compte), no (de compte|compte), num compte, compte bancaire, rib, rib iban, iban rib, code iban,
      iban (bénéficiaire|du bénéficiaire|salarié|du salarié|fournisseur|du destinataire), compte (bénéficiaire|du bénéficiaire|destinataire|à créditer), coordonnées bancaires`,
    es: `número de cuenta, número cuenta, (clabe|iban|cci|cbu|cuenta clabe|cuenta clabe interbancaria) (destino|de destino|abono|de abono|beneficiario|del beneficiario), n° de cuenta, nº de cuenta, nº cuenta, no de cuenta, núm cuenta, num cuenta, n cuenta, cuenta bancaria, número de cuenta bancaria, cuenta (de abono|abono|destino|de destino|beneficiario|del beneficiario|clabe|iban|bancaria iban|de banco),
      iban (beneficiario|del beneficiario|empleado|del empleado|trabajador|proveedor), código iban, código cuenta cliente, ccc, nro (cuenta|de cuenta), (no|nº|n°|núm|num|nro|número|número de|nro de|no de) cuenta (beneficiario|del beneficiario|destino|de destino|abono|empleado|del empleado), cuenta (del empleado|empleado|del trabajador), clabe interbancaria, cuenta interbancaria, clave interbancaria, número de clabe, llave pix, clave pix`,
    pt: `número (da conta|de conta|conta|da conta bancária|iban), nº (da conta|de conta|conta), n° (da conta|de conta), conta (bancária|corrente|destino|de destino|do beneficiário|do favorecido|para crédito),
      nib, (chave pix|pix) (favorecido|do favorecido|beneficiário|do beneficiário|destino|do recebedor|do colaborador|do funcionário), iban (destino|de destino|beneficiário|favorecido), iban do (beneficiário|colaborador|fornecedor|trabalhador), chave pix, pix chave, chave do pix, código iban`,
    it: `numero (conto|di conto|del conto|conto corrente|di conto corrente), n° (conto|di conto), nr conto, conto corrente, conto bancario, c/c, coordinate bancarie,
      iban (beneficiario|del beneficiario|dipendente|del dipendente|fornitore|destinatario|del destinatario|accredito|di accredito), codice iban, conto (beneficiario|del beneficiario|di accredito)`,
    nl: `rekeningnummer, rekeningnr, bankrekening, bankrekeningnummer, bankrekeningnr, iban rekeningnummer, rekeningnummer iban, tegenrekening,
      iban (begunstigde|ontvanger|medewerker|werknemer|nummer), rekeningnummer (begunstigde|ontvanger|medewerker), ibannummer`,
    pl: `(numer|nr) (rachunku|konta|rachunku bankowego|konta bankowego|rachunku odbiorcy|konta odbiorcy|rachunku beneficjenta|iban|nrb), rachunek (odbiorcy|beneficjenta|bankowy|pracownika|bankowy odbiorcy|docelowy),
      konto (bankowe|odbiorcy|beneficjenta), nrb, iban (odbiorcy|beneficjenta|pracownika)`,
  },
  national_clearing_code: {
    en: `clearing code, clearing number, account bsb, fund account ifsc, bank routing, national (clearing|bank) (code|number), clearing code, bank clearing (code|number), bank code, bsb, bsb (number|no|code|nr), bank state branch,
      bank bsb, (beneficiary|bene|recipient|payee|employee) (bsb|sort code|ifsc|ifsc code|routing number|bank code|bank routing number|bank ifsc|bank ifsc code|bank sort code),
      sort code, sort code number, sort code no, bank sort code, sorting code, destination sort code, uk sort code, bsb or sort code, sort code or bsb, bsb sort code,
      routing, routing (number|no|code|num|nr|transit number|transit no), bank routing (number|no|code), (ach|wire|direct deposit|bank deposit|fedwire) routing number, rtn, aba, aba (number|no|code|rtn|routing|routing number|routing no|transit number),
      abartn, transit routing number, ifsc, ifsc (code|no|number), bank ifsc, bank ifsc code, rtgs ifsc code, neft ifsc code, ifs code, (|beneficiary bank )swift code ifsc code, (receiver|receiving|beneficiary|recipient) bank (aba|aba number|routing), ifsc swift code, ifsc or swift code, (receiver|receiving|to|target|creditor) (bsb|sort code|bank code|ifsc|ifsc code|routing number), (receiving|receiver|destination) bank (code|routing number|sort code), aba routing, bank aba, rdfi routing number, routing aba, aba bank code, cnaps, cnaps (code|number|no), hong kong bank code, hk bank code, bank clearing id`,
    de: 'BLZ, Bankleitzahl, BLZ (Empfänger|des Empfängers|Begünstigter), Bankleitzahl (Empfänger|des Empfängers), Empfänger BLZ, Bankcode, Clearingnummer, Clearing Nr, Bankenclearing',
    fr: 'code banque, code bancaire, numéro de clearing, code de compensation',
    es: 'código (banco|de banco|del banco|bancario|de ruta|aba|ifsc|de compensación), número de ruta, clave del banco, clave de banco',
    pt: 'código (banco|do banco|de banco|bancário|de roteamento|de compensação), número do banco, cód banco, nº do banco',
    it: 'codice (banca|della banca|bancario|di routing|aba)',
    nl: 'bankcode, clearingcode, clearing nummer',
    pl: 'kod banku, numer rozliczeniowy, numer rozliczeniowy banku, kod rozliczeniowy',
  },
  bic: {
    en: `swift, (swift|bic|bic swift|swift bic) code, (swift|bic) (number|no|id), swift bic, bic swift, bic or swift, swift or bic, bank identifier code, (bank|beneficiary|bene|recipient|payee|creditor|employee|supplier) (bic|swift|swift code|bic code|swift bic|bic swift),
      (beneficiary|bene|recipient|payee) bank (bic|swift|swift code|bic code), swift bic number, swift address, bicfi, (beneficiary|bene|recipient|payee) bank (swift bic|bic swift|swift bic code|bic swift code), (bank|receiver|receiving|to) (swift bic code|bic code), (receiver|receiving|destination|receiving bank|receiver bank|destination bank) (bic|swift|swift code|swift bic)`,
    de: 'BIC (Empfänger|des Empfängers|Begünstigter|des Begünstigten|der Bank|Empfängerbank), Empfänger BIC, BIC bzw SWIFT, BIC oder SWIFT, SWIFT Adresse, BIC SWIFT Code, BIC Nummer',
    fr: 'code (bic|swift|bic swift|swift bic), bic (bénéficiaire|du bénéficiaire|de la banque|salarié)',
    es: 'código (bic|swift|bic swift|swift bic), bic (beneficiario|del beneficiario|del banco)',
    pt: 'código (bic|swift|bic swift|swift bic), bic do (beneficiário|banco)',
    it: 'codice (bic|swift|bic swift|swift bic), bic (beneficiario|del beneficiario|banca)',
    nl: 'bic (begunstigde|ontvanger|van de bank), swiftcode, biccode',
    pl: 'kod (bic|swift|bic swift|swift bic), bic (odbiorcy|banku odbiorcy), (swift|kod swift) banku odbiorcy, swift banku',
  },
  account_type: {
    en: '(bank|beneficiary|bene|recipient|receiver|payee|deposit) account type, type of account, type of bank account, acct type, checking or savings',
    de: 'Kontoart, Kontotyp, Art des Kontos',
    fr: 'type de compte, type compte, nature du compte',
    es: 'tipo de cuenta, tipo cuenta, tipo de cuenta bancaria',
    pt: 'tipo de conta, tipo conta, tipo da conta',
    it: 'tipo conto, tipo di conto, tipologia conto',
    nl: 'rekeningtype, soort rekening, type rekening',
    pl: 'typ (konta|rachunku), rodzaj (konta|rachunku)',
  },
  account_name: {
    en: `account holder, account holder name, bank holder name, name as per bank, name as per bank (account|records), name in bank, fund account name, account holders name, accountholder full name, account owner, account owner name, account title, name on account, name on (bank|the|the bank) account, name of account holder, name of the account holder,
      (bank|beneficiary|recipient|payee|destination|deposit|credit) account name, bank account (holder|holder name|holders name|owner|title), (to|receiver|receiving|target) account name, receiver account holder, (beneficiary|recipient|payee) account holder, acct name, a/c name`,
    de: 'Kontoinhaber, Name (Kontoinhaber|des Kontoinhabers|der Kontoinhaberin), Kontoinhabername, Inhaber des Kontos, abweichender Kontoinhaber',
    fr: 'titulaire du compte, titulaire, titulaire compte, nom (du titulaire|titulaire|du titulaire du compte|du compte), intitulé (du compte|de compte|compte)',
    es: 'titular, titular (de la cuenta|cuenta|de cuenta), nombre (del titular|titular|titular de la cuenta|del titular de la cuenta)',
    pt: 'titular da conta, titular conta, nome (do titular|titular|do titular da conta)',
    it: 'intestatario, intestatario (conto|del conto|cc|del conto corrente|iban), intestazione (conto|del conto)',
    nl: 'rekeninghouder, tenaamstelling, tenaamstelling rekening, naam rekeninghouder, naam van de rekeninghouder, tnv',
    pl: '(właściciel|posiadacz) (rachunku|konta), nazwa (rachunku|konta), nazwa (właściciela|posiadacza) (rachunku|konta)',
  },
  wallet_address: {
    en: 'wallet, crypto (address|wallet|wallet address), wallet addr, (recipient|payee|beneficiary|destination|employee) wallet, (recipient|payee|beneficiary|destination|employee) wallet address, (evm|ethereum|eth|usdc|usdt|blockchain|polygon) (address|wallet), usdc wallet address',
    de: 'Wallet Adresse, Walletadresse, Krypto Adresse, Kryptoadresse, Wallet des Empfängers',
    fr: 'adresse (du portefeuille|de portefeuille|portefeuille|wallet|crypto|du wallet|de wallet)',
    es: 'dirección (de la billetera|de billetera|billetera|wallet|de wallet|del monedero|del wallet|cripto|de la wallet)',
    pt: 'endereço (da carteira|de carteira|carteira|wallet|cripto|da wallet)',
    it: 'indirizzo (wallet|portafoglio|del portafoglio|del wallet|cripto)',
    nl: 'walletadres, wallet adres, cryptoadres, crypto adres',
    pl: 'adres (portfela|wallet|krypto|portfela odbiorcy)',
  },
  chain: {
    en: 'network, blockchain, chain name, (blockchain|crypto|token|wallet|payout|payment) (network|chain)',
    de: 'Netzwerk, Blockchain Netzwerk',
    fr: 'réseau, réseau blockchain, chaîne, blockchain réseau',
    es: 'red (blockchain|cripto|de blockchain), cadena de bloques',
    pt: 'rede (blockchain|cripto|da blockchain)',
    it: 'rete blockchain, catena',
    nl: 'netwerk, blockchain netwerk',
    pl: 'sieć, sieć blockchain, łańcuch',
  },
  payee_id: {
    en: `(employee|emp|staff|personnel|payroll|worker|associate|supplier|vendor|contractor|freelancer|payee|beneficiary|creditor|person) (id|no|nr|num|number|code|#),
      employee identifier, (employee|staff|supplier|vendor|payee) identifier, (gusto|adp|personio|xero) employee id, unique employee id, employee payroll number, works number, clock number, staff member id`,
    de: `Personalnummer, Personal Nr, Personalnr, Personal ID, Pers Nr, Persnr, Pers Nummer, PNr, Mitarbeiternummer, Mitarbeiternr, Mitarbeiter (Nr|ID|Nummer|Kennung), MA (Nr|Nummer|ID), Arbeitnehmernummer, Arbeitnehmer Nr, AN Nr,
      Lieferantennummer, Lieferantennr, Lieferanten Nr, Lieferanten ID, Kreditorennummer, Kreditorennr, Kreditoren Nr, Kreditornummer, Kreditor Nr, Stammnummer`,
    fr: `matricule, matricule (salarié|employé|du salarié|paie), (numéro|n°|no|num|code|id|identifiant) (salarié|de salarié|du salarié|employé|d'employé|de l'employé|fournisseur|du fournisseur|bénéficiaire|collaborateur)`,
    es: `(número|nº|n°|no|núm|num|código|cód|id|clave) (empleado|de empleado|del empleado|trabajador|de trabajador|del trabajador|proveedor|de proveedor|del proveedor|beneficiario), legajo, número de legajo, nº legajo, código de nómina`,
    pt: `matrícula, (número|nº|n°|código|cód|id) (funcionário|do funcionário|de funcionário|colaborador|do colaborador|empregado|do empregado|trabalhador|do trabalhador|fornecedor|do fornecedor), matrícula do (funcionário|colaborador), número mecanográfico`,
    it: 'matricola, matricola (dipendente|del dipendente|inps dipendente), (codice|numero|id|nr|n°|cod) (dipendente|del dipendente|fornitore|del fornitore|collaboratore)',
    nl: '(personeels|medewerker|medewerkers|werknemer|werknemers|leverancier|leveranciers|crediteur|crediteuren)(nummer|nr), (personeels|medewerker|werknemer|leverancier) id, salarisnummer',
    pl: `(numer|nr|kod|id|identyfikator) (pracownika|ewidencyjny|ewidencyjny pracownika|kontrahenta|dostawcy|odbiorcy|osobowy|kadrowy), symbol kontrahenta`,
  },
  source_currency: {
    en: '(from|funding|debit|sending|send|payer|pay from|paying|debtor|sell|sold) currency, (source|debit|funding|sell) ccy, debit account currency, currency of (debit|debit account)',
    de: 'Quellwährung, Belastungswährung, Abbuchungswährung, Ausgangswährung, Auftraggeberwährung',
    fr: 'devise (source|de débit|débit|du compte débité|de départ|émettrice)',
    es: '(moneda|divisa) (de origen|origen|de cargo|de débito|fuente)',
    pt: 'moeda (de origem|origem|de débito|fonte)',
    it: 'valuta (di origine|origine|di addebito|addebito)',
    nl: 'bronvaluta, debetvaluta, valuta van afschrijving',
    pl: 'waluta (źródłowa|obciążenia|rachunku obciążanego)',
  },
  reference: {
    en: `(payment|payee|beneficiary|recipient|statement|remittance|transfer|transaction|lodgement|lodgment|payout|creditor) reference, (payment|lodgement|lodgment|bacs|payee|beneficiary|statement) ref, ref, payment details, remittance (information|info|details|text|advice text), (bacs|ach|receiver|bank) reference, reference (for|to) (beneficiary|payee|recipient|receiver), details of payment, statement descriptor, unstructured remittance information,
      (message|note|text) to (payee|recipient|beneficiary|the payee|the recipient|the beneficiary), reference text, statement narrative, statement text`,
    de: `Verwendungszweck, Verwendungszweck (1|Zeile 1), Zahlungsreferenz, Referenz, Referenztext, Zahlungsgrund, Betreff, Überweisungstext, Überweisungszweck, Zahlungszweck, VWZ, VWZ 1, VWZ1, Verw Zweck, Referenznummer, Mitteilung, Mitteilung an (Empfänger|Zahlungsempfänger|den Empfänger)`,
    fr: `référence, référence (paiement|du paiement|de paiement|virement|du virement|de virement), motif, motif (du virement|virement|du paiement|de paiement|paiement), libellé (virement|du virement|du paiement|paiement), communication, objet du virement, message au bénéficiaire`,
    es: 'referencia, referencia (de pago|del pago|pago|transferencia|de la transferencia), concepto, concepto (de pago|del pago|pago|transferencia|de la transferencia), motivo del pago, motivo de pago',
    pt: 'referência, referência (de pagamento|do pagamento|pagamento|da transferência), descritivo, motivo do pagamento, finalidade, mensagem ao beneficiário, descritivo da transferência',
    it: 'riferimento, causale, causale (bonifico|del bonifico|pagamento|di pagamento|di versamento|versamento|del pagamento), riferimento (pagamento|del pagamento|bonifico), motivo del pagamento',
    nl: 'betalingskenmerk, kenmerk, referentie, betalingsreferentie, betaalreferentie, mededeling, betaalomschrijving, mededelingen',
    pl: 'tytuł, tytułem, tytuł (przelewu|płatności|operacji|zlecenia|wpłaty), referencja, referencje, numer referencyjny',
  },
  description: {
    en: 'memo, payment description, internal (note|memo|description|reference), own note, description of payment',
    de: 'Beschreibung, interne Notiz, interner Vermerk, interne Bemerkung',
    fr: 'note interne, commentaire interne, descriptif',
    es: 'descripción, nota interna, descripción del pago',
    pt: 'descrição, nota interna, observação interna, descrição do pagamento',
    it: 'descrizione, nota interna, descrizione (pagamento|del pagamento)',
    nl: 'interne notitie, interne opmerking, beschrijving',
    pl: 'opis, opis wewnętrzny, notatka wewnętrzna, opis płatności',
  },
  email: {
    en: 'mail, mail address, email address, (payee|recipient|beneficiary|employee|supplier|vendor|contractor|work|contact|staff|personal) email, (payee|recipient|beneficiary|employee|supplier|vendor|work|contact|personal) email address, email id',
    de: 'Mailadresse, E-Mail Adresse, Emailadresse, E-Mail (Empfänger|Mitarbeiter|des Empfängers), E-Mail dienstlich',
    fr: 'courriel, adresse (mail|e-mail|email|électronique|courriel), mél, email (bénéficiaire|du bénéficiaire|salarié)',
    es: 'correo, correo electrónico, dirección de correo, dirección de correo electrónico, email (empleado|del empleado|del beneficiario)',
    pt: 'endereço de (email|e-mail|correio eletrónico|correio eletrônico), correio (eletrónico|eletrônico), e-mail do (beneficiário|funcionário|colaborador|favorecido)',
    it: 'posta elettronica, indirizzo (email|e-mail|mail|di posta elettronica), email (beneficiario|dipendente|del dipendente)',
    nl: 'e-mailadres, mailadres, e-mail (ontvanger|medewerker)',
    pl: 'adres (email|e-mail|mailowy|poczty elektronicznej), poczta elektroniczna, email (odbiorcy|pracownika)',
  },
  phone_country_code: {
    en: 'phone (country|code|prefix|country prefix), (dialling|dialing|calling|telephone|mobile|mobile country|telephone country|country dialling|country dialing|country calling) code, international prefix',
    de: 'Ländervorwahl, Landesvorwahl, internationale Vorwahl, Telefon Ländervorwahl',
    fr: 'indicatif, indicatif (pays|téléphonique|du pays|international|téléphone)',
    es: 'prefijo (telefónico|internacional|país|de país|del país), indicativo (de país|internacional), código telefónico del país, lada internacional',
    pt: 'ddi, indicativo, indicativo (do país|telefónico), código internacional',
    it: 'prefisso (internazionale|telefonico|paese|nazionale)',
    nl: 'landnummer, telefoon landcode, landnummer telefoon, internationaal kengetal',
    pl: 'numer kierunkowy kraju, kierunkowy kraju, prefiks (kraju|telefonu|międzynarodowy)',
  },
  phone_number: {
    en: '(phone|telephone|tel|mobile|cell|mobile phone|cell phone|contact|work phone|home phone|mobile telephone) (no|num|nr|#), phone, telephone, tel, mobile, mobile phone, cell, cell phone, cellphone, (telephone|tel|mobile|cell|contact|mobile phone|cell phone) number, (employee|recipient|payee|beneficiary) (phone|phone number|mobile|mobile number), contact phone',
    de: 'Telefon, Telefonnummer, Telefon Nr, Tel Nr, Telefonnr, Handy, Handynummer, Mobil, Mobilnummer, Mobiltelefon, Rufnummer, Mobilfunknummer',
    fr: 'téléphone, tél, numéro de (téléphone|portable|mobile|tél), portable, téléphone (portable|mobile), tél portable, n° de téléphone, gsm',
    es: 'teléfono, móvil, celular, número de (teléfono|móvil|celular), teléfono (móvil|celular), nº de teléfono, nº teléfono',
    pt: 'telefone, telemóvel, número de (telefone|telemóvel|celular), telefone (celular|móvel), nº de telefone',
    it: 'telefono, cellulare, numero (di telefono|telefono|di cellulare|cellulare|telefonico), recapito telefonico, telefono (cellulare|mobile)',
    nl: 'telefoon, telefoonnummer, telefoonnr, mobiel, mobiele nummer, mobiel nummer, mobiele telefoon, gsm nummer',
    pl: 'telefon komórkowy, komórka, (numer|nr) (telefonu|komórki|tel|telefonu komórkowego), tel kom',
  },
  entity_name: {
    en: '(company|business|legal|legal entity|registered|organisation|organization|corporate|trading) name, legal entity, registered company name',
    de: 'Firmenname, Unternehmensname, Firmenbezeichnung, Firmierung',
    fr: "raison sociale, dénomination sociale, nom (de l'entreprise|de la société|entreprise|société)",
    es: 'razón social, denominación social, nombre (de la empresa|empresa|de empresa|legal)',
    pt: 'razão social, denominação social, nome (da empresa|empresa|empresarial)',
    it: 'ragione sociale, denominazione sociale, nome (azienda|della società|società|impresa)',
    nl: 'bedrijfsnaam, handelsnaam, statutaire naam, naam (bedrijf|onderneming)',
    pl: 'nazwa firmy, nazwa (przedsiębiorstwa|spółki|podmiotu), firma nazwa',
  },
  registration_number: {
    en: '(company|business|corporate|commercial) (number|no|registration|registration number|registration no|reg no|reg number), registration no, reg no, abn, acn, crn, company id number, incorporation number',
    de: 'Handelsregisternummer, HRB, HRB Nummer, HRB Nr, Registernummer, Handelsregister Nr, Firmenbuchnummer, UID Nummer',
    fr: 'siren, siret, (numéro|n°|no) (siren|siret|rcs), rcs',
    es: 'registro mercantil, número de registro mercantil, número de registro (de la empresa|mercantil)',
    pt: 'nipc, inscrição estadual, número de registo comercial, número de registro da empresa',
    it: 'numero rea, rea, numero (di registro|registro imprese)',
    nl: 'kvk, kvk (nummer|nr), kvknummer, ondernemingsnummer, handelsregisternr',
    pl: 'krs, (numer|nr) krs, regon, (numer|nr) regon',
  },
  address_line1: {
    en: 'address (1|line|line one), (street|postal|mailing|home|residential) (address 1|address line 1), street, street address, address street, address first line, first line of address, addr 1, addr line 1, (beneficiary|recipient|payee|employee) address (1|line 1)',
    de: 'Straße, Straße (Nr|Nummer|Hausnummer|und Hausnummer|und Nr|und Hausnr|Hausnr), Adresse 1, Adresszeile 1, Anschrift 1, Straße des Empfängers, Adresszeile',
    fr: "rue, adresse (1|ligne 1|ligne1), ligne d'adresse 1, numéro et rue, n° et rue, numéro et voie, adresse postale 1",
    es: 'calle, calle y número, dirección (1|línea 1), línea de dirección 1, domicilio 1',
    pt: 'rua, logradouro, morada (1|linha 1), endereço (1|linha 1), linha de endereço 1, rua e número',
    it: 'indirizzo (1|riga 1), riga indirizzo 1, via e numero, via e numero civico, via e n civico',
    nl: 'straat, straatnaam, straat (en huisnummer|en nummer|huisnummer|en huisnr), adres (1|regel 1), adresregel 1',
    pl: 'ulica, ulica (i numer|i nr|nr domu|i numer domu), adres (1|linia 1), adres 1 linia',
  },
  address_line2: {
    en: 'address (2|line two), addr 2, addr line 2, address second line, second line of address, (street|postal|mailing|home|residential|beneficiary|recipient|payee|employee) address (line 2|2)',
    de: 'Adresse 2, Adresszeile 2, Adresszusatz, Anschrift 2, Zusatz Adresse',
    fr: "adresse (2|ligne 2|ligne2), ligne d'adresse 2, complément (d'adresse|adresse)",
    es: 'dirección (2|línea 2), línea de dirección 2, complemento de dirección',
    pt: 'morada (2|linha 2), endereço (2|linha 2), linha de endereço 2, complemento (de endereço|do endereço)',
    it: 'indirizzo (2|riga 2), riga indirizzo 2',
    nl: 'adres (2|regel 2), adresregel 2, adrestoevoeging',
    pl: 'adres (2|linia 2), adres 2 linia',
  },
  city: {
    en: 'town, suburb, town or city, city or town, town city, city town, address city, (beneficiary|recipient|payee|employee|home|mailing) city, city suburb, suburb city',
    de: 'Ort, Stadt, Wohnort, Ortschaft, Ort des Empfängers',
    fr: 'ville, commune, localité, ville (bénéficiaire|du bénéficiaire)',
    es: 'ciudad, localidad, población, municipio, ciudad (beneficiario|del beneficiario)',
    pt: 'cidade, município, localidade, cidade (do beneficiário|do favorecido)',
    it: 'città, comune, località, comune di residenza, città (beneficiario|del beneficiario)',
    nl: 'plaats, woonplaats, stad, plaatsnaam, vestigingsplaats',
    pl: 'miasto, miejscowość, miasto odbiorcy, miejscowość odbiorcy',
  },
  state: {
    en: 'province, county, state or province, state province, province state, state territory, state or territory, address state, (beneficiary|recipient|payee|home|mailing) state, state code, province code, state or county, region or state',
    de: 'Bundesland, Kanton',
    fr: 'canton, état ou province, état province',
    es: 'provincia, departamento estado, estado provincia, estado o provincia, provincia estado, entidad federativa',
    pt: 'uf, distrito, estado uf, província, unidade federativa',
    it: 'prov, sigla provincia, provincia di residenza',
    nl: 'provincie',
    pl: 'województwo',
  },
  postal_code: {
    en: 'postcode, post code, zip, zip code, zipcode, zip or postal code, postal or zip code, zip postal code, postal zip code, postal code zip, address (postcode|post code|postal code|zip), (beneficiary|recipient|payee|employee|home|mailing) (postcode|postal code|zip|zip code), pin code, pincode, eircode',
    de: 'PLZ, Postleitzahl, PLZ des Empfängers',
    fr: 'code postal, npa, code postal (bénéficiaire|du bénéficiaire)',
    es: 'código postal, cód postal, cod postal, c postal',
    pt: 'cep, código postal (morada|endereço), cód postal morada',
    it: 'cap, codice postale, codice di avviamento postale',
    nl: 'postcode (woonadres|adres), post code',
    pl: 'kod pocztowy, kod pocztowy odbiorcy',
  },
  country: {
    en: 'country (code|iso|iso code|name|of residence), iso country, iso country code, address country, address country code, (beneficiary|recipient|payee|employee|home|mailing|residence) (country|country code)',
    de: 'Land, Ländercode, Länderkennzeichen, Länderkürzel, Staat, Land des Empfängers, Landeskennzeichen, ISO Land, Wohnland, Land ISO',
    fr: 'pays, code pays, pays (bénéficiaire|du bénéficiaire|de résidence|iso), pays de résidence',
    es: 'país, país (de residencia|beneficiario|del beneficiario|iso)',
    pt: 'país do (beneficiário|favorecido), código do país iso, país de residência',
    it: 'paese, nazione, codice (paese|nazione), paese di residenza, stato di residenza',
    nl: 'landcode, land van (vestiging|bestemming)',
    pl: 'kraj, kod kraju, kraj (odbiorcy|zamieszkania), państwo',
  },
  recipient_id: {},
  external_account_id: {},
} as const satisfies Readonly<Record<string, Words>>;

/** A column that payrun reads. Every other column is carried to the report untouched. */
export type ColumnName = keyof typeof SYNONYMS;

/** Every column, in the order of the documentation. */
export const COLUMN_NAMES = Object.keys(SYNONYMS) as ColumnName[];

/**
 * Words that may well be a column and may well be something else (`Konto` is a ledger account too, `Netto` a sum without
 * tax). They are never read as the column; where it is missing, the person is asked.
 */
export const UNSURE_WORDS: Readonly<Partial<Record<ColumnName, string>>> = {
  name: 'company, customer, client, contact, person, Firma, Kunde, Kreditor, société, client, empresa, cliente, azienda, bedrijf, klant, nazwa, firma, klient, display name, preferred name',
  amount: `total, total amount, value, pay, payment, salary, wage, wages, net, netto, neto, net value, invoice amount,
    check amount, cheque amount, amount paid, Gehalt, Lohn, Summe, Wert, Gesamt, Gesamtbetrag, Rechnungsbetrag, Nettobetrag, Nettoverdienst, Nettobezug,
    salaire, paie, somme, montant TTC, total TTC, offener Betrag, salario, sueldo, nómina, cantidad, importe neto, importe total, salário, ordenado, remuneração,
    stipendio, importo netto, importo totale, loon, salaris, totaal, nettobedrag, wynagrodzenie, pensja, suma, wartość, kwota netto, razem`,
  currency: 'cur, curr, asset, amount currency, account currency, Kontowährung, devise du compte',
  rail: `method, payment method, payout method, payment type, transfer type, transfer method, payment scheme, payment channel, Zahlungsart, Zahlart, Zahlungsmethode,
    mode de paiement, moyen de paiement, type de virement, forma de pago, método de pago, medio de pago, tipo de transferencia, forma de pagamento,
    método de pagamento, tipo de transferência, metodo di pagamento, modalità di pagamento, betaalwijze, betaalmethode, sposób płatności, metoda płatności, typ przelewu`,
  account_number: `konto, compte, cuenta, conta, conto, rekening, rachunek, bank details, Bankverbindung, datos bancarios, dados bancários, bankgegevens,
    vendor account, vendor account number, supplier account, supplier account number, employee account, employee account number`,
};

/** Parts of a name, in the order in which they are written. */
export type NamePart = 'first' | 'middle' | 'last' | 'second_last';

/** Headers of the parts of a name: one for the first and one for the last give the whole name. */
export const NAME_PARTS: Readonly<Record<NamePart, Words>> = {
  first: {
    en: '(first|given) name, given names, first names, forename, forenames, fname, (employee|payee|recipient|beneficiary|legal) first name',
    de: 'Vorname, Vornamen',
    fr: 'prénom, prénoms, prénom (salarié|du salarié|employé|bénéficiaire|du bénéficiaire|collaborateur)',
    es: 'nombres, nombre de pila, primer nombre',
    pt: 'primeiro nome, nome próprio',
    nl: 'voornaam, voornamen',
    pl: 'imię, imiona, imię pracownika',
  },
  middle: { en: 'middle name', nl: 'tussenvoegsel', pl: 'drugie imię' },
  last: {
    en: '(last|family) name, surname, lname, (employee|payee|recipient|beneficiary|legal) last name',
    de: 'Nachname, Familienname, Zuname',
    fr: 'nom de famille, nom de naissance',
    es: 'apellido, apellidos, primer apellido, apellido paterno, (apellido|apellidos) (empleado|del empleado|trabajador|del trabajador|beneficiario)',
    pt: 'apelido, sobrenome, último nome, sobrenome (do funcionário|funcionário|do colaborador)',
    it: 'cognome, cognome (dipendente|beneficiario)',
    nl: 'achternaam, achternaam (medewerker|werknemer)',
    pl: 'nazwisko, nazwisko pracownika',
  },
  second_last: { es: 'segundo apellido, apellido materno' },
};

/** Headers of what stands for a part of a name and is not that on a bank account. */
export const OTHER_NAME_PARTS: Words = {
  en: 'preferred (first|last) name',
  de: 'Rufname',
  fr: 'nom usuel',
  nl: 'roepnaam, voorletters',
};

/**
 * Headers of texts to a payment, which are the reference where no other column is: they may be the payer's own notes too.
 * `Comments` and `Notes` of a payroll are of nobody else, and in none.
 */
export const WEAK_REFERENCES: Words = {
  en: `narration, narrations, narrative, remark, remarks, (payment|payout|transaction|transfer|beneficiary|credit) (narration|narrative|remark|remarks|note|message|info|information|details|text|particulars), narration remarks, remarks narration, narration or remarks,
    particulars, payee particulars, details, message`,
  de: 'Zweck, Bemerkung, Bemerkungen, Buchungsvermerk, Text, Zahlungstext, Zahlungshinweis, Grund',
  fr: 'objet, libellé, remarque, remarques, observation, observations, détails, objet du paiement, commentaire du virement',
  es: 'observaciones, observación, glosa, detalle, detalle (de pago|del pago), motivo, mensaje, leyenda, comentario del pago, glosa (de pago|del pago)',
  pt: 'observação, observações, mensagem, motivo, histórico do pagamento, detalhe, detalhes do pagamento',
  it: 'motivazione, osservazioni, oggetto, note bonifico, note pagamento',
  nl: 'omschrijving, opmerking, opmerkingen, toelichting',
  pl: 'uwagi, szczegóły płatności, treść',
};

/** The same, where none of those is there either: purposes may be codes, and numbers the payer's. */
export const WEAKEST_REFERENCES: Words = {
  en: `purpose, (payment|transfer|payout|transaction|remittance) purpose, purpose of (payment|payout|transfer|remittance|transaction), reason, reason for (payment|transfer), (payment|transfer) reason,
    reference (no|number|num|nr|id), payment reference (no|number|id), ref (no|number|nr|num)`,
};

/** Headers of a tax that is added to a sum: beside one, the amount may be the sum without it. */
export const TAX_WORDS: Words = {
  en: '(vat|gst|hst|sales tax) (amount|), total (vat|gst)',
  de: 'MwSt, USt, Mehrwertsteuer, Umsatzsteuer, (MwSt|USt) Betrag, Steuerbetrag',
  fr: 'TVA, montant (TVA|de la TVA)',
  es: 'IVA, importe (IVA|del IVA)',
  pt: 'valor do IVA',
  it: 'importo IVA',
  nl: 'btw, btw bedrag',
  pl: 'kwota VAT, podatek VAT',
};

/** Every word of a text of `Words`, with its groups multiplied out. */
export function wordsIn(text: string): string[] {
  const words: string[] = [];
  for (const word of text.replace(/\s+/g, ' ').split(',')) addExpanded(words, word.trim());
  return words;
}

function addExpanded(words: string[], word: string): void {
  const open = word.indexOf('(');
  if (open === -1) {
    if (word !== '') words.push(word);
    return;
  }
  const close = word.indexOf(')', open);
  const [before, after] = [word.slice(0, open), word.slice(close + 1)];
  for (const choice of word.slice(open + 1, close).split('|')) addExpanded(words, before + choice + after);
}
