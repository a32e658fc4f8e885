import { writeFileSync } from 'node:fs';
import type { RunState } from '../../domain/run/run-state.ts';
import type { WebParts } from '../parts.ts';
import type { Person } from '../people/people.ts';

/**
 * Who prepares and approves where no job says it: everybody of the page with that role, one approval. It is what a job's
 * `approval:` is, and is told to `plan` by a file. Null where nobody but who makes the plan could approve it.
 */
export function pagePolicy({ people }: WebParts, maker: Person): string | null {
  const named = (role: 'preparer' | 'approver') =>
    people
      .withRole(role)
      .flatMap(({ name, publicKey }) => (publicKey === null ? [] : [{ name, public_key: publicKey }]));
  const approvers = named('approver');
  if (approvers.every(({ public_key }) => public_key === maker.publicKey)) return null;
  return JSON.stringify({ approval: { preparers: named('preparer'), approvers, required: 1 } }, null, 2);
}

/**
 * Who approves a retry: empty where the job of the run says so, or the plan that is retried did; else everybody of the page.
 * Null where nobody could.
 */
export function retryPolicy(web: WebParts, { header, plan }: RunState, maker: Person): string | null {
  const listed = web.deps.jobs().find(({ name }) => name === header?.job);
  const isOfJob = listed?.read.ok === true && listed.read.job.approval !== null;
  return isOfJob || (plan?.approval ?? null) !== null ? '' : pagePolicy(web, maker);
}

export function writePolicy(path: string, policy: string): void {
  writeFileSync(path, `${policy}\n`, { mode: 0o600 });
}
