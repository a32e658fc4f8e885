import { html } from 'hono/html';
import type { Html } from '../web.ts';

/** `what` is why the last try was refused. */
export function signInPage({ next, name, what }: { next: string; name: string; what: string | null }): Html {
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
