import type { RunState } from '../../domain/run/run-state.ts';
import type { WebParts } from '../parts.ts';
import type { PageProof } from './page-act.ts';

/** By the page's own log: a name in the journal is only what a command was told. */
export function pageProof({ audit, people }: Pick<WebParts, 'audit' | 'people'>): PageProof {
  return (name, acts) => {
    const person = people.byName(name);
    return person !== null && acts.some((act) => audit.has(person.id, act));
  };
}

/** Whether it was started on the page by whom it names. */
export function isStartProven({ header, startedOnPage: person }: RunState, proof: PageProof): boolean {
  return person !== null && proof(person, [{ runId: header?.run_id ?? null, act: 'started' }]);
}
