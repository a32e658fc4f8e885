import type { Inside } from '../../app/people/store/page-store.ts';
import type { NoticeEvent } from './choices.ts';

/** What a person is notified of in the page. `text` is a sentence that names no payee; `at` and `readAt` are Unix ms. */
export type PageNotice = { runId: string; text: string; isRehearsal: boolean; at: number; readAt: number | null };

/** Something to note: the key says of what, and which event of it. */
type Noted = { key: string; event: NoticeEvent; runId: string; text: string; isRehearsal: boolean };

/** Notices of a person that are shown, newest first. */
export const NOTICES_SHOWN = 100;

/** The key of the row that says that a person was first looked for. */
const BEGUN = '';

/** What there is still to do for somebody who comes anew: everything else of before is no news to them. */
const STILL_TO_DO: ReadonlySet<NoticeEvent> = new Set(['waiting', 'changed_details']);

type Row = { run_id: string; text: string; rehearsal: number; at: number; read_at: number | null };

/** The notices of each person, each once. */
export class Inbox {
  readonly #inside: Inside;
  /** By person, the keys that are noted, as far as this process knows. */
  readonly #noted = new Map<string, Set<string>>();

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** Notes what is not noted yet. Of what there was before a person was first looked for, only what there is still to do is unread. */
  async add(personId: string, news: readonly Noted[]): Promise<void> {
    const noted = await this.#notedOf(personId);
    const isFirst = !noted.has(BEGUN);
    const fresh = news.filter(({ key }) => !noted.has(key));
    if (fresh.length === 0 && !isFirst) return;
    const old = (one: Noted) => isFirst && !STILL_TO_DO.has(one.event);
    await this.#insert(personId, fresh.filter(old), true);
    await this.#insert(
      personId,
      fresh.filter((one) => !old(one)),
      false,
    );
    if (isFirst) await this.#insert(personId, [BEGUN_NOTICE], true);
  }

  /** Notes what a person knows already. */
  skip(personId: string, news: readonly Noted[]): Promise<void> {
    return this.#insert(personId, news, true);
  }

  /** The newest, as far as they are shown. */
  async of(personId: string): Promise<PageNotice[]> {
    const sql = `SELECT run_id, text, rehearsal, at, read_at FROM page_notice
      WHERE person_id = ? AND at > 0 ORDER BY at DESC, key LIMIT ?`;
    const rows = await this.#inside.store.all<Row>(sql, personId, NOTICES_SHOWN);
    return rows.map(({ run_id: runId, text, rehearsal, at, read_at }) => {
      const readAt = read_at === null ? null : Number(read_at);
      return { runId, text, isRehearsal: Number(rehearsal) === 1, at: Number(at), readAt };
    });
  }

  /** The payments of which there are notices that this person has not read: one for each notice. */
  async unread(personId: string): Promise<string[]> {
    const sql = 'SELECT run_id FROM page_notice WHERE person_id = ? AND read_at IS NULL';
    return (await this.#inside.store.all<{ run_id: string }>(sql, personId)).map(({ run_id }) => run_id);
  }

  /** Of one payment, or of all. */
  async markRead(personId: string, runId: string | null): Promise<void> {
    const { store, clock } = this.#inside;
    const sql = 'UPDATE page_notice SET read_at = ? WHERE person_id = ? AND read_at IS NULL';
    if (runId === null) await store.run(sql, clock.wallMs(), personId);
    else await store.run(`${sql} AND run_id = ?`, clock.wallMs(), personId, runId);
  }

  async #insert(personId: string, news: readonly Noted[], isKnown: boolean): Promise<void> {
    if (news.length === 0) return;
    const { store, clock } = this.#inside;
    const now = clock.wallMs();
    const sql = `INSERT INTO page_notice (person_id, key, run_id, text, rehearsal, at, read_at) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (person_id, key) DO NOTHING`;
    await store.transaction(async () => {
      for (const { key, runId, text, isRehearsal } of news)
        await store.run(sql, personId, key, runId, text, Number(isRehearsal), isKnown ? 0 : now, isKnown ? now : null);
    });
    const noted = await this.#notedOf(personId);
    for (const { key } of news) noted.add(key);
  }

  async #notedOf(personId: string): Promise<Set<string>> {
    const known = this.#noted.get(personId);
    if (known !== undefined) return known;
    const sql = 'SELECT key FROM page_notice WHERE person_id = ?';
    const noted = new Set((await this.#inside.store.all<{ key: string }>(sql, personId)).map(({ key }) => key));
    this.#noted.set(personId, noted);
    return noted;
  }
}

const BEGUN_NOTICE: Noted = { key: BEGUN, event: 'waiting', runId: '', text: '', isRehearsal: false };
