import { keys } from './header-keys.ts';

/** Headers of people who pay those that keep the list: customers, buyers, tenants. */
export const CUSTOMER = keys(
  '(customer|client|buyer|purchaser|debtor|payer|tenant), (customer|client|buyer|debtor|payer|tenant) (name|full name|company), name of (customer|client|the customer|the client|buyer|tenant), (bill|billed|invoice|invoiced|sold) to, bill to name',
  'Kunde, Kundenname, Kunden, Kundin, Name (Kunde|des Kunden|Käufer|des Käufers|Mieter|des Mieters), Käufer, Auftraggeber Rechnung, Rechnungsempfänger, Debitor, Debitorenname, Schuldner, Mieter, Mietername, Zahler, Zahlungspflichtiger',
  'client, clients, nom (client|du client|de client|acheteur|du locataire), acheteur, locataire, débiteur, payeur, (cliente|deudor|comprador|inquilino|pagador), nombre (cliente|del cliente|comprador|del inquilino), nome (cliente|do cliente|del cliente|acquirente|inquilino), devedor, acquirente, compratore, debitore, pagatore',
  'klant, klantnaam, naam (klant|van de klant|koper|huurder), koper, huurder, debiteur, betaler, klient, nazwa klienta, kupujący, nabywca, najemca, dłużnik, płatnik, zákazník, jméno zákazníka, odběratel, odberateľ, kupující, nájemce, plátce, dlužník',
  'müşteri, müşteri (adı|adı soyadı|unvanı), kiracı, borçlu, kund, kundnamn, kundens navn, kundnavn, kundenavn, köpare, køber, kjøper, hyresgäst, lejer, leietaker, asiakas, asiakkaan nimi, ostaja, vuokralainen, ügyfél, ügyfél neve, vevő, vevő neve, vásárló, bérlő, nume client, cumpărător, chiriaș, kupac, klijent, naziv kupca, stranka',
  'клиент, имя клиента, наименование клиента, покупатель, арендатор, плательщик, должник, клієнт, покупець, орендар, платник, купувач, наемател, πελάτης, όνομα πελάτη, αγοραστής, ενοικιαστής',
  '客户, 客户名称, 客户姓名, 客戶, 客戶名稱, 买方, 買方, 顧客, 顧客名, 得意先, 得意先名, お客様名, 取引先請求, 고객, 고객명, 고객 이름, 구매자, 임차인, ลูกค้า, ชื่อลูกค้า, ผู้ซื้อ, khách hàng, tên khách hàng, người mua, pelanggan, nama pelanggan, pembeli, العميل, اسم العميل, المشتري, לקוח, שם לקוח, קונה',
);

/** Headers of the invoices that customers have to pay. */
export const INVOICE = keys(
  '(invoice|inv|bill|tax invoice) (no|number|nr|num|id|#|ref|reference|date), invoice, Rechnungsnummer, Rechnungsnr, Rechnung Nr, Rechnung, RE Nr, RG Nr, Belegnummer, Rechnungsdatum, (numéro|n°|no|réf|référence|date) (facture|de facture|de la facture), facture, (número|nº|n°|no|fecha) (factura|de factura|de la factura), factura, (número|nº|n°|data) (fatura|da fatura), fatura, (numero|n|n°|data) fattura, fattura',
  'factuurnummer, factuurnr, factuur, factuurdatum, (numer|nr|data) faktury, faktura, (číslo|datum) faktury, číslo faktúry, fatura (no|numarası|tarihi), fakturanummer, fakturanr, fakturadatum, fakturadato, laskun (numero|päivä), laskunumero, számla sorszáma, (număr|nr|data) (factură|facturii), broj (fakture|računa kupca), (номер|дата) (счета фактуры|инвойса), номер рахунку фактури, номер на фактура, (αριθμός|ημερομηνία) τιμολογίου',
  '发票号, 发票号码, 发票日期, 發票號碼, 請求書番号, 請求番号, 請求日, 송장번호, 계산서번호, 청구서번호, เลขที่ใบแจ้งหนี้, số hóa đơn, ngày hóa đơn, nomor faktur, no faktur, nomor invoice, رقم الفاتورة, תאריך חשבונית, מספר חשבונית',
);

/** Headers of the days by which they have to pay. */
export const DUE = keys(
  '(due|due date|date due|payment due|payment due date|overdue|days overdue|overdue days|days past due|past due|aging|ageing|aging bucket), Fälligkeit, Fälligkeitsdatum, fällig, fällig am, überfällig, Tage überfällig, Mahnstufe, échéance, (date|jour) (échéance|d’échéance), jours de retard, vencimiento, fecha (vencimiento|de vencimiento), días (vencidos|de atraso), vencimento, data (de vencimento|vencimento|do vencimento), dias (vencidos|em atraso), scadenza, data (scadenza|di scadenza), giorni di ritardo',
  'vervaldatum, vervaldag, dagen te laat, termin płatności, dni po terminie, splatnost, datum splatnosti, dátum splatnosti, dní po splatnosti, vade, vade tarihi, son ödeme tarihi, förfallodatum, förfallodag, forfaldsdato, forfallsdato, eräpäivä, fizetési határidő, esedékesség, scadență, data scadenței, dospijeće, datum dospijeća, срок оплаты, дата оплаты до, просрочка, термін оплати, падеж, ημερομηνία λήξης, λήξη',
  '到期日, 到期日期, 账龄, 帳齡, 支払期限, 支払期日, 入金予定日, 납기일, 만기일, 연체일수, วันครบกำหนด, ngày đến hạn, hạn thanh toán, jatuh tempo, tanggal jatuh tempo, تاريخ الاستحقاق, תאריך פירעון, תאריך לתשלום',
);
