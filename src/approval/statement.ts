import { Buffer } from 'node:buffer';
import { canonicalJson } from '../domain/canonical-json.ts';
import {
  type Approval,
  type ApprovalStatement,
  PLAN_VERSION,
  type PlanFacts,
  PREPARED_VERSION,
} from '../domain/plan.ts';
import { type SigningKey, verifyingKey } from '../keys/ed25519.ts';

const PUBLIC_KEY_BYTES = 32;

/**
 * What an approver of the plan signs. The times are Unix ms; `rows` are those, of what cools off, that are approved; `comment`
 * is what the approver wrote beside it, empty where that is nothing.
 */
export function statementOf(
  { totals, payouts }: PlanFacts,
  digest: string,
  { approver, publicKey }: { approver: string; publicKey: Uint8Array },
  { signedAt, expiresAt }: { signedAt: number; expiresAt: number },
  { rows = [], comment = '' }: { rows?: readonly number[]; comment?: string } = {},
): ApprovalStatement {
  return {
    version: PLAN_VERSION,
    digest,
    payouts,
    totals: plannedSums(totals),
    approver,
    public_key: Buffer.from(publicKey).toString('base64url'),
    rows: [...rows],
    signed_at: signedAt,
    expires_at: expiresAt,
    ...(comment !== '' && { comment }),
  };
}

/** What is planned per currency, as a statement has it. */
export function plannedSums(totals: PlanFacts['totals']): ApprovalStatement['totals'] {
  return totals.map(({ currency, planned_minor }) => ({ currency, minor: planned_minor }));
}

/** The statement with the approver's signature (Ed25519, RFC 8032) over its signed text. */
export function signStatement(statement: ApprovalStatement, key: SigningKey, by: string): Approval {
  const signature = key.sign(signedText(statement));
  return { ...statement, by, signature: Buffer.from(signature).toString('base64url') };
}

/** Whether the signature is that of the key which the statement names. Never throws on hostile text. */
export function isSigned(approval: Approval): boolean {
  const { by: _, signature, ...statement } = approval;
  return isSignatureOf(approval.public_key, signedText(statement), signature);
}

/** The signature (base64url) of who makes a plan with a key, over the plan's digest. */
export function signPrepared(digest: string, key: SigningKey): string {
  return Buffer.from(key.sign(preparedText(digest))).toString('base64url');
}

/** Whether a plan was made with the key that it names. One that names none was made by an account, and nothing is signed. */
export function isPrepared({ approval }: PlanFacts, digest: string, signature: string | null): boolean {
  const publicKey = approval?.preparer_key;
  if (publicKey === undefined) return true;
  return signature !== null && isSignatureOf(publicKey, preparedText(digest), signature);
}

function isSignatureOf(publicKeyText: string, message: Uint8Array, signature: string): boolean {
  const publicKey = Buffer.from(publicKeyText, 'base64url');
  if (publicKey.length !== PUBLIC_KEY_BYTES || publicKey.toString('base64url') !== publicKeyText) return false;
  const key = verifyingKey(publicKey);
  return key.ok && key.key.verify(message, Buffer.from(signature, 'base64url'));
}

function preparedText(digest: string): Uint8Array {
  return Buffer.from(`${PREPARED_VERSION}\n${digest}\n`, 'utf8');
}

/** Its first line names what the signature is of, so that it is one of nothing else; then the canonical form (RFC 8785). */
function signedText({ rows, ...statement }: ApprovalStatement): Uint8Array {
  // As it was before rows were approved by themselves, where there are none.
  const text = canonicalJson(rows.length === 0 ? statement : { ...statement, rows });
  return Buffer.from(`${PLAN_VERSION}\n${text}\n`, 'utf8');
}
