import { Buffer } from 'node:buffer';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { Person } from '../../app/people/people.ts';
import { t } from '../../messages/translate.ts';
import type { Randomness } from '../../platform/clock.ts';
import { bytesOf, type Web } from '../web.ts';
import type { Passkey } from './passkey-store.ts';
import type { PendingChallenge, Session } from './sessions.ts';

/** Who is asked, and in which browser. */
export type Asked = { person: Person; session: Session };

export type Refused = { ok: false; message: string };

/** How long a browser may take to answer. */
const ANSWER_MS = 5 * 60_000;
const CHALLENGE_BYTES = 32;

const expiredPasskey = () => t`That took too long or was already used. Try again.`;
const unreadablePasskey = () => t`The passkey's answer could not be read. Try again.`;
const notYours = () => t`This passkey is not one of yours.`;
const lostPasskey = () => t`If you lose it, an administrator can remove your passkeys.`;

export const base64url = z.string().regex(/^[\w-]{0,20000}$/);

/** What a browser answers about a passkey (WebAuthn's `PublicKeyCredential`, as JSON). */
const answerShape = <Shape extends z.ZodRawShape>(response: Shape) =>
  z.object({
    id: base64url,
    rawId: base64url,
    type: z.literal('public-key'),
    response: z.object(response),
    clientExtensionResults: z.looseObject({}).default({}),
  });

/** When a passkey has signed. */
const assertionShape = answerShape({
  clientDataJSON: base64url,
  authenticatorData: base64url,
  signature: base64url,
  userHandle: base64url.nullish().transform((handle) => handle ?? undefined),
});

/** When the browser has made a passkey. */
const registrationShape = answerShape({
  clientDataJSON: base64url,
  attestationObject: base64url,
  transports: z.array(z.string().max(32)).max(8).default([]),
});

/** A signature of a passkey at this page. */
export const signature = z.object({
  assertion: assertionShape,
  credential: z.object({ id: base64url, public_key: base64url, counter: z.number().int() }),
  origin: z.string(),
  rp_id: z.string(),
});

type Signature = z.output<typeof signature>;

/** The host that passkeys belong to; null where the page is reached by an IP address, which has no passkeys. */
export function relyingParty(origin: string): string | null {
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : null;
}

/** Those of the person's passkeys that can be used at this page's address. */
export async function passkeysHere({ options, passkeys }: Web, person: Person): Promise<Passkey[]> {
  const rpId = relyingParty(options.origin);
  return rpId === null ? [] : await passkeys.of(person.id, rpId);
}

/** What a browser needs to make a new passkey; null where the page has no name. One that is there already is not made twice. */
export async function askForPasskey(web: Web, { person, session }: Asked) {
  const rpID = relyingParty(web.options.origin);
  if (rpID === null) return null;
  const challenge = randomText(web.deps.randomness, CHALLENGE_BYTES);
  await web.sessions.ask(session, { for: 'register', challenge, nonce: null, lastsMs: ANSWER_MS });
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: 'payrun',
    rpID,
    userName: person.name,
    userDisplayName: person.name,
    userID: Uint8Array.from(Buffer.from(person.id)),
    challenge: bytesOf(challenge),
    excludeCredentials: named(await passkeysHere(web, person)),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    timeout: ANSWER_MS,
  });
}

/** Keeps the passkey that a browser made (JSON), where it answers what this session asked for. */
export async function addPasskey(
  web: Web,
  { person, session }: Asked,
  label: string,
  answer: string,
): Promise<{ ok: true; passkey: Passkey } | Refused> {
  const asked = await web.sessions.takeChallenge(session, 'register');
  const rpId = relyingParty(web.options.origin);
  if (asked === null || rpId === null) return { ok: false, message: expiredPasskey() };
  const response = registrationShape.safeParse(parsed(answer));
  if (!response.success) return { ok: false, message: unreadablePasskey() };
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response.data,
      expectedChallenge: asked.challenge,
      expectedOrigin: web.options.origin,
      expectedRPID: rpId,
      requireUserVerification: false,
    });
    if (registrationInfo !== undefined) {
      const { id, publicKey, counter } = registrationInfo.credential;
      const { transports } = response.data.response;
      const kept = { id, rpId, label, counter, transports, publicKey: Buffer.from(publicKey).toString('base64url') };
      return { ok: true, passkey: await web.passkeys.add(person.id, kept) };
    }
  } catch (error) {
    web.deps.log.warn({ error }, 'a passkey was refused');
  }
  return { ok: false, message: t`This passkey could not be verified. Try again, or use another one.` };
}

/** What a browser asks one of the person's passkeys to sign before they are changed; null where they have none here. */
export function askForChange(web: Web, asked: Asked) {
  const challenge = randomText(web.deps.randomness, CHALLENGE_BYTES);
  return askToSign(web, asked, { for: 'passkeys', challenge, nonce: null });
}

/** Whether the person may add or remove passkeys: a password alone takes nobody's away. `answer` is JSON. */
export async function mayChange(web: Web, asked: Asked, answer: string): Promise<{ ok: true } | Refused> {
  if ((await passkeysHere(web, asked.person)).length === 0) return { ok: true };
  const signed = await signedBy(web, asked, 'passkeys', answer);
  const verified = signed.ok ? await verify(web, signed.signature, signed.challenge) : signed;
  return verified.ok ? verified : { ok: false, message: `${verified.message} ${lostPasskey()}` };
}

/** What a browser asks one of the person's passkeys to sign as the second factor of a sign-in; null where they have none here. */
export function askForSignIn(web: Web, asked: Asked) {
  const challenge = randomText(web.deps.randomness, CHALLENGE_BYTES);
  return askToSign(web, asked, { for: 'sign in', challenge, nonce: null });
}

/** Whether the answer (JSON) is of a passkey of this person, to what this browser asked for. */
export async function verifySignIn(web: Web, asked: Asked, answer: string): Promise<{ ok: true } | Refused> {
  const signed = await signedBy(web, asked, 'sign in', answer);
  return signed.ok ? verify(web, signed.signature, signed.challenge) : signed;
}

/** Null where the person has no passkey here. */
export async function askToSign(web: Web, { person, session }: Asked, asked: Omit<PendingChallenge, 'untilMs'>) {
  const known = await passkeysHere(web, person);
  const rpID = relyingParty(web.options.origin);
  if (rpID === null || known.length === 0) return null;
  await web.sessions.ask(session, { ...asked, lastsMs: ANSWER_MS });
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID,
    challenge: bytesOf(asked.challenge),
    allowCredentials: named(known),
    timeout: ANSWER_MS,
    userVerification: 'preferred',
  });
}

type Signed = { ok: true; signature: Signature; challenge: string; nonce: string | null };

/** The answer of one of the person's passkeys to what this session asked for, not verified yet. */
export async function signedBy(
  web: Web,
  { person, session }: Asked,
  what: string,
  answer: string,
): Promise<Signed | Refused> {
  const asked = await web.sessions.takeChallenge(session, what);
  if (asked === null) return { ok: false, message: expiredPasskey() };
  const { data: assertion } = assertionShape.safeParse(parsed(answer));
  if (assertion === undefined) return { ok: false, message: unreadablePasskey() };
  const passkey = (await passkeysHere(web, person)).find(({ id }) => id === assertion.id);
  if (passkey === undefined) return { ok: false, message: notYours() };
  const { id, publicKey: public_key, counter, rpId: rp_id } = passkey;
  const given = { assertion, credential: { id, public_key, counter }, origin: web.options.origin, rp_id };
  return { ok: true, signature: given, challenge: asked.challenge, nonce: asked.nonce };
}

export async function verify({ passkeys }: Web, given: Signature, challenge: string): Promise<{ ok: true } | Refused> {
  const checked = await checkSignature(given, challenge);
  if (!checked.ok) return checked;
  await passkeys.used(given.credential.id, checked.counter);
  return { ok: true };
}

/** Whether the signature over the challenge is right, and how often the passkey has signed by now. */
export async function checkSignature(
  { assertion, credential, origin, rp_id }: Signature,
  challenge: string,
): Promise<{ ok: true; counter: number } | Refused> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { userHandle, ...response } = assertion.response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, response: { ...response, ...(userHandle !== undefined && { userHandle }) } },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      credential: { id: credential.id, publicKey: bytesOf(credential.public_key), counter: credential.counter },
      requireUserVerification: false,
    });
    if (verified) return { ok: true, counter: authenticationInfo.newCounter };
  } catch {
    // The library says in its own words which part differs; for people they all mean one thing.
  }
  return { ok: false, message: t`The passkey’s signature is invalid.` };
}

function named(passkeys: readonly Passkey[]) {
  return passkeys.map(({ id, transports }) => ({ id, transports: [...transports] }));
}

export function randomText(randomness: Randomness, bytes: number): string {
  return Buffer.from(randomness.bytes(bytes)).toString('base64url');
}

/** Null where the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
