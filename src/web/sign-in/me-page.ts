import { html } from 'hono/html';
import { isoUtc } from '../../domain/time.ts';
import type { Person } from '../people/people.ts';
import { ROLE_WORDS, type Role } from '../people/roles.ts';
import { accountField } from '../shell/account-field.ts';
import type { Html } from '../web.ts';
import { relyingParty } from './passkey-challenge.ts';
import type { Passkey } from './passkey-store.ts';
import { PASSWORD_MIN } from './passwords.ts';

type Me = {
  person: Person;
  passkeys: readonly Passkey[];
  origin: string;
  done: string | null;
  wrong: { at: 'password' | 'passkey'; what: string } | null;
};

/** Whose plans and approvals are signed. */
const SIGNING: readonly Role[] = ['preparer', 'approver'];

/** What a person has here: roles, password, passkeys, and the key that they sign with. */
export function mePage({ person, passkeys, origin, done, wrong }: Me): Html {
  const told = (at: 'password' | 'passkey') =>
    wrong?.at === at ? html`<p class="notice wrong" role="alert">${wrong.what}</p>` : '';
  return html`<h1>${person.name}</h1>
${done === null ? '' : html`<p class="notice done" role="status">${done}</p>`}
<div class="columns">
<section class="card" aria-labelledby="roles">
<h2 id="roles">What you may do</h2>
${person.roles.length === 0 ? html`<p class="soft">Nothing yet. Ask an administrator for a role.</p>` : ''}
<dl class="stack roles">${person.roles.map((role) => html`<div><dt>${ROLE_WORDS[role].label}</dt><dd class="soft">${ROLE_WORDS[role].means}</dd></div>`)}</dl>
</section>
<section class="card" aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
<p class="soft">With one, approving a plan takes your password and the passkey: your phone, your computer or a security key.${passkeys.length === 0 ? '' : ' Adding another and removing one take it too. Where you have lost it, an administrator removes your passkeys.'}</p>
${told('passkey')}
${passkeys.map((passkey) => passkeyRow(passkey, person))}
${relyingParty(origin) === null ? html`<p class="soft">They cannot be used here, because this page is reached by an address and not by a name.</p>` : addForm(person)}
</section>
<section class="card" aria-labelledby="password">
<h2 id="password">Password</h2>
${told('password')}
<form method="post" action="/me/password">
${accountField(person.name)}
<label>Your password now <input name="current" type="password" required autocomplete="current-password"></label>
<label>New password <input name="password" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password" aria-describedby="new-hint"></label>
<p class="soft small" id="new-hint">At least ${PASSWORD_MIN} characters. It also locks the key that you sign with.</p>
<label>Confirm password <input name="again" type="password" required minlength="${PASSWORD_MIN}" autocomplete="new-password"></label>
<button>Change the password</button>
</form>
</section>
</div>
${keyCard(person)}`;
}

function passkeyRow({ id, label, createdAt, usedAt }: Passkey, { name }: Person): Html {
  const used = usedAt === null ? 'not used yet' : `last used ${isoUtc(usedAt).slice(0, 10)}`;
  return html`<details>
<summary>${label} <span class="soft small">added ${isoUtc(createdAt).slice(0, 10)}, ${used}</span></summary>
<form method="post" action="/me/passkeys/remove" class="inside" data-passkey-get="/me/passkeys/ask">
<input type="hidden" name="id" value="${id}">
<input type="hidden" name="credential">
${accountField(name)}
<label>Your password <input name="current" type="password" required autocomplete="current-password"></label>
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<button class="danger">Remove ${label}</button>
</form>
</details>`;
}

function addForm({ name }: Person): Html {
  return html`<form method="post" action="/me/passkeys" data-passkey-get="/me/passkeys/ask" data-passkey-create="/me/passkeys/options">
${accountField(name)}
<label>What to call it <input name="label" required maxlength="64" placeholder="My phone" autocomplete="off"></label>
<label>Your password <input name="current" type="password" required autocomplete="current-password"></label>
<input type="hidden" name="credential">
<p class="notice wrong" role="alert" data-passkey-problem hidden></p>
<button>Add a passkey</button>
<noscript><p class="soft small">Passkeys need JavaScript.</p></noscript>
</form>`;
}

/** The line that a job's file names this person by, where somebody asks them for it. JSON text is YAML too. */
function keyCard({ name, publicKey, roles }: Person): Html | '' {
  if (publicKey === null || !roles.some((role) => SIGNING.includes(role))) return '';
  const line = `- {name: ${JSON.stringify(name)}, public_key: ${publicKey}}`;
  return html`<details class="card">
<summary>The key that you sign with</summary>
<p class="soft">Plans that you make or approve are signed with it. Plans of files that are uploaded here know it by themselves, so you need it only when whoever writes the files of jobs asks you for it. A job whose file has an <code>approval:</code> names you with this line, under <code>approvers:</code> or <code>preparers:</code></p>
<pre tabindex="0">${line}</pre>
</details>`;
}
