import { isPreparer } from '../../approval/check.ts';
import type { RunState } from '../../domain/run.ts';
import { isoUtc } from '../../domain/time.ts';
import type { Web } from '../web.ts';

/**
 * Of each approver of a plan who came in by a link of whoever made the plan, that it was so: who makes a link could have
 * opened it. In words, and empty where nobody did.
 */
export function ownLinks({ people, audit }: Web, { plan }: Pick<RunState, 'plan'>): string[] {
  const policy = plan?.approval ?? null;
  if (policy === null) return [];
  return policy.approvers.flatMap((approver) => {
    const person = people.byPublicKey(approver.public_key);
    const link = person === null || isPreparer(policy, approver) ? null : audit.linkOf(person.id);
    const maker = link?.person == null ? null : people.get(link.person);
    if (link === null || maker === null) return [];
    if (!isPreparer(policy, { name: maker.name, public_key: maker.publicKey ?? '' })) return [];
    const day = isoUtc(link.at).slice(0, 10);
    return [`${approver.name} came in by a link that ${maker.name}, who made this plan, made on ${day}.`];
  });
}
