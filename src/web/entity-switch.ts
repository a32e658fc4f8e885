import { Hono, type MiddlewareHandler } from 'hono';
import type { Grant } from '../app/people/grants.ts';
import { entitiesOf } from './page-entities.ts';
import { nextPath, requireRole } from './require-role.ts';
import { readForm, text } from './shell/form.ts';
import { signedIn, type WebEnv } from './web.ts';

/** The pages that list payments, files, jobs or recipients. What is opened from them shows itself, of whichever entity. */
const LISTS = /^\/(runs|approvals|jobs|payees(\.\w+)?|reports(\/.*)?)?$/;

/** Choosing the entity that lists are narrowed to, for this session: it grants nothing. */
export function entitySwitchRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.post('/entity', requireRole(), async (context) => {
    const { web, person, session } = signedIn(context);
    const { entity, next } = await readForm(context, { entity: text, next: text });
    const known = await entitiesOf(web, person);
    await web.sessions.setEntity(session, known.some(({ id }) => id === entity) ? entity : null);
    return context.redirect(nextPath(next, web.options.origin), 303);
  });
  return app;
}

/** On lists a person sees what they see of the entity that they chose, and no more than before. */
export const narrowLists: MiddlewareHandler<WebEnv> = async (context, next) => {
  const { person, session } = context.var;
  const entity = session?.entityId ?? null;
  if (person !== null && entity !== null && LISTS.test(context.req.path))
    context.set('here', { ...person, grants: person.grants.flatMap((grant) => within(grant, entity)) });
  await next();
};

function within(grant: Grant, entity: string): Grant[] {
  return grant.entity === null || grant.entity === entity ? [{ ...grant, entity }] : [];
}
