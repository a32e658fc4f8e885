import { headerKey, headerWords } from '../../header/header-key.ts';

/** Parts of words for what is taken off pay or an invoice before it is paid: tax, contributions, advances, retentions. */
const PARTS =
  'deduct withh garnish clawback abzug abzuge einbehalt lohnsteuer quellensteuer kirchensteuer vorschuss pfandung sicherheitseinbehalt ' +
  'retenue precompte prelevementalasource retencion retenido descuento deduccion embargo retencao retido desconto deducao ' +
  'ritenut trattenut pignoram inhouding ingehouden loonheffing loonbeslag voorschot potracen zaliczk srazk zaloh zrazk preddav kesinti stopaj avans ' +
  'avdrag fradrag skattetrekk utleggstrekk forskott forskud vahennys ennakonpidatys ennakkopalkka levonas eloleg retiner odbitak obustav predujam ' +
  'удержан утриман вычет аванс удръжк κρατησ προκαταβολ παρακρατ 控除 源泉徴収 前払 扣除 代扣 扣税 扣稅 预扣 預扣 预支 공제 원천징수 선급 가불 ' +
  'หัก เบิกล่วงหน้า khautru tamung potongan pemotongan kasbon خصم استقطاع سلفة ניכוי מקדמה';

/** Whole words: short ones, and some that are parts of others. */
const WORDS: ReadonlySet<string> = new Set(
  (
    'tds tcs wht paye nic epf esi pf ptax irpf isr inss irrf imss isss pph bpjs advance advances anticipo anticipos adiantamento adiantamentos ' +
    'acconto acconti acompte acomptes retention trekk impuesto retainage'
  ).split(' '),
);

const PART = new RegExp(PARTS.split(' ').map(headerKey).join('|'));

/** Words that leave no doubt that an amount is what is left, or transferred. */
const LEFT_OVER =
  /payout|disburs|totransfer|transferamount|auszahl|u(?:e|)berweis|avirer|averser|virement|transferir|bonific|uitbetal|dowyplat|doprzelewu|utbetal|udbetal|maksett|kifizet|odenecek/;

/** Whether a header is of what is taken off the amount. */
export function isDeduction(header: string): boolean {
  return PART.test(headerKey(header)) || headerWords(header).some((word) => WORDS.has(word));
}

/** Whether a header of amounts says that nothing more is taken off. */
export function isLeftOver(header: string): boolean {
  return LEFT_OVER.test(headerKey(header));
}
