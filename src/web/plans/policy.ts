import type { PagePolicy } from '../../app/launcher/tasks.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { WebParts } from '../parts.ts';
import type { Person } from '../people/people.ts';

/**
 * Who approves a plan: `known` where its job names them, or the run that is retried; else everybody of the page with that
 * role, one approval. `nobody`: only who makes the plan could approve it.
 */
export type Policy = { outcome: 'known' } | { outcome: 'of_page'; policy: PagePolicy } | { outcome: 'nobody' };

export function pagePolicy({ people }: WebParts, maker: Person): Policy {
  const named = (role: 'preparer' | 'approver') =>
    people
      .withRole(role)
      .flatMap(({ name, publicKey }) => (publicKey === null ? [] : [{ name, public_key: publicKey }]));
  const approvers = named('approver');
  if (approvers.every(({ public_key }) => public_key === maker.publicKey)) return { outcome: 'nobody' };
  return { outcome: 'of_page', policy: { preparers: named('preparer'), approvers, required: '1' } };
}

/** The same of a retry. */
export function retryPolicy(web: WebParts, { header, plan }: RunState, maker: Person): Policy {
  const listed = web.deps.jobs().find(({ name }) => name === header?.job);
  const isOfJob = listed?.read.ok === true && listed.read.job.approval !== null;
  return isOfJob || (plan?.approval ?? null) !== null ? { outcome: 'known' } : pagePolicy(web, maker);
}
