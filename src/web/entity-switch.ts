import { Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Grant } from '../app/people/grants.ts';
import { entitiesOf } from './page-entities.ts';
import { modesOf } from './page-modes.ts';
import { nextPath, requireRole } from './require-role.ts';
import { readForm, text } from './shell/form.ts';
import { signedIn, type WebEnv } from './web.ts';

/**
 * The pages that list payments, files, jobs or recipients. Anything opened from them shows, whatever its entity and
 * mode.
 */
const LISTS = /^\/(runs|approvals|jobs|payees(\.\w+)?|reports(\/.*)?)?$/;
/** A new payment starts in the chosen mode, but may be for any entity. */
const NEW_PAYMENT = '/uploads/new';

const oneMode = z.enum(['live', 'test']).nullable().catch(null);

/** Filters the lists of this session by entity and mode. It grants no permissions. */
export function entitySwitchRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.post('/entity', requireRole(), async (context) => {
    const { web, person, session } = signedIn(context);
    const { entity, next } = await readForm(context, { entity: text, next: text });
    const known = await entitiesOf(web, person);
    const entityId = known.some(({ id }) => id === entity) ? entity : null;
    await web.sessions.narrow(session, { ...session, entityId });
    return context.redirect(nextPath(next, web.options.origin), 303);
  });
  app.post('/mode', requireRole(), async (context) => {
    const { web, session } = signedIn(context);
    const { mode, next } = await readForm(context, { mode: oneMode, next: text });
    await web.sessions.narrow(session, { ...session, mode });
    return context.redirect(nextPath(next, web.options.origin), 303);
  });
  return app;
}

/** Lists show what the person may already see, limited to the entity and mode they chose. */
export const narrowLists: MiddlewareHandler<WebEnv> = async (context, next) => {
  const { web, person, session } = context.var;
  const isNew = context.req.path === NEW_PAYMENT;
  if (person !== null && session !== null && (isNew || LISTS.test(context.req.path))) {
    const entity = isNew ? null : session.entityId;
    // The other mode may no longer be available.
    const mode = session.mode && (await modesOf(web, person, session)).chosen;
    const grants = entity === null ? person.grants : person.grants.flatMap((grant) => within(grant, entity));
    if (entity !== null || mode !== null) context.set('here', { ...person, grants, ...(mode !== null && { mode }) });
  }
  await next();
};

function within(grant: Grant, entity: string): Grant[] {
  return grant.entity === null || grant.entity === entity ? [{ ...grant, entity }] : [];
}
