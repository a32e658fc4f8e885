import { rmSync } from 'node:fs';
import { assert } from '../../domain/refusal.ts';
import { publicKeyTexts, type SigningKey } from '../../keys/ed25519.ts';
import type { PassphraseWork } from '../../keys/encrypted-key-file.ts';
import type { Person, Secrets } from '../people/people.ts';
import type { Web } from '../web.ts';

type Proven =
  | { ok: true; person: Person /** Opens the person's key file. */; passphrase: string }
  | { ok: false /** What to tell, and when to try again. */; what: string; retryAfterSeconds: number | null };

const WRONG = 'That is not the right name and password, or the account is locked.';

/**
 * Whether somebody is who they say: the one way in which a password is ever checked. The answer and the work are the same
 * whether there is such a person or not; wrong ones are followed by pauses that grow.
 */
async function provePassword(
  web: Web,
  name: string,
  password: string,
  address: string | null,
  whom = `name ${name.normalize('NFKC').trim().toLowerCase().slice(0, 64)}`,
): Promise<Proven> {
  const { people, passwords, attempts } = web;
  const waitMs = attempts.begin(whom, address);
  if (waitMs > 0) return tooOften(waitMs);
  const person = people.byName(name);
  const kept = person === null || person.lockedAt !== null ? null : people.kept(person.id);
  const isRight = await passwords.isRight(password, kept?.password ?? null);
  if (!isRight || person === null || kept === null) return { ok: false, what: WRONG, retryAfterSeconds: null };
  attempts.succeeded(whom, address);
  return { ok: true, person, passphrase: await passwords.passphrase(password, kept.keySalt) };
}

/**
 * The same at the sign-in. A browser in which this person has signed in before is counted by itself: wrong passwords that others
 * type for the name, or behind the same address, do not keep its owner out.
 */
export async function proveAtSignIn(
  web: Web,
  {
    name,
    password,
    address,
    deviceToken,
  }: { name: string; password: string; address: string; deviceToken: string | null },
): Promise<Proven> {
  const person = web.people.byName(name);
  const device = person === null || deviceToken === null ? null : web.devices.find(deviceToken, person.id);
  return device === null
    ? provePassword(web, name, password, address)
    : provePassword(web, name, password, null, `device ${device}`);
}

/**
 * The same for a person who has signed in, before an act that nobody else at their screen may do: approving, above all. It is
 * counted by itself, so that nobody who writes their name at the sign-in, or guesses behind the same address, keeps them from it.
 */
export async function proveAgain(web: Web, person: Person, password: string): Promise<Proven> {
  const proven = await provePassword(web, person.name, password, null, `again ${person.id}`);
  return proven.ok || proven.retryAfterSeconds !== null
    ? proven
    : { ...proven, what: 'That is not your password. Nothing was done.' };
}

function tooOften(waitMs: number): Proven {
  const seconds = Math.ceil(waitMs / 1_000);
  const words =
    seconds < 60 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`;
  return {
    ok: false,
    what: `The password was wrong too often. Wait ${words}, then try again.`,
    retryAfterSeconds: seconds,
  };
}

/** The passphrase comes from Argon2id already. */
const WORK: PassphraseWork = 'derived';

/** What is to be kept of a person's new password, and the passphrase that opens their key file. */
export type NewSecrets = { secrets: Secrets; passphrase: string; discard(): void };

/** A password and a new key that it opens; `discard` where they are not to be used after all. */
export async function newSecrets(web: Web, password: string): Promise<NewSecrets> {
  const { createEncryptedKeyFile } = await import('../../keys/encrypted-key-file.ts');
  return secretsOf(web, password, ({ path, passphrase }) =>
    createEncryptedKeyFile(path, passphrase, web.deps.randomness, WORK),
  );
}

/**
 * A new password for the same key: a new file beside the old one, which is removed when the new one is known, so that
 * there is no moment in which neither password opens a key.
 */
export async function changedSecrets(
  web: Web,
  { keyFile }: Person,
  passphraseNow: string,
  password: string,
): Promise<NewSecrets> {
  assert(keyFile !== null, 'somebody with a password and no key');
  const { reencryptKeyFile } = await import('../../keys/encrypted-key-file.ts');
  return secretsOf(web, password, (to) => reencryptKeyFile({ path: keyFile, passphrase: passphraseNow }, to, WORK));
}

async function secretsOf(
  { people, passwords }: Web,
  password: string,
  writeKey: (to: { path: string; passphrase: string }) => Promise<SigningKey>,
): Promise<NewSecrets> {
  const keySalt = passwords.newSalt();
  const passphrase = await passwords.passphrase(password, keySalt);
  const keyFile = people.newKeyFile();
  const path = people.keyPath(keyFile);
  const { publicKey } = await writeKey({ path, passphrase });
  const { base64url } = publicKeyTexts(publicKey);
  return {
    secrets: { password: await passwords.keep(password), keySalt, keyFile, publicKey: base64url },
    passphrase,
    discard: () => rmSync(path, { force: true }),
  };
}

export function removeKeyFile(person: Person): void {
  if (person.keyFile !== null) rmSync(person.keyFile, { force: true });
}
