import type { Entity } from '../app/people/entities.ts';
import type { Person } from '../app/people/people.ts';
import type { WebParts } from './parts.ts';

/** The entities of which a person sees anything. */
export async function entitiesOf({ entities }: Pick<WebParts, 'entities'>, { grants }: Person): Promise<Entity[]> {
  const all = await entities.list();
  return all.filter(({ id }) => grants.some(({ entity }) => entity === null || entity === id));
}
