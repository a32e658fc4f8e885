import { hash } from 'node:crypto';
import { z } from 'zod';
import { t } from '../../messages/translate.ts';
import type { Randomness } from '../../platform/clock.ts';
import type { Web } from '../web.ts';
import {
  type Asked,
  askToSign,
  base64url,
  checkSignature,
  type Refused,
  randomText,
  signature,
  signedBy,
  verify,
} from './passkeys.ts';

/** The first word of what a passkey signs. */
const APPROVAL_VERSION = 'payrun-approval-v1';

const NONCE_BYTES = 16;

/** Everything that the challenge of an approval is the hash of, so that it can be worked out again later. */
const approvalParts = z.object({
  version: z.literal(APPROVAL_VERSION),
  digest: z.string(),
  payouts: z.number().int(),
  totals: z.array(z.string()),
  nonce: base64url,
});

const keptProof = signature.extend({ parts: approvalParts });

type ApprovalParts = z.output<typeof approvalParts>;

/** A passkey's signature over a plan, with all that verifies it again: the audit log keeps it. */
export type KeptProof = z.output<typeof keptProof>;

/** What is approved: the plan's digest, how many payouts it has, and its totals as people read them (`2450.00 USD`). */
type ApprovedPlan = { digest: string; payouts: number; totals: readonly string[] };

/** What a browser asks the person's passkeys to sign to approve a run; null where they have none here. */
export function askForApproval(web: Web, asked: Asked, runId: string, plan: ApprovedPlan) {
  const { parts, challenge } = approvalChallenge(plan, web.deps.randomness);
  return askToSign(web, asked, { for: `approve ${runId}`, challenge, nonce: parts.nonce });
}

/** Whether the answer (JSON) is of a passkey of this person over this very plan, and the proof to be kept. */
export async function verifyApproval(
  web: Web,
  asked: Asked,
  runId: string,
  plan: ApprovedPlan,
  answer: string,
): Promise<{ ok: true; proof: KeptProof } | Refused> {
  const signed = await signedBy(web, asked, `approve ${runId}`, answer);
  if (!signed.ok) return signed;
  const parts = partsOf(plan, signed.nonce ?? '');
  if (challengeOf(parts) !== signed.challenge)
    return { ok: false, message: t`The plan has changed since it was shown. Check it again.` };
  const verified = await verify(web, signed.signature, signed.challenge);
  return verified.ok ? { ok: true, proof: { ...signed.signature, parts } } : verified;
}

/** Verifies a proof again as it was kept, years later. Never throws on hostile text. */
export async function verifyKeptProof(kept: unknown): Promise<{ ok: true; parts: ApprovalParts } | Refused> {
  const proof = keptProof.safeParse(kept);
  if (!proof.success) return { ok: false, message: t`The proof cannot be read.` };
  const { parts } = proof.data;
  const checked = await checkSignature(proof.data, challengeOf(parts));
  return checked.ok ? { ok: true, parts } : checked;
}

/** A challenge (base64url) that is the hash of the plan and of 16 new bytes: its signature approves this plan and no other. */
export function approvalChallenge(plan: ApprovedPlan, randomness: Randomness) {
  const parts = partsOf(plan, randomText(randomness, NONCE_BYTES));
  return { parts, challenge: challengeOf(parts) };
}

function partsOf({ digest, payouts, totals }: ApprovedPlan, nonce: string): ApprovalParts {
  return { version: APPROVAL_VERSION, digest, payouts, totals: [...totals], nonce };
}

/** Each text is preceded by its length, so that two different plans never give one challenge. */
function challengeOf({ version, digest, payouts, totals, nonce }: ApprovalParts): string {
  const texts = [version, digest, String(payouts), String(totals.length), ...totals, nonce];
  return hash('sha256', texts.map((text) => `${text.length}:${text}\n`).join(''), 'base64url');
}
