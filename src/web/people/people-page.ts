import { html } from 'hono/html';
import { isoUtc } from '../../domain/time.ts';
import type { Html } from '../shell/parts.ts';
import { NAME_MAX, type Person, ROLE_WORDS, ROLES, type Role } from './people.ts';

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

function roleChoices(chosen: readonly Role[]): Html {
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

/** What administrators changed of a person's access, and nobody else has confirmed. */
export type ShownChanges = { words: readonly string[]; hold: 'all' | 'some' | null; mayConfirm: boolean };

type Shown = {
  person: Person;
  passkeys: number;
  changes: ShownChanges;
  link: string | null;
  done: string | null;
  wrong: string | null;
};

/** One person, as administrators see them. */
export function personPage({ person, passkeys, changes, link, done, wrong }: Shown): Html {
  const { id, name, roles, lockedAt } = person;
  return html`<p class="trail"><a href="/people">People</a></p>
<h1>${name}</h1>
${wrong === null ? '' : html`<p class="notice wrong" role="alert">${wrong}</p>`}
${done === null ? '' : html`<p class="notice done" role="status">${done}</p>`}
${link === null ? '' : linkNotice(name, link)}
${changesPart(person, changes)}
<div class="columns">
<section class="card" aria-labelledby="roles">
<h2 id="roles">What they may do</h2>
<form method="post" action="/people/${id}/roles">
${roleChoices(roles)}
<button>Change the roles</button>
</form>
</section>
<section class="card" aria-labelledby="in">
<h2 id="in">Coming in</h2>
<p class="soft">${stateText(person)}</p>
${lockedAt === null ? waysIn(person, passkeys) : ''}
<form method="post" action="/people/${id}/${lockedAt === null ? 'lock' : 'unlock'}">
<button${lockedAt === null ? html` class="danger"` : ''}>${lockedAt === null ? 'Lock out' : 'Let in again'}</button>
</form>
</section>
</div>`;
}

/** In red where approvals do not count. */
function changesPart({ id, name }: Person, { words, hold, mayConfirm }: ShownChanges): Html | '' {
  if (words.length === 0) return '';
  const effect =
    hold === 'all'
      ? `Approvals by ${name} do not count for 24 hours, and not at all for payments that the administrator prepares, until another administrator confirms the change.`
      : `Payments that ${name} and the administrator prepare and approve between them do not count as approved until another administrator confirms the change.`;
  return html`<section class="notice ${hold === null ? 'care' : 'wrong'} stack" aria-labelledby="changes">
<h2 id="changes">To be confirmed by another administrator</h2>
<ul class="points">${words.map((one) => html`<li>${one}</li>`)}</ul>
<p>${effect}</p>
${mayConfirm ? html`<p>Ask ${name} in person or by phone first: confirm only what ${name} knows of.</p><form method="post" action="/people/${id}/confirm"><button>Confirm the change</button></form>` : ''}
</section>`;
}

function linkNotice(name: string, link: string): Html {
  return html`<section class="notice stack" aria-labelledby="link">
<h2 id="link">The link for ${name}</h2>
<p>It is shown this once. Whoever opens it first comes in as ${name}, so give it to them in a way that only they can read. It is good for 24 hours.</p>
<pre tabindex="0">${link}</pre>
</section>`;
}

function stateText({ createdAt, lockedAt, hasComeIn }: Person): string {
  if (lockedAt !== null) return `Locked out since ${isoUtc(lockedAt).slice(0, 10)}.`;
  const since = isoUtc(createdAt).slice(0, 10);
  return hasComeIn ? `Here since ${since}.` : `Invited on ${since}, and has not come in yet.`;
}

function waysIn({ id, hasComeIn }: Person, passkeys: number): Html {
  const reset = hasComeIn
    ? html`<p class="soft small">A new link is for a forgotten password. They get a new key to sign with: plans and jobs that name the old one need the new one.</p>`
    : '';
  const some = html`<form method="post" action="/people/${id}/passkeys"><button>Remove ${passkeys === 1 ? 'their passkey' : `their ${passkeys} passkeys`}</button></form>`;
  return html`<form method="post" action="/people/${id}/link"><button>Make a new link</button></form>
${reset}
${passkeys === 0 ? '' : some}`;
}
