import { z } from 'zod';
import type { Person } from '../people/people.ts';
import { bytesOf, type Web } from '../web.ts';
import { ANSWER_MS, type Asked, base64url, relyingParty } from './passkey-challenge.ts';
import type { Passkey } from './passkey-store.ts';
import type { PendingChallenge } from './sessions.ts';

/** What a browser says when a passkey has signed. */
export const assertionShape = z.object({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().transform((handle) => handle ?? undefined),
  }),
  clientExtensionResults: z.looseObject({}).default({}),
});

export const NOT_YOURS = 'This passkey is not one of yours.';

/** Those of the person's passkeys that can be used at this page's address. */
export function passkeysHere({ options, passkeys }: Web, person: Person): Passkey[] {
  const rpId = relyingParty(options.origin);
  return rpId === null ? [] : passkeys.of(person.id, rpId);
}

/**
 * What a browser asks the person's passkeys to sign; null where they have none here. It is good for one answer in this
 * session, within five minutes.
 */
export async function askToSign(web: Web, { person, session }: Asked, asked: Omit<PendingChallenge, 'untilMs'>) {
  const known = passkeysHere(web, person);
  const rpID = relyingParty(web.options.origin);
  if (rpID === null || known.length === 0) return null;
  session.challenge = { ...asked, untilMs: web.deps.clock.monotonicMs() + ANSWER_MS };
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID,
    challenge: bytesOf(asked.challenge),
    allowCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    timeout: ANSWER_MS,
    userVerification: 'preferred',
  });
}

type Assertion = {
  assertion: z.output<typeof assertionShape>;
  credential: { id: string; public_key: string; counter: number };
  origin: string;
  rp_id: string;
};

/** Whether the signature over the challenge is right, and how often the passkey has signed by now. */
export async function checkAssertion(
  { assertion, credential, origin, rp_id }: Assertion,
  challenge: string,
): Promise<{ ok: true; counter: number } | { ok: false; what: string }> {
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
    // Says in its own words which part differs; for people they all mean one thing.
  }
  return { ok: false, what: 'The signature of the passkey is not right.' };
}
