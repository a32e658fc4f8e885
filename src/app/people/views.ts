import { isOffered } from '../../messages/translate.ts';
import { ANYBODY, isTimeZone, type Language, type Viewer } from '../../messages/viewer.ts';
import type { Inside } from './store/page-store.ts';

/** How a person reads the page. Null is what they have not chosen: the browser says the language then, and the time is in UTC. */
export type View = { language: Language | null; timeZone: string | null };

const NOTHING_CHOSEN: View = { language: null, timeZone: null };

/** In which language and time zone each person reads the page. */
export class Views {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** What another version of payrun kept and this one does not know counts as not chosen. */
  async of(personId: string): Promise<View> {
    const sql = 'SELECT language, time_zone AS "timeZone" FROM person_view WHERE person_id = ?';
    const row = await this.#inside.store.get<{ [Name in keyof View]: string | null }>(sql, personId);
    if (row === undefined) return NOTHING_CHOSEN;
    return {
      language: row.language !== null && isOffered(row.language) ? row.language : null,
      timeZone: row.timeZone !== null && isTimeZone(row.timeZone) ? row.timeZone : null,
    };
  }

  /** How the person reads; `otherwise` what they have not chosen. */
  async viewer(personId: string, otherwise = ANYBODY): Promise<Viewer> {
    const { language, timeZone } = await this.of(personId);
    return { language: language ?? otherwise.language, timeZone: timeZone ?? otherwise.timeZone };
  }

  async set(personId: string, { language, timeZone }: View): Promise<void> {
    const sql = `INSERT INTO person_view (person_id, language, time_zone) VALUES (?, ?, ?)
      ON CONFLICT (person_id) DO UPDATE SET language = excluded.language, time_zone = excluded.time_zone`;
    await this.#inside.store.run(sql, personId, language, timeZone);
  }
}
