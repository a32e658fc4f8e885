import type { AuditLog } from '../../app/people/audit-log.ts';
import type { People } from '../../app/people/people.ts';
import type { RunState } from '../../domain/run/run-state.ts';

/** Something that a person does on the page to a run, as the audit log calls it; to one row of it where that is named. */
export type PageAct = { runId: string | null; act: string; row?: number };

/** Whether a person of this name did one of these on the page. */
export type PageProof = (person: string, acts: readonly PageAct[]) => boolean;

/** By the page's own log: a name in the journal is only what a command was given. */
export function pageProof({ audit, people }: { audit: AuditLog; people: People }): PageProof {
  return (name, acts) => {
    const person = people.byName(name);
    return person !== null && acts.some((act) => audit.has(person.id, act));
  };
}

/** Whether it was started on the page by the person that it names. */
export function isStartProven({ header, startedOnPage: person }: RunState, proof: PageProof): boolean {
  return person !== null && proof(person, [{ runId: header?.run_id ?? null, act: 'started' }]);
}
