import type { z } from 'zod';
import { ENTRIES, type Entry, type EntryKind } from '../domain/entry.ts';
import { SchemaReader } from '../domain/lazy/schema-reader.ts';
import type { EntryTextFault } from '../domain/outcomes/journal-damage.ts';
import { assert, Bug } from '../domain/refusal.ts';

/** Longest text of one entry, in UTF-16 units. A `rows` entry of 256 rows has about 100,000. */
export const ENTRY_TEXT_MAX = 16 * 1024 * 1024;

/** An entry as the journal stores it. The text is what is hashed, verbatim. */
export type EncodedEntry = { kind: EntryKind; row: number | null; data: string };

/**
 * The text of an entry. Throws `Bug` where the entry is not one that `decodeEntry` reads back: what cannot be read
 * must never be written, because a run with such an entry could not be resumed.
 */
export function encodeEntry(entry: Entry): EncodedEntry {
  const reader = readerOf(entry.kind);
  assert(reader, `entry of the unknown kind ${String(entry.kind)}`);
  const parsed = reader.read(entry);
  if (!parsed.success) throw new Bug(`a ${entry.kind} entry is not well formed: ${whatIsWrong(parsed.error)}`);
  const data = JSON.stringify(entry);
  assert(data.length <= ENTRY_TEXT_MAX, `a ${entry.kind} entry is longer than ${ENTRY_TEXT_MAX}`);
  return { kind: entry.kind, row: rowOf(entry), data };
}

export type DecodedEntry = { ok: true; entry: Entry } | { ok: false; why: EntryTextFault };

/** Reads an entry back, or why the text is none: by places and never by values, because entries hold account numbers. */
export function decodeEntry(data: string): DecodedEntry {
  const value = parseJson(data);
  if (value === undefined) return { ok: false, why: { text: 'no_json' } };
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : undefined;
  const reader = readerOf(kind);
  if (!reader) return { ok: false, why: { text: 'unknown_kind' } };
  const parsed = reader.read(value);
  if (!parsed.success) return { ok: false, why: { text: 'malformed', problem: whatIsWrong(parsed.error) } };
  return { ok: true, entry: parsed.data };
}

/** The payout that an entry is about, or null. */
export function rowOf(entry: Entry): number | null {
  return 'row' in entry ? entry.row : null;
}

const readers = new Map<string, SchemaReader<Entry>>();

function readerOf(kind: unknown): SchemaReader<Entry> | undefined {
  if (typeof kind !== 'string' || !Object.hasOwn(ENTRIES, kind)) return undefined;
  const known = readers.get(kind);
  if (known) return known;
  const reader = new SchemaReader(ENTRIES[kind as EntryKind] as z.ZodType<Entry>);
  readers.set(kind, reader);
  return reader;
}

/** Undefined for what is no JSON: the parser's own message quotes the text, which may be an account number. */
function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function whatIsWrong(error: z.ZodError): string {
  const issues = error.issues.slice(0, 3).map((issue) => `${issue.code} at ${issue.path.join('.') || 'its top'}`);
  return issues.join(', ');
}
