import { Hono } from 'hono';
import { html } from 'hono/html';
import { beginSession, deviceToken, endSession, nextPath, requireRole } from '../require-role.ts';
import { answer } from '../shell/layout.ts';
import type { Html } from '../shell/parts.ts';
import { addressOf, field, type WebEnv } from '../web.ts';
import { proveAtSignIn } from './prove.ts';

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

/** `what` is why the last try was refused. */
function signInPage({ next, name, what }: { next: string; name: string; what: string | null }): Html {
  return html`<section class="door">
<h1>Sign in</h1>
${what === null ? '' : html`<p class="notice wrong" role="alert" id="wrong">${what}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="next" value="${next}">
<label>Name <input name="name" value="${name}" required maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false"${name === '' ? html` autofocus` : ''}></label>
<label>Password <input name="password" type="password" required autocomplete="current-password"${name === '' ? '' : html` autofocus`}></label>
<button class="primary">Sign in</button>
</form>
<p class="soft small">No account, or a forgotten password? Ask an administrator of this page for a link.</p>
</section>`;
}
