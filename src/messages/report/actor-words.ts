import type { Actor } from '../../domain/entry.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { t } from '../translate.ts';

/**
 * `root@desk-7`, and where a name of the page came with it, what that is worth: a command may be started with any name. With `isOnPage` the log of the page was looked at: it has what this person did (`Anna Berg on the page (account
 * root@desk-7)`), or has not. Without it nobody can say, and the account comes first.
 */
export function actorText({ by, page_person: person }: Actor, isOnPage?: boolean): string {
  if (person === undefined) return by;
  if (isOnPage === undefined) return t`${by}, for ${person} on the page`;
  return isOnPage ? t`${person} on the page (account ${by})` : t`${by}, who names ${person} on the page`;
}

/** Who started the run; null where nobody had to, or has. */
export function starterText(
  { startedBy, startedOnPage }: Pick<RunState, 'startedBy' | 'startedOnPage'>,
  isOnPage?: boolean,
): string | null {
  return startedBy === null ? null : actorText({ by: startedBy, page_person: startedOnPage ?? undefined }, isOnPage);
}
