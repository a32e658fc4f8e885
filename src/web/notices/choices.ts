import { z } from 'zod';
import type { Inside } from '../../app/people/store/page-store.ts';

/** What people can be notified of, in the order in which they choose. */
export const NOTICE_EVENTS = ['waiting', 'changed_details', 'failed', 'unresolved', 'returned', 'stopped'] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** Where one person has mails sent, and about what. */
export type Choice = { address: string; events: readonly NoticeEvent[] };

const event = z.enum(NOTICE_EVENTS);

type Row = { person_id: string; address: string; events: string };

/** Who wants a mail about what. */
export class Choices {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** By person. */
  async all(): Promise<Map<string, Choice>> {
    const rows = await this.#inside.store.all<Row>('SELECT person_id, address, events FROM notice_choice');
    return new Map(rows.map((row) => [row.person_id, { address: row.address, events: readEvents(row.events) }]));
  }

  async of(personId: string): Promise<Choice | null> {
    return (await this.all()).get(personId) ?? null;
  }

  /** By person, what they are notified of in the page: of everything, where they are not in it. */
  async inPage(): Promise<Map<string, readonly NoticeEvent[]>> {
    const rows = await this.#inside.store.all<Omit<Row, 'address'>>('SELECT person_id, events FROM page_notice_choice');
    return new Map(rows.map((row) => [row.person_id, readEvents(row.events)]));
  }

  async setInPage(personId: string, events: readonly NoticeEvent[]): Promise<void> {
    const sql = `INSERT INTO page_notice_choice (person_id, events) VALUES (?, ?)
      ON CONFLICT (person_id) DO UPDATE SET events = excluded.events`;
    await this.#inside.store.run(sql, personId, JSON.stringify(events));
  }

  /** No events end the mails. */
  async set(personId: string, { address, events }: Choice): Promise<void> {
    const { store, clock } = this.#inside;
    if (events.length === 0) {
      await store.run('DELETE FROM notice_choice WHERE person_id = ?', personId);
      return;
    }
    const sql = `INSERT INTO notice_choice (person_id, address, events, changed_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (person_id) DO UPDATE SET address = excluded.address, events = excluded.events, changed_at = excluded.changed_at`;
    await store.run(sql, personId, address, JSON.stringify(events), clock.wallMs());
  }
}

/** Those that this version knows. */
function readEvents(json: string): NoticeEvent[] {
  const events: unknown[] = z.array(z.unknown()).parse(JSON.parse(json));
  return events.flatMap((one) => event.safeParse(one).data ?? []);
}
