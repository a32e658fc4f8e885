import { Buffer } from 'node:buffer';
import { z } from 'zod';
import { bytesOf, type Web } from '../web.ts';
import {
  ANSWER_MS,
  type Asked,
  base64url,
  EXPIRED,
  parsed,
  relyingParty,
  takeChallenge,
  UNREADABLE,
} from './passkey-challenge.ts';
import type { Passkey } from './passkey-store.ts';

/** What a browser asks for a new passkey. One that is there already is not made twice. */
export async function askForPasskey(web: Web, { person, session }: Asked) {
  const rpID = relyingParty(web.options.origin);
  if (rpID === null) return null;
  const { clock, randomness } = web.deps;
  const challenge = Buffer.from(randomness.bytes(32)).toString('base64url');
  session.challenge = { for: 'register', challenge, data: null, untilMs: clock.monotonicMs() + ANSWER_MS };
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: 'payrun',
    rpID,
    userName: person.name,
    userDisplayName: person.name,
    userID: Uint8Array.from(Buffer.from(person.id)),
    challenge: bytesOf(challenge),
    excludeCredentials: web.passkeys
      .of(person.id, rpID)
      .map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
    timeout: ANSWER_MS,
  });
}

const registrationShape = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(8).default([]),
  }),
  clientExtensionResults: z.looseObject({}).default({}),
});

/** Keeps the passkey that a browser made (JSON), where it answers what this session asked for. */
export async function addPasskey(
  web: Web,
  { person, session }: Asked,
  label: string,
  answer: string,
): Promise<{ ok: true; passkey: Passkey } | { ok: false; what: string }> {
  const asked = takeChallenge(web, session, 'register');
  const rpId = relyingParty(web.options.origin);
  if (asked === null || rpId === null) return { ok: false, what: EXPIRED };
  const response = registrationShape.safeParse(parsed(answer));
  if (!response.success) return { ok: false, what: UNREADABLE };
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { transports } = response.data.response;
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...response.data, response: { ...response.data.response, transports } },
      expectedChallenge: asked.challenge,
      expectedOrigin: web.options.origin,
      expectedRPID: rpId,
      requireUserVerification: false,
    });
    if (registrationInfo !== undefined) {
      const { id, publicKey, counter } = registrationInfo.credential;
      const kept = { id, rpId, label, counter, transports, publicKey: Buffer.from(publicKey).toString('base64url') };
      return { ok: true, passkey: web.passkeys.add(person.id, kept) };
    }
  } catch (error) {
    web.deps.log.warn({ error }, 'a passkey was refused');
  }
  return { ok: false, what: 'This passkey could not be verified. Try again, or take another one.' };
}
