import { writeFileSync } from 'node:fs';
import type { Person } from '../people/people.ts';
import type { Web } from '../web.ts';

/**
 * Who prepares and approves where no job says it: everybody of the page with that role, one approval. It is what a job's
 * `approval:` is, and is told to `plan` by a file. Null where nobody but who makes the plan could approve it.
 */
export function pagePolicy({ people }: Web, maker: Person): string | null {
  const named = (role: 'preparer' | 'approver') =>
    people
      .withRole(role)
      .flatMap(({ name, publicKey }) => (publicKey === null ? [] : [{ name, public_key: publicKey }]));
  const approvers = named('approver');
  if (approvers.every(({ public_key }) => public_key === maker.publicKey)) return null;
  return JSON.stringify({ approval: { preparers: named('preparer'), approvers, required: 1 } }, null, 2);
}

export function writePolicy(path: string, policy: string): void {
  writeFileSync(path, `${policy}\n`, { mode: 0o600 });
}
