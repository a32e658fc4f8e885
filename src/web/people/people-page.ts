import { NAME_MAX, type Person, ROLES, type Role } from '../../app/people/people.ts';
import { isoUtc } from '../../domain/time.ts';
import { type Html, html } from '../shell/html.ts';
import { choice, doneNotice, problemNotice, table } from '../shell/parts.ts';
import { ROLE_WORDS } from './access-words.ts';

/** Whether approvals by a person do not count: none, or those for plans of who reset them. */
type HoldOf = 'all' | 'some' | null;

const HOLD_WORDS = { all: 'approvals on hold', some: 'some approvals on hold' } as const;

/** The invitation that was refused, and why. */
export type WrongInvitation = { message: string; name: string; roles: readonly Role[] };

/** Everybody who may come in, and the form that invites one more. */
export function peoplePage(
  people: readonly Person[],
  holdOf: (id: string) => HoldOf,
  wrong: WrongInvitation | null,
): Html {
  const state = ({ id, lockedAt, hasComeIn }: Person): Html => {
    const hold = holdOf(id);
    return html`${lockedAt !== null ? 'locked out' : hasComeIn ? 'active' : 'invited'}${hold && html`<br><strong class="bad">${HOLD_WORDS[hold]}</strong>`}`;
  };
  const tags = ({ roles }: Person) =>
    html`<div class="tags">${roles.map((role) => html`<span class="tag">${ROLE_WORDS[role].label}</span>`)}</div>`;
  const team = table<Person>(
    'People and their roles',
    [
      ['Name', ({ id, name }) => html`<a href="/people/${id}">${name}</a>`, 'head'],
      ['Roles', tags],
      ['State', state],
    ],
    people,
    { frame: 'scroll' },
  );
  return html`<h1>People</h1>
<section class="card" aria-labelledby="everybody">
<h2 id="everybody">Team</h2>
${team}
</section>
<section class="card" aria-labelledby="invite">
<h2 id="invite">Invite member</h2>
<p class="soft">You get a link that is good once, for 24 hours. Give it to them in a way that only they can read.</p>
${problemNotice(wrong?.message ?? null)}
<form method="post" action="/people">
<label>Name <input name="name" required maxlength="${NAME_MAX}" autocomplete="off" value="${wrong?.name ?? ''}"></label>
${roleChoices('Roles', ROLES, wrong?.roles ?? [])}
<button class="primary">Create invitation</button>
</form>
</section>`;
}

/** Boxes for some roles, with what each of them may do. */
export function roleChoices(legend: string, roles: readonly Role[], chosen: readonly Role[]): Html {
  const choices = roles.map((role) => {
    const { label, means } = ROLE_WORDS[role];
    return choice('role', role, html`${label} <span class="soft">${means}</span>`, { isTicked: chosen.includes(role) });
  });
  return html`<fieldset><legend>${legend}</legend>${choices}</fieldset>`;
}

type PersonPage = {
  person: Person;
  passkeys: number;
  /** What administrators changed of the person's access and nobody else confirmed, in words; and who may confirm it. */
  changes: { words: readonly string[]; hold: HoldOf; mayConfirm: boolean };
  link: string | null;
  done: string | null;
  wrong: string | null;
};

/** One person, as administrators see them. */
export function personPage({ person, passkeys, changes, link, done, wrong }: PersonPage): Html {
  const { id, name, roles, lockedAt } = person;
  const isLocked = lockedAt !== null;
  return html`<p class="trail"><a href="/people">People</a></p>
<h1>${name}</h1>
${problemNotice(wrong)}
${doneNotice(done)}
${link && linkNotice(name, link)}
${changesPart(person, changes)}
<div class="columns">
<section class="card" aria-labelledby="roles">
<h2 id="roles">What they may do</h2>
<form method="post" action="/people/${id}/roles">
${roleChoices('Roles', ROLES, roles)}
<button>Change the roles</button>
</form>
</section>
<section class="card" aria-labelledby="in">
<h2 id="in">Coming in</h2>
<p class="soft">${stateText(person)}</p>
${!isLocked && waysIn(person, passkeys)}
<form method="post" action="/people/${id}/${isLocked ? 'unlock' : 'lock'}">
<button${!isLocked && html` class="danger"`}>${isLocked ? 'Let in again' : 'Lock out'}</button>
</form>
</section>
</div>`;
}

/** In red where approvals do not count. */
function changesPart({ id, name }: Person, { words, hold, mayConfirm }: PersonPage['changes']): Html | null {
  if (words.length === 0) return null;
  const effect =
    hold === 'all'
      ? `Approvals by ${name} do not count for 24 hours, and not at all for payments that the administrator prepares, until another administrator confirms the change.`
      : `Payments that ${name} and the administrator prepare and approve between them do not count as approved until another administrator confirms the change.`;
  return html`<section class="notice ${hold === null ? 'care' : 'wrong'} stack" aria-labelledby="changes">
<h2 id="changes">To be confirmed by another administrator</h2>
<ul class="points">${words.map((one) => html`<li>${one}</li>`)}</ul>
<p>${effect}</p>
${mayConfirm && html`<p>Ask ${name} in person or by phone first: confirm only what ${name} knows of.</p><form method="post" action="/people/${id}/confirm"><button>Confirm the change</button></form>`}
</section>`;
}

function linkNotice(name: string, link: string): Html {
  return html`<section class="notice stack" aria-labelledby="link">
<h2 id="link">The link for ${name}</h2>
<p>It is shown this once. The first person to open it signs in as ${name}, so give it to them in a way that only they can read. It is good for 24 hours.</p>
<pre tabindex="0">${link}</pre>
</section>`;
}

function stateText({ createdAt, lockedAt, hasComeIn }: Person): string {
  if (lockedAt !== null) return `Locked out since ${isoUtc(lockedAt).slice(0, 10)}.`;
  const since = isoUtc(createdAt).slice(0, 10);
  return hasComeIn ? `Here since ${since}.` : `Invited on ${since}, and has not come in yet.`;
}

function waysIn({ id, hasComeIn }: Person, passkeys: number): Html {
  const whose = passkeys === 1 ? 'their passkey' : `their ${passkeys} passkeys`;
  return html`<form method="post" action="/people/${id}/link"><button>Make a new link</button></form>
${hasComeIn && html`<p class="soft small">A new link is for a forgotten password. They get a new key to sign with: plans and jobs that name the old one need the new one.</p>`}
${passkeys > 0 && html`<form method="post" action="/people/${id}/passkeys"><button>Remove ${whose}</button></form>`}`;
}
