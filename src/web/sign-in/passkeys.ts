import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Randomness } from '../../domain/clock.ts';
import type { Web } from '../web.ts';
import { askToSign, assertionShape, checkAssertion, NOT_YOURS, passkeysHere } from './passkey-assertion.ts';
import {
  type Asked,
  base64url,
  EXPIRED,
  parsed,
  relyingParty,
  takeChallenge,
  UNREADABLE,
} from './passkey-challenge.ts';

/** The first word of what a passkey signs. */
const APPROVAL_VERSION = 'payrun-approval-v1';
const NONCE_BYTES = 16;

/** What is approved: the plan's digest, how many payouts it has, and its totals as people read them (`2450.00 USD`). */
export type ApprovedPlan = { digest: string; payouts: number; totals: readonly string[] };

/** Everything that the challenge is the hash of: who sees it later can work the challenge out again. */
export type ApprovalParts = ApprovedPlan & { version: typeof APPROVAL_VERSION; nonce: string };

/** A passkey's signature over a plan, with all that is needed to verify it again: it is kept in the audit log. */
export type KeptProof = z.output<typeof keptProof>;

const keptProof = z.object({
  parts: z.object({
    version: z.literal(APPROVAL_VERSION),
    digest: z.string(),
    payouts: z.number().int(),
    totals: z.array(z.string()),
    nonce: base64url,
  }),
  assertion: assertionShape,
  credential: z.object({ id: base64url, public_key: base64url, counter: z.number().int() }),
  origin: z.string(),
  rp_id: z.string(),
});

/** A challenge (base64url) that is the hash of the plan and of 16 new bytes: its signature approves this plan and no other. */
export function approvalChallenge(
  plan: ApprovedPlan,
  randomness: Randomness,
): { parts: ApprovalParts; challenge: string } {
  const { digest, payouts, totals } = plan;
  const nonce = Buffer.from(randomness.bytes(NONCE_BYTES)).toString('base64url');
  const parts: ApprovalParts = { version: APPROVAL_VERSION, digest, payouts, totals: [...totals], nonce };
  return { parts, challenge: challengeOf(parts) };
}

/** Each text is preceded by its length, so that two different plans never give one challenge. */
function challengeOf({ version, digest, payouts, totals, nonce }: ApprovalParts): string {
  const texts = [version, digest, String(payouts), String(totals.length), ...totals, nonce];
  return hash('sha256', texts.map((text) => `${text.length}:${text}\n`).join(''), 'base64url');
}

/** What a browser asks the person's passkeys to sign for the approval of a run; null where they have none here. */
export async function askForApproval(web: Web, asked: Asked, runId: string, plan: ApprovedPlan) {
  const { parts, challenge } = approvalChallenge(plan, web.deps.randomness);
  return askToSign(web, asked, { for: `approve ${runId}`, challenge, data: parts });
}

/** Whether the answer (JSON) is of a passkey of this person over this very plan, and the proof that is to be kept. */
export async function verifyApproval(
  web: Web,
  { person, session }: Asked,
  runId: string,
  plan: ApprovedPlan,
  answer: string,
): Promise<{ ok: true; proof: KeptProof } | { ok: false; what: string }> {
  const asked = takeChallenge(web, session, `approve ${runId}`);
  if (asked === null) return { ok: false, what: EXPIRED };
  const parts = keptProof.shape.parts.safeParse(asked.data);
  const assertion = assertionShape.safeParse(parsed(answer));
  if (!parts.success || !assertion.success) return { ok: false, what: UNREADABLE };
  if (challengeOf({ ...parts.data, ...plan, totals: [...plan.totals] }) !== asked.challenge)
    return { ok: false, what: 'The plan is not the one that was shown. Look at it again.' };
  const { origin } = web.options;
  const rpId = relyingParty(origin);
  const passkey = passkeysHere(web, person).find(({ id }) => id === assertion.data.id);
  if (passkey === undefined || rpId === null) return { ok: false, what: NOT_YOURS };
  const proof: KeptProof = {
    parts: parts.data,
    assertion: assertion.data,
    credential: { id: passkey.id, public_key: passkey.publicKey, counter: passkey.counter },
    origin,
    rp_id: rpId,
  };
  const verified = await checkProof(proof);
  if (!verified.ok) return verified;
  web.passkeys.used(passkey.id, verified.counter);
  return { ok: true, proof };
}

/** The same proof as it was kept, years later: that this passkey signed this plan. Never throws on hostile text. */
export async function verifyKeptProof(
  kept: unknown,
): Promise<{ ok: true; parts: ApprovalParts } | { ok: false; what: string }> {
  const proof = keptProof.safeParse(kept);
  if (!proof.success) return { ok: false, what: 'The proof cannot be read.' };
  const verified = await checkProof(proof.data);
  return verified.ok ? { ok: true, parts: proof.data.parts } : verified;
}

function checkProof(proof: KeptProof): Promise<{ ok: true; counter: number } | { ok: false; what: string }> {
  return checkAssertion(proof, challengeOf(proof.parts));
}
