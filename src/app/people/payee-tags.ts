import { comparable } from '../../domain/payee.ts';
import type { Inside } from './store/page-store.ts';

/** Characters of a tag, and tags of a payee. */
export const TAG_MAX = 32;
export const TAGS_OF_A_PAYEE_MAX = 10;

/** By payee (`payeeHash`), in alphabetical order. */
export type TagsByPayee = ReadonlyMap<string, readonly string[]>;

type Row = { payee: string; tag: string };

/** Words by which people group recipients. They change nothing of what is paid. */
export class PayeeTags {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  async all(): Promise<TagsByPayee> {
    const rows = await this.#inside.store.all<Row>('SELECT payee, tag FROM payee_tag ORDER BY payee, tag_key');
    const tags = new Map<string, string[]>();
    for (const { payee, tag } of rows) {
      const own = tags.get(payee);
      if (own === undefined) tags.set(payee, [tag]);
      else own.push(tag);
    }
    return tags;
  }

  /** `tag` as `cleanTag` gives it. One that differs only in its case is the same, and keeps its spelling. */
  async add(payee: string, tag: string, personId: string): Promise<'added' | 'there' | 'full'> {
    const { store, clock } = this.#inside;
    return store.transaction(async () => {
      const own = await store.all<{ tag_key: string }>('SELECT tag_key FROM payee_tag WHERE payee = ?', payee);
      const tag_key = tagKey(tag);
      if (own.some((one) => one.tag_key === tag_key)) return 'there';
      if (own.length >= TAGS_OF_A_PAYEE_MAX) return 'full';
      await store.insert('payee_tag', { payee, tag_key, tag, added_at: clock.wallMs(), added_by: personId });
      return 'added';
    });
  }

  /** False where the payee has no such tag. */
  async remove(payee: string, tag: string): Promise<boolean> {
    const sql = 'DELETE FROM payee_tag WHERE payee = ? AND tag_key = ?';
    return (await this.#inside.store.run(sql, payee, tagKey(tag))) === 1;
  }
}

/** By which tags are the same. */
export function tagKey(tag: string): string {
  return comparable(tag);
}

/** What somebody typed, as one line; null where that is empty or too long. */
export function cleanTag(typed: string): string | null {
  const tag = typed
    .normalize('NFC')
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return tag === '' || [...tag].length > TAG_MAX ? null : tag;
}
