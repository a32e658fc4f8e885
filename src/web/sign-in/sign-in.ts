import { Hono } from 'hono';
import type { Person } from '../../app/people/people.ts';
import { t } from '../../messages/translate.ts';
import { deviceToken, endSession, nextPath, requireRole } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { hiddenField, problemNotice } from '../shell/parts.ts';
import { addressOf, signedIn, type Web, type WebEnv } from '../web.ts';
import { proveAtSignIn } from './prove.ts';
import { isOfProvider } from './provider-person.ts';
import { enter, secondFactorOf } from './second-factor.ts';

/** Signing in and out. */
export function signInRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();

  app.get('/sign-in', async (context) => {
    const next = nextPath(context.req.query('next'), context.var.web.options.origin);
    if (context.var.person !== null) return context.redirect(next, 303);
    return answer(context, { title: t`Sign in`, body: signInPage(context.var.web, next, '', null) });
  });

  app.post('/sign-in', async (context) => {
    const { web } = context.var;
    const form = await readForm(context, { name: text, password: text, next: text });
    const next = nextPath(form.next, web.options.origin);
    const address = addressOf(context);
    const isAll = async (person: Person) => (await secondFactorOf(web, person)) === null;
    const proven = await proveAtSignIn(web, { ...form, address, device: deviceToken(context) }, isAll);
    if (!proven.ok) {
      // What was typed as a name may be a password: only people who are known are written down.
      const tried = (await web.people.byName(form.name))?.id ?? null;
      await web.audit.append({ person: null, act: 'sign_in_refused', details: { whom: tried, address } });
      const { message, retryAfterSeconds } = proven;
      if (retryAfterSeconds !== null) context.header('retry-after', String(retryAfterSeconds));
      const body = signInPage(web, next, form.name, message);
      return answer(context, { title: t`Sign in`, body }, retryAfterSeconds === null ? 401 : 429);
    }
    if (await isOfProvider(web, proven.person)) {
      const message = t`You sign in with ${web.provider?.name}; a password alone is not enough.`;
      return answer(context, { title: t`Sign in`, body: signInPage(web, next, '', message) }, 403);
    }
    const entered = await enter(context, proven, next);
    if (entered.isWhole) await web.audit.append({ person: proven.person.id, act: 'signed_in', details: { address } });
    return context.redirect(entered.path, 303);
  });

  app.post('/sign-out', requireRole(), async (context) => {
    const { web, person, session } = signedIn(context);
    await endSession(context);
    await web.audit.append({ person: person.id, act: 'signed_out' });
    const idToken = session.provider?.idToken ?? null;
    const place = idToken === null ? null : ((await web.provider?.signOutUrl(idToken)) ?? null);
    if (place === null) return context.redirect('/sign-in', 303);
    // A form of ours leads to no other host: browsers refuse that.
    context.set('person', null);
    return answer(context, { title: t`Signed out`, body: signedOutPage(web, place) });
  });

  return app;
}

function signedOutPage({ provider }: Web, place: string): Html {
  return html`<section class="door">
<h1>You are signed out of payrun</h1>
<p>You are still signed in with ${provider?.name}. On a computer that others use, sign out there too.</p>
<p><a class="button primary" href="${place}">Sign out of ${provider?.name}</a></p>
<p class="soft small"><a href="/sign-in">Sign in again</a></p>
</section>`;
}

/** `wrong` is why the last try was refused. */
function signInPage({ provider }: Web, next: string, name: string, wrong: string | null): Html {
  const focus = html` autofocus`;
  return html`<section class="door">
<h1>Sign in</h1>
${problemNotice(wrong)}
${provider && html`<p><a class="button" href="/sign-in/provider?next=${encodeURIComponent(next)}">Sign in with ${provider.name}</a></p>`}
<form method="post" action="/sign-in">
${hiddenField('next', next)}
<label>Name <input name="name" value="${name}" required maxlength="64" autocomplete="username" autocapitalize="none" spellcheck="false"${name === '' && focus}></label>
<label>Password <input name="password" type="password" required autocomplete="current-password"${name !== '' && focus}></label>
<button class="primary">Sign in</button>
</form>
<p class="soft small">No account yet, or forgot your password? Ask an administrator for a link.</p>
</section>`;
}
