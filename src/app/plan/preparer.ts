import { signPrepared } from '../../approval/statement.ts';
import type { ApprovalPolicy } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { PolicyPlace } from '../../domain/refusals/paid-reasons.ts';
import type { JobApproval } from '../../job/parts/approval-part.ts';
import { publicKeyTexts, type SigningKey } from '../../keys/ed25519.ts';

/** What a plan says of its approval, and how who makes it signs it. */
export type Preparation = {
  approval: ApprovalPolicy | null;
  /** The signature over the plan's digest; undefined where the account says who made the plan. */
  sign(digest: string): string | undefined;
};

/** Who makes a plan: an account of this machine, and the key that they show; null where they show none. */
export type Maker = { account: string; unlock: (() => Promise<SigningKey>) | null };

/**
 * Who makes a plan: the person whose key is shown, where `place` names who makes its plans, else the account. Throws a
 * `Refusal` where that asks for a key and none of its people showed one, or a `KeyFileError`.
 */
export async function preparationOf(
  policy: JobApproval | null,
  maker: Maker,
  place: PolicyPlace,
): Promise<Preparation> {
  const sign = () => undefined;
  if (policy === null) return { approval: null, sign };
  const { preparers } = policy;
  if (maker.unlock === null) {
    if (preparers !== undefined)
      throw new Refusal({ code: 'no_maker_key', place, names: preparers.map(({ name }) => name) });
    return { approval: { ...policy, preparer: maker.account }, sign };
  }
  const key = await maker.unlock();
  const { base64url: publicKey } = publicKeyTexts(key.publicKey);
  const found = preparers?.find(({ public_key }) => public_key === publicKey);
  if (found === undefined)
    throw new Refusal({ code: 'not_a_preparer', place, namesPreparers: preparers !== undefined, publicKey });
  const { name, public_key } = found;
  return {
    approval: { ...policy, preparer: name, preparer_key: public_key },
    sign: (digest) => signPrepared(digest, key),
  };
}
