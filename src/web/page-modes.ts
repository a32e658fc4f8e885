import type { OneMode, Person } from '../app/people/people.ts';
import { countedIn, type PageConnection, type PageConnections } from './page-connections.ts';
import { type Mode, modeOf, modeOfAll } from './shell/mode.ts';

/** A session's choice of entity and mode. */
type Narrowed = { readonly entityId: string | null; readonly mode: OneMode | null };

/**
 * The mode of lists and new payments. `chosen`: the person's choice; `choices`: what they can switch to, empty if every
 * connection has the same mode. `connections`: those of the mode that the person may see.
 */
export type PageModes = {
  mode: Mode;
  chosen: OneMode | null;
  choices: readonly OneMode[];
  connections: readonly PageConnection[];
};

/** Of the chosen entity. Rehearsals count only if there is nothing else, or if the person chose them. */
export async function modesOf(
  web: { connections: PageConnections },
  person: Pick<Person, 'grants'> | null,
  { entityId, mode: wanted }: Narrowed,
): Promise<PageModes> {
  const all = (await web.connections.usable()).filter(({ entity }) => entityId === null || entity.id === entityId);
  const counted = countedIn(all);
  const mode = modeOfAll(counted);
  if (person === null) return { mode, chosen: null, choices: [], connections: [] };
  const seen = (one: PageConnection) => person.grants.some(({ entity }) => entity === null || entity === one.entity.id);
  const usable = all.filter(seen);
  const both = (['live', 'test'] as const).filter((each) => usable.some((one) => isOf(one, each)));
  if (both.length < 2) return { mode, chosen: null, choices: [], connections: counted.filter(seen) };
  const shown = wanted ?? mode;
  return {
    mode: shown,
    chosen: wanted,
    choices: both.filter((each) => each !== shown),
    connections: wanted === null ? counted.filter(seen) : usable.filter((one) => isOf(one, wanted)),
  };
}

export function isOf({ isRehearsal }: Pick<PageConnection, 'isRehearsal'>, mode: OneMode): boolean {
  return modeOf(isRehearsal) === mode;
}
