import { isPreparer } from '../../approval/check.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import type { Person } from '../people/people.ts';
import type { Web } from '../web.ts';

/** What is said of one approver, to themself in another way. */
export type OwnLink = { words: string; isViewer: boolean };

/**
 * Of each approver of a plan who came in by a link of whoever made the plan, that it was so: who makes a link could have
 * opened it. Empty where nobody did, and of
 * who looks nothing once they have approved.
 */
export function ownLinks(
  { people, audit }: Web,
  { plan, approvals }: Pick<RunState, 'plan' | 'approvals'>,
  viewer: Person,
): OwnLink[] {
  const policy = plan?.approval ?? null;
  if (policy === null) return [];
  return policy.approvers.flatMap((approver) => {
    const person = people.byPublicKey(approver.public_key);
    const link = person === null || isPreparer(policy, approver) ? null : audit.linkOf(person.id);
    const maker = link?.person == null ? null : people.get(link.person);
    if (link === null || maker === null) return [];
    if (!isPreparer(policy, { name: maker.name, public_key: maker.publicKey ?? '' })) return [];
    const day = isoUtc(link.at).slice(0, 10);
    const isViewer = person?.id === viewer.id;
    if (isViewer && approvals.some(({ public_key }) => public_key === approver.public_key)) return [];
    const who = isViewer ? 'You' : approver.name;
    return [{ isViewer, words: `${who} came in by a link that ${maker.name}, who made this plan, made on ${day}.` }];
  });
}
