import { z } from 'zod';
import { sha256 } from '../../domain/hashing.ts';
import { COLUMN_NAMES, type ColumnName } from '../../input/header/synonyms.ts';
import { nameKey } from './people.ts';
import { type Inside, randomId } from './store/page-store.ts';

/** More layouts are refused: they are listed whole. */
export const LAYOUTS_MAX = 200;

/** What each header maps to, by the header as it is compared (`headerIdentity`); null where it is not used. */
export type LayoutColumns = Readonly<Record<string, ColumnName | null>>;

/** `savedAt`: Unix ms. */
export type FileLayout = { id: string; name: string; columns: LayoutColumns; savedAt: number; savedBy: string };

const layoutColumns = z.record(z.string(), z.enum(COLUMN_NAMES).nullable());

type Row = Omit<FileLayout, 'columns'> & { columns: string };

const LAYOUT = 'SELECT id, name, columns, saved_at AS "savedAt", saved_by AS "savedBy" FROM file_layout';

/** What the headers of files map to, by names that people gave. There is one for each set of headers. */
export class FileLayouts {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** By name. */
  list(): Promise<FileLayout[]> {
    return this.#find('ORDER BY name_key');
  }

  async get(id: string): Promise<FileLayout | null> {
    return (await this.#find('WHERE id = ?', id))[0] ?? null;
  }

  /** The one of exactly these headers, as they are compared. */
  async ofHeaders(headers: Iterable<string>): Promise<FileLayout | null> {
    return (await this.#find('WHERE headers = ?', headersKey(headers)))[0] ?? null;
  }

  /** In the place of the one with the same headers, if there is one. Where another has that name, or there are too many, nothing is saved. */
  async save(name: string, columns: LayoutColumns, personId: string): Promise<'saved' | 'taken' | 'full'> {
    const { store, clock, randomness } = this.#inside;
    return store.transaction(async () => {
      const before = await this.ofHeaders(Object.keys(columns));
      if (await this.#isTaken(name, before?.id ?? '')) return 'taken';
      const saved = { ...named(name), columns: JSON.stringify(columns), saved_at: clock.wallMs(), saved_by: personId };
      if (before !== null) await store.run('DELETE FROM file_layout WHERE id = ?', before.id);
      else if ((await this.list()).length >= LAYOUTS_MAX) return 'full';
      const id = before?.id ?? randomId(randomness);
      await store.insert('file_layout', { id, headers: headersKey(Object.keys(columns)), ...saved });
      return 'saved';
    });
  }

  async rename(id: string, name: string): Promise<'renamed' | 'taken' | 'gone'> {
    const { store } = this.#inside;
    return store.transaction(async () => {
      if (await this.#isTaken(name, id)) return 'taken';
      const sql = 'UPDATE file_layout SET name = ?, name_key = ? WHERE id = ?';
      const { name: trimmed, name_key } = named(name);
      return (await store.run(sql, trimmed, name_key, id)) === 1 ? 'renamed' : 'gone';
    });
  }

  /** False where there is none. */
  async remove(id: string): Promise<boolean> {
    return (await this.#inside.store.run('DELETE FROM file_layout WHERE id = ?', id)) === 1;
  }

  async #isTaken(name: string, id: string): Promise<boolean> {
    return (await this.#find('WHERE name_key = ? AND id <> ?', nameKey(name), id)).length > 0;
  }

  async #find(where: string, ...values: string[]): Promise<FileLayout[]> {
    const rows = await this.#inside.store.all<Row>(`${LAYOUT} ${where}`, ...values);
    return rows.map((row) => ({ ...row, columns: layoutColumns.parse(JSON.parse(row.columns)) }));
  }
}

function named(name: string): { name: string; name_key: string } {
  return { name: name.trim(), name_key: nameKey(name) };
}

/** A hash: PostgreSQL indexes no text of several KB. */
function headersKey(headers: Iterable<string>): string {
  return sha256(JSON.stringify([...new Set(headers)].sort()));
}
