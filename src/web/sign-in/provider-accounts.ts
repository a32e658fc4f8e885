import type { Inside } from '../../app/people/store/page-store.ts';

/** Who people are at the provider: a subject of an issuer is one person for ever, whatever it calls them. */
export class ProviderAccounts {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** The person of a subject; null where it is nobody's yet. */
  async personOf(issuer: string, subject: string): Promise<string | null> {
    const sql = 'SELECT person_id AS id FROM provider_account WHERE issuer = ? AND subject = ?';
    return (await this.#inside.store.get<{ id: string }>(sql, issuer, subject))?.id ?? null;
  }

  async isConnected(issuer: string, personId: string): Promise<boolean> {
    const sql = 'SELECT 1 FROM provider_account WHERE issuer = ? AND person_id = ?';
    return (await this.#inside.store.get(sql, issuer, personId)) !== undefined;
  }

  /** Throws where the subject or the person is connected already. */
  async connect(issuer: string, subject: string, personId: string): Promise<void> {
    await this.#inside.store.insert('provider_account', { issuer, subject, person_id: personId });
  }
}
