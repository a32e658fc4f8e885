import { fault } from '../../../../domain/problem.ts';
import type { RowNote } from '../../../cells/cell-facts.ts';
import type { ColumnName } from '../../../header/synonyms.ts';

/** The texts of some elements, by path; of several equal ones in order. */
export type Texts = ReadonlyMap<string, readonly string[]>;

/** What is known of a payment. */
export type PaymentTexts = {
  /** Below `CdtTrfTxInf`. */
  own: Texts;
  /** Below the message: of `PmtInf` and `GrpHdr`. */
  above: Texts;
  currency: string;
  /** The message, with its version: `pain.001.001.09`. */
  message: string;
};

/** Columns, each with the element that feeds it, as problems name it. */
const COLUMNS: readonly (readonly [column: string, element: string])[] = [
  ['name', 'Cdtr/Nm'],
  ['amount', 'Amt/InstdAmt'],
  ['currency', 'Amt/InstdAmt/@Ccy'],
  ['rail', 'PmtTpInf/SvcLvl/Cd'],
  ['account_number', 'CdtrAcct/Id'],
  ['national_clearing_code', 'CdtrAgt/FinInstnId/ClrSysMmbId/MmbId'],
  ['bic', 'CdtrAgt/FinInstnId'],
  ['account_type', 'CdtrAcct/Tp'],
  ['account_name', 'CdtrAcct/Nm'],
  ['reference', 'RmtInf'],
  ['address_line1', 'Cdtr/PstlAdr'],
  ['address_line2', 'Cdtr/PstlAdr'],
  ['city', 'Cdtr/PstlAdr/TwnNm'],
  ['state', 'Cdtr/PstlAdr/CtrySubDvsn'],
  ['postal_code', 'Cdtr/PstlAdr/PstCd'],
  ['country', 'Cdtr/PstlAdr/Ctry'],
  ['end_to_end_id', 'PmtId/EndToEndId'],
  ['instruction_id', 'PmtId/InstrId'],
  ['payment_information_id', 'PmtInfId'],
  ['message_id', 'MsgId'],
  ['message_name', 'Document'],
  ['execution_date', 'ReqdExctnDt'],
  ['purpose_code', 'Purp'],
];

export const PAIN001_HEADER: readonly string[] = COLUMNS.map(([column]) => column);
export const PAIN001_ELEMENTS: readonly string[] = COLUMNS.map(([, element]) => element);

/** The clearing systems whose codes payrun passes on, and the currencies of their countries. Source: ISO 20022 external code list. */
const CLEARING_SYSTEMS: Readonly<Record<string, string>> = {
  AUBSB: 'AUD',
  CNAPS: 'CNY',
  GBDSC: 'GBP',
  HKNCC: 'HKD',
  INFSC: 'INR',
  USABA: 'USD',
};

/** Current and savings accounts. */
const ACCOUNT_TYPES: Readonly<Record<string, string>> = { CACC: 'checking', SVGS: 'savings' };

/** Elements of a payment that neither bank nor payee gets. */
const NOT_CARRIED = [
  'XchgRateInf',
  'ChqInstr',
  'UltmtDbtr',
  'IntrmyAgt1',
  'IntrmyAgt2',
  'IntrmyAgt3',
  'CdtrAgtAcct',
  'UltmtCdtr',
  'InstrForCdtrAgt',
  'InstrForDbtrAgt',
  'RgltryRptg',
  'Tax',
  'RltdRmtInf',
  'CdtrAcct/Prxy',
  'SplmtryData',
];

/** What a payer writes where there is no identification. */
const NOT_PROVIDED = 'NOTPROVIDED';

/** The cells of a payment by column, and what is doubtful of it. */
export function paymentCells({ own, above, currency, message }: PaymentTexts): { cells: string[]; notes: RowNote[] } {
  const notes: RowNote[] = [];
  const of = (path: string) => own.get(path)?.[0] ?? '';
  const ofEither = (path: string) => of(path) || (above.get(`PmtInf/${path}`)?.[0] ?? '');
  const bic = of('CdtrAgt/FinInstnId/BIC') || of('CdtrAgt/FinInstnId/BICFI');
  const iban = of('CdtrAcct/Id/IBAN');
  const identified = bic !== '' || iban !== '';
  const services = own.get('PmtTpInf/SvcLvl/Cd') ?? above.get('PmtInf/PmtTpInf/SvcLvl/Cd') ?? [];
  const endToEnd = of('PmtId/EndToEndId');
  const byColumn: Readonly<Record<string, string>> = {
    name: of('Cdtr/Nm'),
    amount: of('Amt/InstdAmt'),
    currency,
    rail: services.includes('SEPA') && currency === 'EUR' ? 'EUR_SEPA' : '',
    account_number: iban || of('CdtrAcct/Id/Othr/Id'),
    national_clearing_code: clearingCode(own, { currency, identified }, notes),
    bic,
    account_type: ACCOUNT_TYPES[of('CdtrAcct/Tp/Cd')] ?? '',
    account_name: of('CdtrAcct/Nm'),
    reference: referenceOf(own, notes),
    ...addressOf(own),
    end_to_end_id: endToEnd === NOT_PROVIDED ? '' : endToEnd,
    instruction_id: of('PmtId/InstrId'),
    payment_information_id: above.get('PmtInf/PmtInfId')?.[0] ?? '',
    message_id: above.get('GrpHdr/MsgId')?.[0] ?? '',
    message_name: message,
    execution_date: executionDate(above),
    purpose_code: of('Purp/Cd') || ofEither('PmtTpInf/CtgyPurp/Cd'),
  };
  if (own.has('Amt/EqvtAmt')) notes.push(note('error', 'amount', 'Amt/EqvtAmt', fault('amount_equivalent')));
  noteNotCarried(own, above, notes);
  return { cells: PAIN001_HEADER.map((column) => byColumn[column] ?? ''), notes };
}

/** The day on which a `PmtInf` asks for its payments. */
export function executionDate(above: Texts): string {
  const path = 'PmtInf/ReqdExctnDt';
  const text = above.get(path)?.[0] ?? above.get(`${path}/Dt`)?.[0] ?? above.get(`${path}/DtTm`)?.[0] ?? '';
  return text.slice(0, '2026-11-30'.length);
}

/** An element below the payment's in place of one, where a note names it; the line is added by the reader. */
export type ElementNote = RowNote & { element?: string };

function note(
  severity: RowNote['severity'],
  column: ColumnName | null,
  element: string,
  what: RowNote['what'],
): ElementNote {
  return { severity, column, what, element };
}

/** The code of the payee's bank, where it is one of the currency's own system. */
function clearingCode(
  own: Texts,
  { currency, identified }: { currency: string; identified: boolean },
  notes: RowNote[],
): string {
  const path = 'CdtrAgt/FinInstnId/ClrSysMmbId';
  const code = own.get(`${path}/MmbId`)?.[0] ?? '';
  const system = own.get(`${path}/ClrSysId/Cd`)?.[0] ?? own.get(`${path}/ClrSysId/Prtry`)?.[0];
  if (code === '' || system === undefined || CLEARING_SYSTEMS[system] === currency) return code;
  const element = `${path}/ClrSysId`;
  if (identified) notes.push(note('warning', null, element, fault('element_not_carried', { element: 'ClrSysMmbId' })));
  else
    notes.push(note('error', 'national_clearing_code', element, fault('clearing_system_other', { system, currency })));
  return '';
}

/** A structured reference, and all texts behind it. */
function referenceOf(own: Texts, notes: RowNote[]): string {
  const structured = own.get('RmtInf/Strd/CdtrRefInf/Ref');
  const unstructured = own.get('RmtInf/Ustrd') ?? [];
  if (structured === undefined && unstructured.length < 2) return unstructured[0] ?? '';
  const texts = [...(structured ?? []), ...unstructured];
  const filled = texts.filter((text) => text !== '');
  if (filled.length > 1)
    notes.push(note('warning', 'reference', 'RmtInf', fault('reference_joined', { texts: filled.length })));
  return filled.join(' ');
}

const NO_ADDRESS: Readonly<Record<string, string>> = {};

function addressOf(own: Texts): Readonly<Record<string, string>> {
  if (!own.keys().some((path) => path.startsWith('Cdtr/PstlAdr/'))) return NO_ADDRESS;
  const of = (name: string) => own.get(`Cdtr/PstlAdr/${name}`)?.[0] ?? '';
  const street = [of('StrtNm'), of('BldgNb')].filter((part) => part !== '').join(' ');
  const parts = ['Dept', 'SubDept', 'BldgNm', 'Flr', 'PstBx', 'Room', 'TwnLctnNm', 'DstrctNm'].map(of);
  const lines = [street, ...(own.get('Cdtr/PstlAdr/AdrLine') ?? []), ...parts].filter((line) => line !== '');
  return {
    address_line1: lines[0] ?? '',
    address_line2: lines.slice(1).join(', '),
    city: of('TwnNm'),
    state: of('CtrySubDvsn'),
    postal_code: of('PstCd'),
    country: of('Ctry'),
  };
}

function noteNotCarried(own: Texts, above: Texts, notes: RowNote[]): void {
  let last: string | null = null;
  for (const path of own.keys()) {
    const element = notCarriedAt(path);
    if (element === null || element === last) continue;
    notes.push(note('warning', null, element, fault('element_not_carried', { element })));
    last = element;
  }
  for (const path of above.keys())
    if (path.startsWith(PAYER_ABOVE)) {
      notes.push(note('warning', null, PAYER_ABOVE, fault('element_not_carried', { element: 'UltmtDbtr' })));
      break;
    }
  const bearer = own.get('ChrgBr')?.[0] ?? above.get('PmtInf/ChrgBr')?.[0];
  if (bearer !== 'CRED') return;
  const element = 'ChrgBr CRED (the payee bears the charges)';
  notes.push(note('warning', null, 'ChrgBr', fault('element_not_carried', { element })));
}

const PAYER_ABOVE = 'PmtInf/UltmtDbtr';

/** What a path of a payment belongs to of that which is not carried, by path: messages have a few hundred. */
const notCarriedByPath = new Map<string, string | null>();

function notCarriedAt(path: string): string | null {
  const known = notCarriedByPath.get(path);
  if (known !== undefined) return known;
  const found = NOT_CARRIED.find((element) => path === element || path.startsWith(`${element}/`)) ?? null;
  notCarriedByPath.set(path, found);
  return found;
}
