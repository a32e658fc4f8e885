import { Hono } from 'hono';
import { membersOf } from '../people/members.ts';
import { policyPart } from '../people/team.ts';
import { requireRole } from '../require-role.ts';
import { signedIn, type WebEnv } from '../web.ts';
import { answerSettings } from './settings-frame.ts';

/** How everybody signs in. */
export function signInSettingsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/settings/sign-in', requireRole('administrator'), async (context) => {
    const { web, person } = signedIn(context);
    return answerSettings(
      context,
      'sign-in',
      await policyPart(web, await membersOf(web, await web.people.list(), person.id)),
    );
  });
  return app;
}
