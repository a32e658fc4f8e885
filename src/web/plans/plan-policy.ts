import type { PagePolicy } from '../../app/launcher/tasks.ts';
import type { Person, Role } from '../../app/people/people.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { WebParts } from '../parts.ts';
import type { Problem } from '../shell/parts.ts';
import type { Upload } from '../uploads/uploads.ts';

/** Why there is no plan where nobody could approve it. */
export const NO_APPROVER: Problem = {
  message: 'Nobody here could approve this plan: nobody approves a plan that they made.',
  remedy: 'An administrator invites an approver, or makes somebody else one; then plan it again.',
};

/**
 * Who approves a plan: `known` where its job names them, or the run that is retried; else everybody of the page with that
 * role, one approval. `nobody`: only who makes the plan could approve it.
 */
type Policy = { outcome: 'known' } | { outcome: 'of_page'; policy: PagePolicy } | { outcome: 'nobody' };

/** Throws a `Refusal` where the run that the file corrects cannot be read. */
export async function policyOf(parts: WebParts, { corrects, job }: Upload, maker: Person): Promise<Policy> {
  if (corrects === null) return hasOwnPolicy(parts, job) ? { outcome: 'known' } : pagePolicy(parts, maker);
  const retried = await parts.runs.read(corrects);
  if (retried !== null) return retryPolicy(parts, retried.run, maker);
  throw new Refusal({ code: 'corrected_run_unreadable' });
}

/** Who approves a retry. */
export async function retryPolicy(parts: WebParts, { header, plan }: RunState, maker: Person): Promise<Policy> {
  const isKnown = hasOwnPolicy(parts, header?.job ?? null) || (plan?.approval ?? null) !== null;
  return isKnown ? { outcome: 'known' } : pagePolicy(parts, maker);
}

function hasOwnPolicy({ deps }: WebParts, job: string | null): boolean {
  return deps.jobs().some(({ name, namesApprovers }) => name === job && namesApprovers);
}

async function pagePolicy({ people }: WebParts, maker: Person): Promise<Policy> {
  const named = async (role: Role) =>
    (await people.withRole(role)).flatMap(({ name, publicKey }) =>
      publicKey === null ? [] : [{ name, public_key: publicKey }],
    );
  const approvers = await named('approver');
  if (approvers.every(({ public_key }) => public_key === maker.publicKey)) return { outcome: 'nobody' };
  return { outcome: 'of_page', policy: { preparers: await named('preparer'), approvers, required: '1' } };
}
