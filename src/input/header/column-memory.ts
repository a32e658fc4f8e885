import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { LEGACY_NAMES, type LegacyEncoding } from '../source/encoding/encodings.ts';
import { type ExplicitColumn, type GivenHeader, isLetters, type MappedColumn } from './columns.ts';
import { headerIdentity } from './header-key.ts';
import { COLUMN_NAMES } from './synonyms.ts';

/** A person has a few dozen kinds of sheets; those that were mapped longest ago are forgotten first. */
export const HEADER_SETS_MAX = 500;

const FILE_BYTES_MAX = 8 * 1024 * 1024;

const OWNER_ONLY = 0o600;

const FILE = z.strictObject({
  version: z.literal(1),
  sets: z.array(
    z.strictObject({
      headers: z.array(z.string()),
      columns: z.array(z.strictObject({ header: z.string().min(1), column: z.enum(COLUMN_NAMES).nullable() })),
      currency: z.string().optional(),
      encoding: z.enum(LEGACY_NAMES).optional(),
      /** The headers in their order, where letters name columns. */
      order: z.array(z.string()).optional(),
    }),
  ),
});

type HeaderSet = z.output<typeof FILE>['sets'][number];

/** What people gave beside a header: what its cells mean, the currency of rows that name none, and the encoding of its text. */
export type Remembered = {
  columns: readonly ExplicitColumn[];
  currency?: string | undefined;
  encoding?: LegacyEncoding | undefined;
};

/** Why a file of mappings is not used. `cause`: what the system, or the check of its form, says. */
export type MemoryDamage = { why: 'too_large' } | { why: 'unreadable'; cause: string };

/** The mappings of people, by the set of headers of a sheet in any order, in a file in the data directory. */
export class ColumnMemory {
  readonly #path: string;
  readonly #sets: Map<string, HeaderSet>;
  #isChanged = false;
  /** Why what was in the file is not used, or null. */
  readonly damage: MemoryDamage | null;

  private constructor(path: string, sets: HeaderSet[], damage: MemoryDamage | null) {
    this.#path = resolve(path);
    this.#sets = new Map(sets.map((set) => [keyOf(set.headers), set]));
    this.damage = damage;
  }

  /** Reads the file. One that is absent is empty; so is one that cannot be understood, and `damage` is the reason. */
  static open(path: string): ColumnMemory {
    try {
      if (statSync(path).size > FILE_BYTES_MAX) return new ColumnMemory(path, [], { why: 'too_large' });
      const parsed = FILE.safeParse(JSON.parse(readFileSync(path, 'utf8')));
      if (parsed.success) return new ColumnMemory(path, parsed.data.sets, null);
      return new ColumnMemory(path, [], {
        why: 'unreadable',
        cause: z.prettifyError(parsed.error).split('\n')[0] ?? '',
      });
    } catch (error) {
      const isAbsent =
        error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
      const cause = error instanceof Error ? error.message : String(error);
      return new ColumnMemory(path, [], isAbsent ? null : { why: 'unreadable', cause });
    }
  }

  /** What was given beside these headers. */
  recall(headers: readonly string[]): Remembered {
    const { columns = [], order, currency, encoding }: Partial<HeaderSet> = this.#sets.get(keyOf(headers)) ?? {};
    const isInOrder = isDeepStrictEqual(order, headers.map(headerIdentity));
    return { columns: columns.filter(({ header }) => isInOrder || !hasLetters(header, headers)), currency, encoding };
  }

  /** Forgets the mapping of a sheet with these headers; whether there was one. */
  forget(headers: readonly string[]): boolean {
    const isKnown = this.#sets.delete(keyOf(headers));
    if (isKnown) this.#isChanged = true;
    return isKnown;
  }

  /** Adds to what is remembered of these headers. Of one header, and of one column, the last counts. */
  remember(headers: readonly string[], added: Remembered): void {
    if (added.columns.length === 0 && added.currency === undefined && added.encoding === undefined) return;
    const before = this.recall(headers);
    const kept = [...withoutReplaced(before.columns, added.columns), ...added.columns];
    const columns = kept.map(({ header, column }) => ({ header, column }));
    const { currency = before.currency, encoding = before.encoding } = added;
    const all = { columns, ...(currency !== undefined && { currency }), ...(encoding !== undefined && { encoding }) };
    const order = kept.some(({ header }) => hasLetters(header, headers)) && { order: headers.map(headerIdentity) };
    const key = keyOf(headers);
    if (isDeepStrictEqual({ columns, currency, encoding }, before)) return;
    this.#sets.delete(key);
    this.#sets.set(key, { headers: identitiesOf(headers), ...all, ...order });
    while (this.#sets.size > HEADER_SETS_MAX) this.#sets.delete(this.#sets.keys().next().value ?? key);
    this.#isChanged = true;
  }

  /**
   * Writes what changed, whole or not at all, for its owner alone. A file that could not be understood is put aside, not
   * written over. Throws the file system's error.
   */
  save(): void {
    if (!this.#isChanged) return;
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${process.pid}.tmp`;
    const text = `${JSON.stringify({ version: 1, sets: [...this.#sets.values()] }, null, 1)}\n`;
    try {
      rmSync(draft, { force: true });
      writeFileSync(draft, text, { flag: 'wx', mode: OWNER_ONLY, flush: true });
      if (this.damage !== null) renameSync(this.#path, `${this.#path}.damaged`);
      renameSync(draft, this.#path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    this.#isChanged = false;
  }
}

/** The earlier mappings, without those whose header or column has a newer one. */
export function withoutReplaced<Mapping extends ExplicitColumn>(
  before: readonly Mapping[],
  newer: readonly ExplicitColumn[],
): Mapping[] {
  const headers = new Set(newer.map(({ header }) => headerIdentity(header)));
  const columns = new Set(newer.map(({ column }) => column).filter((column) => column !== null));
  return before.filter(
    ({ header, column }) => !headers.has(headerIdentity(header)) && !(column !== null && columns.has(column)),
  );
}

/** What is given beside a row's cells, were it the header: by options, then by the job, then by memory. */
export function givenBeside(
  cells: readonly string[],
  given: { options: Remembered; job: Remembered },
  memory: Pick<ColumnMemory, 'recall'> | null,
): GivenHeader {
  const recalled = memory?.recall(cells) ?? { columns: [] };
  const options = given.options.columns.map((one): MappedColumn => ({ ...one, source: 'option' }));
  const job = withoutReplaced(given.job.columns, options).map((one): MappedColumn => ({ ...one, source: 'job' }));
  const explicit = [...options, ...job];
  const remembered = withoutReplaced(recalled.columns, explicit);
  const columns = [...explicit, ...remembered.map((one): MappedColumn => ({ ...one, source: 'remembered' }))];
  const [currency = null] = [
    { code: given.options.currency, source: 'option' as const },
    { code: given.job.currency, source: 'job' as const },
    { code: recalled.currency, source: 'remembered' as const },
  ].flatMap(({ code, source }) => (code === undefined ? [] : [{ code, source }]));
  return { columns, currency };
}

/** Letters mean another column where the headers stand in another order. */
function hasLetters(text: string, headers: readonly string[]): boolean {
  return text.split(/[+|]/).some((part) => isLetters(part, headers));
}

function identitiesOf(headers: readonly string[]): string[] {
  return [...new Set(headers.map(headerIdentity).filter((header) => header !== ''))].sort();
}

function keyOf(headers: readonly string[]): string {
  return JSON.stringify(identitiesOf(headers));
}
