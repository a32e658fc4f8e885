import { html } from 'hono/html';
import { NAME_MAX, type Person } from '../people/people.ts';
import { ROLE_WORDS, type Role } from '../people/roles.ts';
import { accountField } from '../shell/account-field.ts';
import type { Html } from '../web.ts';
import { PASSWORD_MIN } from './passwords.ts';

export type Welcome =
  | { step: 'link'; what: string | null }
  | { step: 'enter'; token: string; who: Person | null; what: string | null; typed: Typed };

/** What the first person has filled in already. */
export type Typed = { name: string; roles: readonly Role[] };

/** Two steps: the link proves itself, then its owner says who they are and takes a password. */
export function welcomePage(welcome: Welcome): Html {
  const wrong = welcome.what === null ? '' : html`<p class="notice wrong" role="alert">${welcome.what}</p>`;
  if (welcome.step === 'link') {
    return html`<section class="door">
<h1>Welcome to payrun</h1>
${wrong}
<form method="post" action="/welcome" data-token-form>
<label>Your one-time link <input name="token" required autocomplete="off" spellcheck="false"></label>
<button class="primary">Continue</button>
</form>
<p class="soft small">Paste the link that you were given, if it is not there already.</p>
</section>`;
  }
  const { token, who, typed } = welcome;
  return html`<section class="door">
<h1>${who === null ? 'Welcome to payrun' : html`Welcome, ${who.name}`}</h1>
<p class="soft">${who === null ? 'You are the first here, and administer this page: you invite the others.' : rolesText(who)}</p>
${wrong}
<form method="post" action="/welcome/enter">
<input type="hidden" name="token" value="${token}">
${who === null ? firstFields(typed) : accountField(who.name)}
<label>Password <input name="password" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password" aria-describedby="password-hint"></label>
<p class="soft small" id="password-hint">At least ${PASSWORD_MIN} characters. Four words that nobody would put together are good. It also locks the key that you sign with, so nobody can look it up for you.</p>
<label>Confirm password <input name="again" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password"></label>
<button class="primary">Come in</button>
</form>
</section>`;
}

function firstFields({ name, roles }: Typed): Html {
  const also = (['preparer', 'approver'] as const).map(
    (role) =>
      html`<label class="choice"><input type="checkbox" name="role" value="${role}"${roles.includes(role) ? html` checked` : ''}> <span>${ROLE_WORDS[role].label} <span class="soft">${ROLE_WORDS[role].means}</span></span></label>`,
  );
  return html`<label>Your name <input name="name" value="${name}" required maxlength="${NAME_MAX}" autocomplete="name" autofocus></label>
<fieldset><legend>You may also be</legend>${also}</fieldset>
<p class="soft small">Nobody approves a plan that they made themself: for that you need a second person.</p>`;
}

function rolesText({ roles }: Person): Html {
  const words = roles.map((role) => ROLE_WORDS[role].label.toLowerCase());
  return html`You are invited as ${words.length === 0 ? 'a guest without a role' : words.join(', ')}. Choose your password.`;
}
