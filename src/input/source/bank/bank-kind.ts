/** The formats of bank files that are read. */
export const BANK_FORMATS = ['pain.001.001.03', 'pain.001.001.09', 'aba', 'bacs', 'nacha'] as const;
export type BankFormat = (typeof BANK_FORMATS)[number];

/** What a file is by its first bytes: XML of any kind, or records of fixed length. */
export type BankKind = 'xml' | FixedWidthKind;
export type FixedWidthKind = 'aba' | 'bacs' | 'nacha';

/** So many first bytes show what a file is. */
export const KIND_BYTES = 1_024;

/** A comment or an instruction may come before the outermost element, and its name may have a prefix. */
const XML = /^\s*<(?:\?xml\s|!--|!DOCTYPE\s|[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?[\s/>])/i;

/** What the first record of each begins with. Delimiters of tables are nowhere in the first fields. */
const FIRST_RECORDS: Readonly<Record<FixedWidthKind, RegExp>> = {
  /** A descriptive record: 17 blanks, and the number of the reel. */
  aba: /^0 {17}[ \d]{2}[A-Z ]{3}/,
  /** A file header: priority code, destination and origin, and the fixed sizes of records and blocks. */
  nacha: /^101[^,;\t|]{31}09410/,
  /** A label, or a payment: both accounts with the transaction code between them, and pence. */
  bacs: /^(?:VOL1|HDR1|UHL1)[^,;\t|]{20}|^\d{14}[ \d][0-9A-Z]{2}\d{14}[^,;\t|]{4}[ \d]{11}(?!\d)[^,;\t|]{20}/,
};

/** The kind of bank file that begins so, or null. */
export function bankKindOf(head: Uint8Array): BankKind | null {
  const text = beginOf(head.subarray(0, KIND_BYTES));
  if (XML.test(text)) return 'xml';
  const [first = ''] = text.split(/[\r\n]/, 1);
  const found = (Object.keys(FIRST_RECORDS) as FixedWidthKind[]).find((kind) => FIRST_RECORDS[kind].test(first));
  return found ?? null;
}

/** The text at the begin, in an encoding that does for markup and digits. */
function beginOf(head: Uint8Array): string {
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0))
    return new TextDecoder('utf-16le').decode(head);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c))
    return new TextDecoder('utf-16be').decode(head);
  return new TextDecoder('utf-8').decode(head);
}
