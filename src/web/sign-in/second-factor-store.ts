import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { type Inside, randomId } from '../../app/people/store/page-store.ts';
import { Seal } from './seal.ts';
import type { Session } from './sessions.ts';
import { SECRET_BYTES, stepOfCode } from './totp.ts';

const RECOVERY_CODES = 10;
const CODE = /^\d{6}$/;
const REQUIRED = 'second_factor';

type AppRow = { secret: string; shownIn: string; confirmedAt: number | null };

/** Whose secret it is, in which of their sessions. */
type Opener = Pick<Session, 'key' | 'personId' | 'passphrase'>;

/** What a code was: one of the app, or one for who has lost it. */
export type CodeKind = 'app' | 'recovery_code';

/**
 * The authenticator app of each person, codes for who has lost it, and whether everybody needs a second factor. The secret of an
 * app is encrypted with the passphrase that only the person's password yields, so that a copy of the disk makes no codes; of
 * recovery codes only the SHA-256 is kept, of 80 random bits each.
 */
export class SecondFactors {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** Whether everybody signs in with a second factor. */
  async isRequired(): Promise<boolean> {
    const found = await this.#inside.store.get('SELECT 1 FROM page_setting WHERE name = ?', REQUIRED);
    return found !== undefined;
  }

  async require(isRequired: boolean): Promise<void> {
    const { store } = this.#inside;
    await store.run('DELETE FROM page_setting WHERE name = ?', REQUIRED);
    if (isRequired) await store.insert('page_setting', { name: REQUIRED, value: 'required' });
  }

  /** Whether codes of an app are asked of this person. */
  async hasApp(personId: string): Promise<boolean> {
    return ((await this.#app(personId))?.confirmedAt ?? null) !== null;
  }

  /** How many recovery codes are left. */
  async codesLeft(personId: string): Promise<number> {
    const sql = 'SELECT code_hash FROM recovery_code WHERE person_id = ?';
    return (await this.#inside.store.all(sql, personId)).length;
  }

  /**
   * The secret that an app is to have, the same in this session until a code confirms it: another session gets another one, so
   * that nobody confirms a secret that somebody else has seen. The person must have no app yet.
   */
  async prepare({ personId, passphrase, key }: Opener): Promise<Uint8Array> {
    const { store, randomness } = this.#inside;
    return store.transaction(async () => {
      const before = await this.#app(personId);
      if (before !== null && (before.shownIn === key || before.confirmedAt !== null))
        return this.#open(before, passphrase);
      const secret = randomness.bytes(SECRET_BYTES);
      const sealed = this.#seal(passphrase).close(Buffer.from(secret).toString('base64url'));
      await store.run('DELETE FROM authenticator_app WHERE person_id = ?', personId);
      const shown = { person_id: personId, secret: sealed, shown_in: key, last_step: 0 };
      await store.insert('authenticator_app', shown);
      return secret;
    });
  }

  /** Confirms the app by its first code, and gives new recovery codes, to be shown once; null where the code is not right. */
  async confirm({ personId, passphrase, key }: Opener, typed: string): Promise<string[] | null> {
    const { store, clock, randomness } = this.#inside;
    return store.transaction(async () => {
      const app = await this.#app(personId);
      if (app === null || app.confirmedAt !== null || app.shownIn !== key) return null;
      if (!(await this.#takeAppCode(personId, passphrase, codeOf(typed)))) return null;
      await store.run('UPDATE authenticator_app SET confirmed_at = ? WHERE person_id = ?', clock.wallMs(), personId);
      await store.run('DELETE FROM recovery_code WHERE person_id = ?', personId);
      const codes = Array.from({ length: RECOVERY_CODES }, () => randomId(randomness));
      for (const each of codes) await store.insert('recovery_code', { code_hash: codeHash(each), person_id: personId });
      return codes.map((each) => (each.match(/.{4}/g) ?? []).join('-'));
    });
  }

  /** What this code of a person is, who has an app; null where it is none, or was used. Each counts once, on however many hosts. */
  async take(personId: string, passphrase: string, typed: string): Promise<CodeKind | null> {
    const code = codeOf(typed);
    if (!(await this.hasApp(personId))) return null;
    if (CODE.test(code)) return (await this.#takeAppCode(personId, passphrase, code)) ? 'app' : null;
    const sql = 'DELETE FROM recovery_code WHERE person_id = ? AND code_hash = ?';
    return (await this.#inside.store.run(sql, personId, codeHash(code))) === 1 ? 'recovery_code' : null;
  }

  /** The app and the recovery codes are gone: by the person's wish, or as a new password cannot open the secret. */
  async remove(personId: string): Promise<boolean> {
    const { store } = this.#inside;
    return store.transaction(async () => {
      await store.run('DELETE FROM recovery_code WHERE person_id = ?', personId);
      return (await store.run('DELETE FROM authenticator_app WHERE person_id = ?', personId)) === 1;
    });
  }

  /** The password was changed: the secret is encrypted with what the new one yields. */
  async reseal(personId: string, passphrases: { from: string; to: string }): Promise<void> {
    const app = await this.#app(personId);
    if (app === null) return;
    const secret = this.#seal(passphrases.from).open(app.secret);
    const sql = 'UPDATE authenticator_app SET secret = ? WHERE person_id = ?';
    await this.#inside.store.run(sql, this.#seal(passphrases.to).close(secret), personId);
  }

  async #takeAppCode(personId: string, passphrase: string, code: string): Promise<boolean> {
    const { store, clock } = this.#inside;
    const app = await this.#app(personId);
    const step = app && stepOfCode(this.#open(app, passphrase), code, clock.wallMs());
    if (step === null) return false;
    const sql = 'UPDATE authenticator_app SET last_step = ? WHERE person_id = ? AND last_step < ?';
    return (await store.run(sql, step, personId, step)) === 1;
  }

  async #app(personId: string): Promise<AppRow | null> {
    const sql =
      'SELECT secret, shown_in AS "shownIn", confirmed_at AS "confirmedAt" FROM authenticator_app WHERE person_id = ?';
    return (await this.#inside.store.get<AppRow>(sql, personId)) ?? null;
  }

  #open({ secret }: AppRow, passphrase: string): Uint8Array {
    return Buffer.from(this.#seal(passphrase).open(secret), 'base64url');
  }

  #seal(passphrase: string): Seal {
    return new Seal(passphrase, this.#inside.randomness, 'authenticator app');
  }
}

/** People type blanks and hyphens between. */
function codeOf(typed: string): string {
  return typed.replace(/[\s-]/g, '').toLowerCase();
}

function codeHash(code: string): string {
  return hash('sha256', code, 'base64url');
}
