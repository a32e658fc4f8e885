import type { Preparation } from '../../app/plan/plan-deps.ts';
import { signPrepared } from '../../approval/statement.ts';
import { personHere } from '../../compose/person.ts';
import type { Settings } from '../../compose/settings.ts';
import type { ApprovalPolicy } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { JobApproval } from '../../job/parts/approval-part.ts';
import { publicKeyTexts, type SigningKey } from '../../keys/ed25519.ts';
import { preparerText as shownPreparer } from '../../messages/approve-words.ts';
import { printable } from '../../messages/text.ts';
import type { Io } from '../terminal.ts';

/** Where it stands who approves: people are told what to change. */
export type PolicyPlace = 'job' | 'approval file';

export function policyPlace(job: unknown, { approval }: Settings): PolicyPlace {
  return job === null || approval !== undefined ? 'approval file' : 'job';
}

/**
 * Who makes a plan: the person whose key `--as` names, where `place` names who makes its plans, else the account. Throws a
 * `Refusal` (`refused`) where that asks for a key and none of its people showed one, or a `KeyFileError`.
 */
export async function preparationOf(
  policy: JobApproval | null,
  settings: Settings,
  io: Io,
  place: PolicyPlace,
  passphrase?: string,
): Promise<Preparation> {
  const sign = () => undefined;
  if (policy === null) {
    if (settings.as !== undefined) io.stderr('--as does nothing here: nobody has to approve this plan.\n');
    return { approval: null, sign };
  }
  if (settings.as === undefined) {
    if (policy.preparers !== undefined) throw noPreparer(policy.preparers, place);
    return { approval: { ...policy, preparer: personHere() }, sign };
  }
  const { unlockKey, unlockWith } = await import('../connection/unlock-key.ts');
  const could = 'make plans in the name of its owner';
  const key =
    passphrase === undefined
      ? await unlockKey(settings.as, could, settings, io)
      : await unlockWith(settings.as, could, passphrase);
  const { name, public_key } = requirePreparer(policy, key, place);
  const approval = { ...policy, preparer: name, preparer_key: public_key };
  return { approval, sign: (digest) => signPrepared(digest, key) };
}

/**
 * Who approves a plan: what its job says, or else the file that `--approval` names; null where nobody says it. Throws a
 * `Refusal` (`usage`).
 */
export async function approvalOf(job: JobApproval | null, { approval: file }: Settings): Promise<JobApproval | null> {
  if (file === undefined) return job;
  const { approvalFrom } = await import('../commands/approve/approval-file.ts');
  return approvalFrom(job, file);
}

/** `Ben, with the key PUAXw-hD…`, or `petra@desk-7`. */
export function preparerText({ preparer, preparer_key }: Pick<ApprovalPolicy, 'preparer' | 'preparer_key'>): string {
  return printable(shownPreparer({ preparer, key: preparer_key ?? null }));
}

function requirePreparer({ preparers }: JobApproval, { publicKey }: SigningKey, place: PolicyPlace) {
  const { base64url } = publicKeyTexts(publicKey);
  const found = preparers?.find(({ public_key }) => public_key === base64url);
  if (found !== undefined) return found;
  const what =
    preparers === undefined
      ? `The ${place} names nobody who makes plans with a key`
      : `This key is not that of anybody who makes plans ${place === 'job' ? 'of the job' : 'by the approval file'}`;
  throw new Refusal(
    'refused',
    `${what}. No plan was written.`,
    `Whoever may change the ${place} adds it, under approval: and preparers: with the name of its owner: {name: …, public_key: ${base64url}}`,
  );
}

function noPreparer(preparers: readonly { name: string }[], place: PolicyPlace): Refusal {
  const names = preparers.map(({ name }) => printable(name)).join(', ');
  return new Refusal(
    'refused',
    `The ${place} names who makes ${place === 'job' ? 'its ' : ''}plans (${names}), and nobody said who makes this one. No plan was written.`,
    'Say it with your key: --as KEYFILE. A scheduler has a key of its own, which PAYRUN_AS and PAYRUN_PASSPHRASE_FILE in its environment name.',
    {},
    { code: 'set_up', part: 'maker_key' },
  );
}
