import { html } from 'hono/html';
import { isoUtc } from '../../domain/time.ts';
import type { Html } from '../web.ts';
import type { Person } from './people.ts';
import { roleChoices } from './people-page.ts';

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
