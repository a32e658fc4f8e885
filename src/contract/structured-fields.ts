import { Buffer } from 'node:buffer';

/** Items of RFC 8941, on which RFC 9421 and RFC 9530 are defined. Types that RFC 9651 added are refused. */
export type BareItem =
  | { type: 'string'; value: string }
  | { type: 'token'; value: string }
  | { type: 'integer'; value: number }
  | { type: 'decimal'; value: number }
  | { type: 'boolean'; value: boolean }
  | { type: 'bytes'; value: Uint8Array };

export type Parameters = ReadonlyMap<string, BareItem>;
export type Item = { kind: 'item'; value: BareItem; parameters: Parameters };
export type InnerList = { kind: 'list'; items: Item[]; parameters: Parameters };
export type Dictionary = ReadonlyMap<string, Item | InnerList>;

/** Node reads headers of 16 KiB in all; what we need has a quarter of a kibibyte. */
const TEXT_LENGTH_MAX = 8 * 1024;
const MEMBERS_MAX = 32;

/**
 * Parses a dictionary (RFC 8941 section 4.2.2), or null for anything else. Stricter than the RFC in two places: a key
 * that comes twice is refused instead of the last one winning, and base64 has to be canonical, so that no two texts
 * mean the same signature. At most 8,192 characters, and 32 members, list items or parameters each. Never throws.
 */
export function parseDictionary(text: string): Dictionary | null {
  if (text.length > TEXT_LENGTH_MAX) return null;
  const reader: Reader = { text, at: 0 };
  try {
    take(reader, SPACES);
    return readMembers(reader);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

/** A string item: printable ASCII in quotes (RFC 8941 section 4.1.6). The caller has checked the characters. */
export function serialiseString(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** Whether every character of `value` can be in a string item. */
export function isPrintableAscii(value: string): boolean {
  return /^[\x20-\x7e]*$/.test(value);
}

type Reader = { readonly text: string; at: number };

class Malformed extends Error {}

const SPACES = / */y;
const BLANKS = /[ \t]*/y;
const KEY = /[a-z*][a-z0-9_.*-]*/y;
const STRING = /"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/y;
const NUMBER = /-?(?:\d{1,12}\.\d{1,3}|\d{1,15})(?![\d.])/y;
const BYTES = /:([A-Za-z0-9+/]*={0,2}):/y;
const BOOLEAN = /\?[01]/y;
const TOKEN = /[A-Za-z*][!#$%&'*+\-.^_`|~0-9A-Za-z:/]*/y;

/** Reads to the end of the text, blanks at the end included, or throws. */
function readMembers(reader: Reader): Dictionary {
  const members = new Map<string, Item | InnerList>();
  while (reader.at < reader.text.length) {
    const key = need(reader, KEY);
    const member = skip(reader, '=') ? readMember(reader) : present(readParameters(reader));
    put(members, key, member);
    take(reader, BLANKS);
    if (reader.at === reader.text.length) break;
    if (!skip(reader, ',')) throw new Malformed();
    take(reader, BLANKS);
    // A comma at the end announces a member that is not there.
    if (reader.at === reader.text.length) throw new Malformed();
  }
  return members;
}

function readMember(reader: Reader): Item | InnerList {
  return skip(reader, '(') ? readInnerList(reader) : readItem(reader);
}

function readInnerList(reader: Reader): InnerList {
  const items: Item[] = [];
  while (items.length <= MEMBERS_MAX) {
    take(reader, SPACES);
    if (skip(reader, ')')) return { kind: 'list', items, parameters: readParameters(reader) };
    items.push(readItem(reader));
    const next = reader.text[reader.at];
    if (next !== ' ' && next !== ')') throw new Malformed();
  }
  throw new Malformed();
}

function readItem(reader: Reader): Item {
  return { kind: 'item', value: readBareItem(reader), parameters: readParameters(reader) };
}

function readParameters(reader: Reader): Parameters {
  const parameters = new Map<string, BareItem>();
  while (skip(reader, ';')) {
    take(reader, SPACES);
    const key = need(reader, KEY);
    put(parameters, key, skip(reader, '=') ? readBareItem(reader) : TRUE);
  }
  return parameters;
}

function readBareItem(reader: Reader): BareItem {
  const first = reader.text[reader.at];
  if (first === '"') {
    return { type: 'string', value: need(reader, STRING).slice(1, -1).replace(/\\(.)/g, '$1') };
  }
  if (first === ':') return { type: 'bytes', value: canonicalBytes(need(reader, BYTES).slice(1, -1)) };
  if (first === '?') return { type: 'boolean', value: need(reader, BOOLEAN) === '?1' };
  const number = take(reader, NUMBER);
  if (number !== null) return { type: number.includes('.') ? 'decimal' : 'integer', value: Number(number) };
  return { type: 'token', value: need(reader, TOKEN) };
}

function canonicalBytes(base64: string): Uint8Array {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw new Malformed();
  return bytes;
}

const TRUE: BareItem = Object.freeze({ type: 'boolean', value: true });

function present(parameters: Parameters): Item {
  return { kind: 'item', value: TRUE, parameters };
}

function put<Value>(into: Map<string, Value>, key: string, value: Value): void {
  if (into.has(key) || into.size === MEMBERS_MAX) throw new Malformed();
  into.set(key, value);
}

function need(reader: Reader, pattern: RegExp): string {
  const found = take(reader, pattern);
  if (found === null) throw new Malformed();
  return found;
}

/** What matches exactly here, or null. Every pattern is sticky and has no two ways to match, so none backtracks. */
function take(reader: Reader, pattern: RegExp): string | null {
  const start = reader.at;
  pattern.lastIndex = start;
  if (!pattern.test(reader.text)) return null;
  reader.at = pattern.lastIndex;
  return reader.text.slice(start, reader.at);
}

function skip(reader: Reader, character: string): boolean {
  if (reader.text[reader.at] !== character) return false;
  reader.at += 1;
  return true;
}
