import { Hono } from 'hono';
import { beginSession, deviceToken, endSession, nextPath, requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import { addressOf, field, type WebEnv } from '../web.ts';
import { proveAtSignIn } from './prove.ts';
import { signInPage } from './sign-in-page.ts';

/** Coming in and going out. */
export function signInRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();

  app.get('/sign-in', (context) => {
    const next = nextPath(context.req.query('next'), context.var.web.options.origin);
    if (context.var.person !== null) return context.redirect(next, 303);
    return answer(context, { title: 'Sign in', body: signInPage({ next, name: '', what: null }) });
  });

  app.post('/sign-in', async (context) => {
    const { web } = context.var;
    const form = await context.req.parseBody();
    const [name, password] = [field(form, 'name'), field(form, 'password')];
    const next = nextPath(field(form, 'next'), web.options.origin);
    const address = addressOf(context);
    const proven = await proveAtSignIn(web, { name, password, address, deviceToken: deviceToken(context) });
    if (!proven.ok) {
      // What was typed as a name may be a password: only people who are known are written down.
      const whom = web.people.byName(name)?.id ?? null;
      web.audit.append({ person: null, act: 'sign_in_refused', details: { whom, address } });
      const { what, retryAfterSeconds } = proven;
      if (retryAfterSeconds !== null) context.header('retry-after', String(retryAfterSeconds));
      const body = signInPage({ next, name, what });
      return answer(context, { title: 'Sign in', body }, retryAfterSeconds === null ? 401 : 429);
    }
    beginSession(context, proven.person.id, proven.passphrase);
    web.audit.append({ person: proven.person.id, act: 'signed_in', details: { address } });
    return context.redirect(next, 303);
  });

  app.post('/sign-out', requireRole(), (context) => {
    const { web, person } = context.var;
    endSession(context);
    web.audit.append({ person: person?.id ?? null, act: 'signed_out' });
    return context.redirect('/sign-in', 303);
  });

  return app;
}
