import { html } from 'hono/html';
import type { Html } from '../web.ts';
import { NAME_MAX, type Person } from './people.ts';
import { ROLE_WORDS, ROLES, type Role } from './roles.ts';

type Wrong = { what: string; name: string; roles: readonly Role[] } | null;

/** Everybody who may come in, and the form that invites one more. */
export function peoplePage({
  people,
  onHold,
  wrong,
}: {
  people: readonly Person[];
  /** Whether approvals by a person do not count: none, or those for plans of who reset them. */
  onHold(id: string): 'all' | 'some' | null;
  wrong: Wrong;
}): Html {
  return html`<h1>People</h1>
<section class="card" aria-labelledby="everybody">
<h2 id="everybody">Team</h2>
<div class="scroll" tabindex="0" role="region" aria-label="People and their roles"><table class="rows">
<thead><tr><th scope="col">Name</th><th scope="col">Roles</th><th scope="col">State</th></tr></thead>
<tbody>${people.map((person) => personRow(person, onHold(person.id)))}</tbody>
</table></div>
</section>
<section class="card" aria-labelledby="invite">
<h2 id="invite">Invite member</h2>
<p class="soft">You get a link that is good once, for 24 hours. Give it to them in a way that only they can read.</p>
${wrong === null ? '' : html`<p class="notice wrong" role="alert">${wrong.what}</p>`}
<form method="post" action="/people">
<label>Name <input name="name" required maxlength="${NAME_MAX}" autocomplete="off" value="${wrong?.name ?? ''}"></label>
${roleChoices(wrong?.roles ?? [])}
<button class="primary">Create invitation</button>
</form>
</section>`;
}

export function roleChoices(chosen: readonly Role[]): Html {
  const choices = ROLES.map(
    (role) =>
      html`<label class="choice"><input type="checkbox" name="role" value="${role}"${chosen.includes(role) ? html` checked` : ''}> <span>${ROLE_WORDS[role].label} <span class="soft">${ROLE_WORDS[role].means}</span></span></label>`,
  );
  return html`<fieldset><legend>Roles</legend>${choices}</fieldset>`;
}

const HOLD_WORDS = { all: 'approvals on hold', some: 'some approvals on hold' } as const;

function personRow({ id, name, roles, lockedAt, hasComeIn }: Person, hold: 'all' | 'some' | null): Html {
  const tags = roles.map((role) => html`<span class="tag">${ROLE_WORDS[role].label}</span>`);
  const state = lockedAt !== null ? 'locked out' : hasComeIn ? 'active' : 'invited';
  const held = hold === null ? '' : html`<br><strong class="bad">${HOLD_WORDS[hold]}</strong>`;
  return html`<tr><th scope="row"><a href="/people/${id}">${name}</a></th><td data-label="Roles"><div class="tags">${tags}</div></td><td data-label="State">${state}${held}</td></tr>`;
}
