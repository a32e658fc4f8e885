import { Buffer } from 'node:buffer';
import type { Web } from '../web.ts';
import { askToSign, assertionShape, checkAssertion, NOT_YOURS, passkeysHere } from './passkey-assertion.ts';
import { type Asked, EXPIRED, parsed, relyingParty, takeChallenge, UNREADABLE } from './passkey-challenge.ts';

const CHANGE = 'passkeys';
const LOST = 'Where you have lost it, an administrator removes your passkeys.';

/** What a browser asks one of the person's passkeys to sign before they are changed; null where they have none here. */
export async function askForChange(web: Web, asked: Asked) {
  const challenge = Buffer.from(web.deps.randomness.bytes(32)).toString('base64url');
  return askToSign(web, asked, { for: CHANGE, challenge, data: null });
}

/**
 * Whether the person may add or remove passkeys: who has one shows it, so that a password alone takes nobody's away. `answer`
 * is JSON.
 */
export async function mayChange(
  web: Web,
  { person, session }: Asked,
  answer: string,
): Promise<{ ok: true } | { ok: false; what: string }> {
  const own = passkeysHere(web, person);
  const { origin } = web.options;
  const rpId = relyingParty(origin);
  if (own.length === 0 || rpId === null) return { ok: true };
  const refused = (what: string) => ({ ok: false as const, what: `${what} ${LOST}` });
  const asked = takeChallenge(web, session, CHANGE);
  if (asked === null) return refused(EXPIRED);
  const assertion = assertionShape.safeParse(parsed(answer));
  if (!assertion.success) return refused(UNREADABLE);
  const passkey = own.find(({ id }) => id === assertion.data.id);
  if (passkey === undefined) return refused(NOT_YOURS);
  const { id, publicKey: public_key, counter } = passkey;
  const given = { assertion: assertion.data, credential: { id, public_key, counter }, origin, rp_id: rpId };
  const verified = await checkAssertion(given, asked.challenge);
  if (!verified.ok) return refused(verified.what);
  web.passkeys.used(id, verified.counter);
  return { ok: true };
}
