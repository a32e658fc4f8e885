import { type Fault, fault } from '../../../../domain/problem.ts';
import type { OtherMessage } from '../../../../domain/problems/bank-file-problems.ts';
import type { RowFacts } from '../../../cells/cell-facts.ts';
import type { InputSource } from '../../file.ts';
import type { Table } from '../../table.ts';
import { bankTable, refusedTable } from '../bank-table.ts';
import { PAIN001, type Pain001 } from './pain001-model.ts';
import { Pain001Reader } from './pain001-reader.ts';
import { PAIN001_ELEMENTS, PAIN001_HEADER } from './payment-cells.ts';
import { xmlEncoding } from './xml-encoding.ts';

/** A payment that has all that is required is longer. */
const PAYMENT_BYTES = 256;

/** The number of payments that the message states, which is no more than a hint here. */
const NUMBER = /NbOfTxs>\s*(\d{1,7})\s*</;

/** What may come before the outermost element: the declaration, instructions and comments. */
const ROOT = /^\ufeff?\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-[^-])*-->\s*)*<((?:[A-Za-z_][\w.-]*:)?)([A-Za-z_][\w.-]*)([^>]*)/;

const DOCTYPE = /^\ufeff?\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-[^-])*-->\s*)*<!DOCTYPE/i;

/** The namespace of a message, and those of variants that banks made of one. */
const MESSAGE = /(?<=[:/])((?:pain|camt|pacs|acmt|admi|remt|seev|semt|sese|setr)\.\d{3}\.\d{3}\.\d{2}(?:\.[\w.]+)?)$/;

/** An XML file as a table of its payments; refused by name where it is another message, or none. */
export async function openXml(source: InputSource, head: Uint8Array): Promise<Table> {
  const encoding = xmlEncoding(head);
  if ('unread' in encoding) return refusedTable(source, fault('xml_encoding', { encoding: encoding.unread }));
  const begin = new TextDecoder(encoding.encoding).decode(head, { stream: true });
  if (DOCTYPE.test(begin)) return refusedTable(source, fault('xml_doctype'));
  const [, prefix = '', root = null, attributes = ''] = ROOT.exec(begin) ?? [];
  const found = root === 'Document' ? messageIn(attributes, prefix) : null;
  if (found === null) return refusedTable(source, fault('bank_file_unknown', { root: root ?? '?' }));
  if (!(found in PAIN001)) return refusedTable(source, otherMessage(found));
  const [, stated = null] = NUMBER.exec(begin) ?? [];
  const payments = { bytesLeast: PAYMENT_BYTES, stated: stated === null ? null : Number(stated) };
  return paymentsOf(
    source,
    { format: found as Pain001, payments },
    () => new Pain001Reader(found as Pain001, encoding, prefix),
  );
}

function paymentsOf(
  source: InputSource,
  known: { format: Pain001; payments: { bytesLeast: number; stated: number | null } },
  reader: () => Pain001Reader,
): Promise<Table> {
  const placeOf = (payment: number, at: number, facts: RowFacts | null) =>
    ({ in: 'payment', payment, line: facts?.line ?? 0, element: PAIN001_ELEMENTS[at] ?? null }) as const;
  return bankTable(source, { ...known, header: PAIN001_HEADER, placeOf }, reader);
}

/** The message by the namespace of the outermost element. */
function messageIn(attributes: string, prefix: string): string | null {
  const name = prefix === '' ? 'xmlns' : `xmlns:${prefix.slice(0, -1)}`;
  const namespace = new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1]?.trim();
  if (namespace === undefined) return null;
  const isStandard = namespace.startsWith('urn:iso:std:iso:20022:tech:xsd:');
  const [message = null] = MESSAGE.exec(namespace.replace(/\.xsd$/, '')) ?? [];
  return message !== null && !isStandard && message in PAIN001 ? `${message} (${namespace})` : message;
}

function otherMessage(name: string): Fault {
  return fault('iso_message_other', { message: name, kind: kindOf(name) });
}

function kindOf(name: string): OtherMessage {
  if (name.startsWith('pain.001.')) return 'other_version';
  if (name.startsWith('pain.008.')) return 'direct_debit';
  if (name.startsWith('pain.002.')) return 'status';
  return /^camt\.05[234]\./.test(name) ? 'statement' : 'other';
}
