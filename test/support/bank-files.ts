/** A payment that every format can carry. Amounts are in minor units. */
export type BankPayment = {
  name: string;
  minor: bigint;
  account: string;
  /** BSB, sort code or routing number; a BIC in pain.001. */
  bank: string;
  reference: string;
  accountType?: 'checking' | 'savings';
};

const right = (value: string | number | bigint, length: number, fill = '0') => String(value).padStart(length, fill);
const left = (text: string, length: number) => text.slice(0, length).padEnd(length);

function sumOf(payments: readonly BankPayment[]): bigint {
  return payments.reduce((sum, { minor }) => sum + minor, 0n);
}

/** The account that files are paid from. */
export const PAYER = { bsb: '062-999', account: '11112222', sortCode: '401234', ukAccount: '87654321' };

/** A direct entry file. `isBalanced`: with a record that debits the payer. */
export function abaFile(payments: readonly BankPayment[], { isBalanced = false, code = '53' } = {}): string {
  const total = sumOf(payments);
  const detail = (bsb: string, account: string, code: string, minor: bigint, title: string, reference: string) =>
    `1${bsb}${right(account, 9, ' ')} ${code}${right(minor, 10)}${left(title, 32)}${left(reference, 18)}` +
    `${PAYER.bsb}${right(PAYER.account, 9, ' ')}${left('ACME PTY LTD', 16)}${right(0, 8)}`;
  const bsb = (bank: string) => `${bank.slice(0, 3)}-${bank.slice(3)}`;
  return [
    `0${' '.repeat(17)}01CBA${' '.repeat(7)}${left('ACME PTY LTD', 26)}123456${left('PAYROLL', 12)}301126${' '.repeat(40)}`,
    ...payments.map(({ name, minor, account, bank, reference }) =>
      detail(bsb(bank), account, code, minor, name, reference),
    ),
    ...(isBalanced ? [detail(PAYER.bsb, PAYER.account, '13', total, 'ACME PTY LTD', 'PAYROLL')] : []),
    `7999-999${' '.repeat(12)}${right(isBalanced ? 0 : total, 10)}${right(total, 10)}${right(isBalanced ? total : 0, 10)}` +
      `${' '.repeat(24)}${right(payments.length + Number(isBalanced), 6)}${' '.repeat(40)}`,
    '',
  ].join('\r\n');
}

/** A file of Bacs Standard 18. `hasLabels`: with the labels around the payments; `isBalanced`: with a contra record. */
export function bacsFile(
  payments: readonly BankPayment[],
  { hasLabels = true, isBalanced = false, code = '99' } = {},
): string {
  const total = sumOf(payments);
  const record = (sortCode: string, account: string, code: string, minor: bigint, name: string, reference: string) =>
    `${sortCode}${right(account, 8)}0${code}${PAYER.sortCode}${PAYER.ukAccount}    ${right(minor, 11)}` +
    `${left('ACME LTD', 18)}${left(reference, 18)}${left(name, 18)}`;
  const contra = record(PAYER.sortCode, PAYER.ukAccount, '17', total, 'ACME LTD', 'CONTRA');
  const records = [
    ...payments.map(({ name, minor, account, bank, reference }) => record(bank, account, code, minor, name, reference)),
    ...(isBalanced ? [contra] : []),
  ];
  const trailer = `UTL1${right(isBalanced ? total : 0, 13)}${right(total, 13)}${right(Number(isBalanced), 7)}${right(payments.length, 7)}`;
  const labels = hasLabels
    ? {
        above: ['VOL1123456', 'HDR1A123456S  1123456', 'HDR2F0200000100', 'UHL1 26334999999    000000001 DAILY  001'],
        below: ['EOF1A123456S  1123456', 'EOF2F0200000100', trailer],
      }
    : { above: [], below: [] };
  return [
    ...labels.above.map((label) => left(label, 80)),
    ...records,
    ...labels.below.map((label) => left(label, 80)),
    '',
  ].join('\r\n');
}

/** An ACH file with one batch. */
export function nachaFile(
  payments: readonly BankPayment[],
  { entryClass = 'PPD', description = 'SALARY', addenda = '', codes = { checking: '22', savings: '32' } } = {},
): string {
  const total = sumOf(payments);
  const entries = payments.flatMap(({ name, minor, account, bank, accountType = 'checking' }, at) => {
    const trace = `09100001${right(at + 1, 7)}`;
    const entry =
      `6${codes[accountType]}${bank}${left(account, 17)}${right(minor, 10)}${left(`EMP${at + 1}`, 15)}${left(name, 22)}` +
      `  ${addenda === '' ? '0' : '1'}${trace}`;
    return addenda === '' ? [entry] : [entry, `705${left(addenda, 80)}0001${right(at + 1, 7)}`];
  });
  const hash = payments.reduce((sum, { bank }) => sum + BigInt(bank.slice(0, 8)), 0n) % 10n ** 10n;
  const sums = `${right(hash, 10)}${right(0, 12)}${right(total, 12)}`;
  const records = [
    `101 091000019 1234567892611251200A094101${left('FIRST BANK', 23)}${left('ACME INC', 23)}${left('', 8)}`,
    `5220${left('ACME INC', 16)}${left('', 20)}1234567890${entryClass}${left(description, 10)}261130261130   1091000010000001`,
    ...entries,
    `8220${right(entries.length, 6)}${sums}1234567890${' '.repeat(25)}091000010000001`,
  ];
  const blocks = Math.ceil((records.length + 1) / 10);
  const control = `9${right(1, 6)}${right(blocks, 6)}${right(entries.length, 8)}${sums}${' '.repeat(39)}`;
  const fillers = Array.from({ length: blocks * 10 - records.length - 1 }, () => '9'.repeat(94));
  return [...records, control, ...fillers, ''].join('\n');
}

export type Pain001Options = {
  version?: '03' | '09';
  currency?: string;
  decimals?: number;
  prefix?: string;
  isSepa?: boolean;
  /** Text in place of what is made. */
  count?: string;
  sum?: string;
  method?: string;
  endToEnd?: (at: number) => string;
};

/** Credit transfers of ISO 20022 as pieces of text, so that a million of them are never held at once. */
export function* pain001Pieces(
  payments: Iterable<BankPayment>,
  totals: { count: number; sum: bigint },
  options: Pain001Options = {},
): Generator<string> {
  const { version = '03', currency = 'EUR', decimals = 2, prefix = '', isSepa = true, method = 'TRF' } = options;
  const { endToEnd = (at: number) => `E2E-${at}` } = options;
  const namespace = `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}`;
  const date = version === '03' ? '2026-11-30' : '<Dt>2026-11-30</Dt>';
  const bic = version === '03' ? 'BIC' : 'BICFI';
  const figures = `<NbOfTxs>${options.count ?? totals.count}</NbOfTxs><CtrlSum>${options.sum ?? major(totals.sum, decimals)}</CtrlSum>`;
  const kind = isSepa ? '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>' : '';
  const tags = (text: string) => (prefix === '' ? text : text.replace(/<(\/?)(?=[A-Z])/g, `<$1${prefix}:`));
  const xmlns = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield tags(`<Document ${xmlns}="${namespace}"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>MSG-1</MsgId><CreDtTm>2026-11-25T10:00:00</CreDtTm>${figures}<InitgPty><Nm>ACME GmbH</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>PMT-1</PmtInfId><PmtMtd>${method}</PmtMtd>${figures}${kind}<ReqdExctnDt>${date}</ReqdExctnDt>
<Dbtr><Nm>ACME GmbH</Nm></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>
<DbtrAgt><FinInstnId><${bic}>COBADEFFXXX</${bic}></FinInstnId></DbtrAgt>\n`);
  let at = 0;
  for (const { name, minor, account, bank, reference } of payments) {
    at++;
    const agent = bank === '' ? '' : `<CdtrAgt><FinInstnId><${bic}>${bank}</${bic}></FinInstnId></CdtrAgt>`;
    const iban = /^[A-Z]{2}\d\d/.test(account);
    const id = iban ? `<IBAN>${account}</IBAN>` : `<Othr><Id>${account}</Id></Othr>`;
    yield tags(`<CdtTrfTxInf><PmtId><EndToEndId>${escaped(endToEnd(at))}</EndToEndId></PmtId>
<Amt><InstdAmt Ccy="${currency}">${major(minor, decimals)}</InstdAmt></Amt>${agent}<Cdtr><Nm>${escaped(name)}</Nm></Cdtr>
<CdtrAcct><Id>${id}</Id></CdtrAcct>${reference === '' ? '' : `<RmtInf><Ustrd>${escaped(reference)}</Ustrd></RmtInf>`}</CdtTrfTxInf>\n`);
  }
  yield tags('</PmtInf></CstmrCdtTrfInitn></Document>\n');
}

export function pain001File(payments: readonly BankPayment[], options: Pain001Options = {}): string {
  return [...pain001Pieces(payments, { count: payments.length, sum: sumOf(payments) }, options)].join('');
}

function major(minor: bigint, decimals: number): string {
  const digits = right(minor, decimals + 1);
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
