import type { RunState } from '../domain/run.ts';
import type { Sayer } from '../domain/sayer.ts';

/** `Anna Berg on the page, from root@desk-7`: what the page says first; `root@desk-7` where nobody did it there. */
export function sayerText({ by, page_person: person }: Sayer): string {
  return person === undefined ? by : `${person} on the page, from ${by}`;
}

/** Who started the run; null where nobody had to, or has. */
export function starterText({
  startedBy,
  startedOnPage,
}: Pick<RunState, 'startedBy' | 'startedOnPage'>): string | null {
  return startedBy === null ? null : sayerText({ by: startedBy, page_person: startedOnPage ?? undefined });
}
