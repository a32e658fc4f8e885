import { headerKey } from '../../header/header-key.ts';
import { keyList, keys } from './header-keys.ts';

/** Headers of sums that people owe to those who keep the list: fees of members, rents, receivables. */
export const OWED = keys(
  '(membership|member|club|association|hoa|union|school) (fee|fees|dues|subscription|subscriptions|fee amount|dues amount), dues, dues amount, tuition fee, tuition fees, subscription fee, subscription amount, (rent|amount|balance|total|sum|fees|fee) receivable, receivable, receivables, receivable (amount|balance), accounts receivable, amount to be collected, to be collected',
  'Beitrag, Beiträge, Beitragshöhe, Beitragsbetrag, Beitragssoll, (Mitglieds|Vereins|Jahres|Monats|Halbjahres|Quartals|Eltern)beitrag, Forderung, Forderungen, Forderungsbetrag, Forderungshöhe, offene Forderung, offene Forderungen, Außenstände, Sollmiete, Mietforderung, Kursgebühr, Hausgeld, einzuziehender Betrag',
  'cotisation, cotisations, cotisation annuelle, montant (cotisation|de la cotisation|créance|de la créance|à encaisser), adhésion, créance, créances, à encaisser, loyer à encaisser, cuota, cuotas, cuota (de socio|socio|social|anual|mensual|comunidad|de comunidad), importe (cuota|de la cuota), por cobrar, (monto|importe|saldo|total|cuentas) por cobrar',
  'quota, quotas, quota (mensal|anual|de sócio), valor da quota, mensalidade, contas a receber, quota (associativa|sociale|annuale|associato|di iscrizione|condominiale), importo quota, importo da incassare, da incassare, contributie, contributiebedrag, lidmaatschapsgeld, te innen, te innen bedrag, te incasseren, vordering, openstaande vordering',
  'składka, składka członkowska, kwota składki, členský příspěvek, členské, členský príspevok, pohledávka, pohľadávka, aidat, aidat tutarı, üyelik aidatı, medlemsavgift, medlemsavgifter, årsavgift, kontingent, medlemskontingent, jäsenmaksu, tagdíj, tagdíj összege, követelés, cotizație, cotizatie, članarina',
  'членский взнос, сумма взноса, взнос, дебиторская задолженность, членський внесок, внесок, συνδρομή, 会费, 會費, 应收金额, 應收金額, 应收款, 應收款, 应收账款, 会費, 年会費, 売掛金, 売掛金額, 회비, 미수금, ค่าสมาชิก, ลูกหนี้, hội phí, phí hội viên, phải thu, iuran, iuran anggota, piutang, رسوم العضوية, דמי חבר',
);

/** Of those, the ones by which somebody says that the money is to come in. The others are contributions, which are paid by some. */
const TO_COME_IN =
  /receivable|collected|forderung|aussenstand|sollmiete|einzuziehend|creance|encaisser|cobrar|areceber|incassare|innen|incasseren|vordering|pohledavk|pohladavk|koveteles|дебитор|应收|應收|売掛|미수|ลูกหนี้|phaithu|piutang/;

export function isToComeIn(header: string): boolean {
  return TO_COME_IN.test(headerKey(header));
}

/** Such lists, in a title or the name of a sheet beside other words. */
export const COLLECTION_TITLES = keyList(
  'accounts receivable, trade receivables, aged receivables, receivables (aging|ageing|list|report), debtors list, aged debtors, incoming (payments|transfers|standing orders), standing orders received, membership (fees|dues|subscriptions), rent receivable',
  'Forderungsliste, offene Forderungen, Debitorenliste, offene Posten Debitoren, OP Liste Debitoren, Zahlungseingänge, eingehende Daueraufträge, Mitgliedsbeiträge, Beitragsliste, créances clients, balance âgée clients, cotisations à encaisser, cuentas por cobrar, cuotas de socios, contas a receber, crediti verso clienti, quote (associative|da incassare)',
  'debiteurenlijst, openstaande debiteuren, te innen contributies, składki członkowskie, členské příspěvky, дебиторская задолженность, членские взносы, 应收账款, 應收帳款, 売掛金一覧, 会費一覧, 미수금, piutang',
);

/** Words of a title by which money goes back to those who paid it. */
export const GIVEN_BACK =
  /refund|erstatt|ruckzahl|rembours|devoluc|reembols|rimbors|terugbetal|zwrot|vrace|iade|возврат|返金|退款|退费/;
