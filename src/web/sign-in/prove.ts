import { nameKey, type Person, type Secrets } from '../../app/people/people.ts';
import { createPersonKey, type PersonKeyFile, relockPersonKey } from '../../app/people/person-key.ts';
import { KEYS } from '../../app/people/store/page-files.ts';
import { assert } from '../../domain/refusal.ts';
import { counted } from '../../messages/text.ts';
import { either, t } from '../../messages/translate.ts';
import type { Web } from '../web.ts';

/** `passphrase` opens the person's key file; `retryAfterSeconds` is null where there is no pause. */
type Proven = { ok: true; person: Person; passphrase: string } | NotProven;
export type NotProven = { ok: false; message: string; retryAfterSeconds: number | null };

const wrongPassword = () => t`Wrong name or password, or the account is locked.`;
const notYours = () => t`Wrong password. Nothing was done.`;

/** What wrong passwords and codes are counted by, with pauses that grow; `address` is null where it is not counted. */
type Counting = { key: string; address: string | null };

/**
 * Whether it is the person's password: the one way in which a password is ever checked. The answer and the work are the same
 * whether there is such a person or not. That it was right is for the caller to count, with what else is asked for.
 */
async function prove(
  { people, passwords, attempts }: Web,
  person: Person | null,
  password: string,
  { key, address, wrong }: Counting & { wrong: string },
): Promise<Proven> {
  const waitMs = await attempts.begin(key, address);
  if (waitMs > 0) return tooOften(waitMs);
  const kept = person === null || person.lockedAt !== null ? null : await people.kept(person.id);
  const isRight = await passwords.isRight(password, kept?.password ?? null);
  if (!isRight || person === null || kept === null) return { ok: false, message: wrong, retryAfterSeconds: null };
  return { ok: true, person, passphrase: await passwords.passphrase(password, kept.keySalt) };
}

/**
 * At the sign-in. A browser in which this person has signed in before is counted on its own: wrong passwords that others type
 * for the name, or behind the same address, do not keep its owner out. `isAll` says of a person whether the password is all
 * that is asked for; else what was wrong before is forgotten only with the second factor.
 */
export async function proveAtSignIn(
  web: Web,
  given: { name: string; password: string; address: string; device: string | null },
  isAll: (person: Person) => Promise<boolean>,
): Promise<Proven> {
  const { name, password, address, device } = given;
  const person = await web.people.byName(name);
  const counting = await countingOf(web, { name, person, address, device });
  const proven = await prove(web, person, password, { ...counting, wrong: wrongPassword() });
  if (proven.ok) await web.attempts.succeeded((await isAll(proven.person)) ? counting.key : null, counting.address);
  return proven;
}

/** By the browser, where the person has signed in there before; else by the name, however its blanks are written. */
async function countingOf(
  { devices }: Web,
  {
    name,
    person,
    address,
    device: token,
  }: Pick<Parameters<typeof proveAtSignIn>[1], 'name' | 'address' | 'device'> & {
    person: Person | null;
  },
): Promise<Counting> {
  const device = person === null || token === null ? null : await devices.find(token, person.id);
  return device === null
    ? { key: `name ${nameKey(name).slice(0, 64)}`, address }
    : { key: `device ${device}`, address: null };
}

/** Whether the second factor is right, which `check` finds out: counted as the password before it, in the same pauses. */
export async function proveSecond<Found>(
  web: Web,
  { person, address, device }: { person: Person; address: string; device: string | null },
  check: () => Promise<Found | null>,
): Promise<{ ok: true; found: Found } | NotProven> {
  const { key } = await countingOf(web, { name: person.name, person, address, device });
  return countedCheck(web, key, check, t`The code is wrong or was already used. Wait for the next one.`);
}

/** The same for a person who has signed in. A password that is right takes back no code that was wrong. */
export function proveCodeAgain<Found>(web: Web, { id }: Person, check: () => Promise<Found | null>) {
  return countedCheck(web, `code ${id}`, check, t`The code is wrong or was already used. Nothing was done.`);
}

async function countedCheck<Found>(
  { attempts }: Web,
  key: string,
  check: () => Promise<Found | null>,
  wrong: string,
): Promise<{ ok: true; found: Found } | NotProven> {
  const waitMs = await attempts.begin(key, null);
  if (waitMs > 0) return tooOften(waitMs, 'code');
  const found = await check();
  if (found === null) return { ok: false, message: wrong, retryAfterSeconds: null };
  await attempts.succeeded(key, null);
  return { ok: true, found };
}

/**
 * For a person who has signed in, before an act that nobody else at their screen may do: approving, above all. It is counted
 * on its own, so that nobody who writes their name at the sign-in, or guesses behind the same address, keeps them from it.
 */
export async function proveAgain(web: Web, { id }: Person, password: string): Promise<Proven> {
  const counting = { key: `again ${id}`, address: null };
  const proven = await prove(web, await web.people.get(id), password, { ...counting, wrong: notYours() });
  if (proven.ok) await web.attempts.succeeded(counting.key, null);
  return proven;
}

function tooOften(waitMs: number, what: 'password' | 'code' = 'password'): NotProven {
  const seconds = Math.ceil(waitMs / 1_000);
  const wait = String(seconds < 60 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute'));
  const message = t`The ${either(what === 'password', 'password', 'code')} was wrong too often. Wait ${wait}, then try again.`;
  return { ok: false, message, retryAfterSeconds: seconds };
}

/** What is kept of a person's new password, and the passphrase that opens their key file. */
export type NewSecrets = { secrets: Secrets; passphrase: string; discard(): Promise<void> };

/** A password and a new key that it opens; `discard` where they are not to be used after all. */
export function newSecrets(web: Web, password: string): Promise<NewSecrets> {
  return secretsOf(web, password, (file) => createPersonKey(file, web.deps.randomness));
}

/**
 * A new password for the same key: a new file beside the old one, which is removed when the new one is known, so that
 * there is no moment in which neither password opens a key.
 */
export async function changedSecrets(
  web: Web,
  person: Person,
  passphraseNow: string,
  password: string,
): Promise<NewSecrets> {
  assert(person.keyFile !== null, 'somebody with a password and no key');
  return secretsOf(web, password, (file) =>
    web.people.withKey(person, (path) => relockPersonKey({ path, passphrase: passphraseNow }, file)),
  );
}

async function secretsOf(
  { people, passwords, store: { files } }: Web,
  password: string,
  writeKey: (file: PersonKeyFile) => Promise<string>,
): Promise<NewSecrets> {
  const keySalt = passwords.newSalt();
  const passphrase = await passwords.passphrase(password, keySalt);
  const keyFile = people.newKeyFile();
  const publicKey = await writeKey({ path: files.path(KEYS, keyFile), passphrase });
  await files.keepSecret(KEYS, keyFile);
  return {
    secrets: { password: await passwords.keep(password), keySalt, keyFile, publicKey },
    passphrase,
    discard: () => files.remove(KEYS, keyFile),
  };
}

export async function removeKeyFile({ store }: Web, { keyFile }: Person): Promise<void> {
  if (keyFile !== null) await store.files.remove(KEYS, keyFile);
}
