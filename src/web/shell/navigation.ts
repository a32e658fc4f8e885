import type { Entity } from '../../app/people/entities.ts';
import type { Role } from '../../app/people/grants.ts';
import { listed } from '../../messages/text.ts';
import { plural, t, textTable } from '../../messages/translate.ts';
import type { WebContext } from '../web.ts';
import { entitySwitcher } from './entity-switcher.ts';
import { type Html, html, raw } from './html.ts';
import { icon, type PlaceName } from './icon.ts';
import { count } from './parts.ts';
import { initials } from './words.ts';

/** What a page is about; the place in the navigation where it stands. */
export type Place = PlaceName | 'me' | null;

/** Who may see payments. */
export const SEEING = ['preparer', 'approver', 'viewer'] as const;

type NavigationPlace = { place: PlaceName; path: string; label: string; roles: readonly Role[]; isApart?: true };

const navigationPlaces = (): readonly NavigationPlace[] => [
  { place: 'overview', path: '/', label: t`Overview`, roles: [] },
  { place: 'payments', path: '/runs', label: t`Payments`, roles: SEEING },
  { place: 'approvals', path: '/approvals', label: t`Approvals`, roles: SEEING },
  { place: 'recipients', path: '/payees', label: t`Recipients`, roles: SEEING },
  { place: 'schedules', path: '/jobs', label: t`Schedules`, roles: SEEING },
  { place: 'reports', path: '/reports', label: t`Reports`, roles: SEEING },
  { place: 'team', path: '/people', label: t`Team`, roles: ['administrator'], isApart: true },
  {
    place: 'activity',
    path: '/audit',
    label: t`Activity`,
    roles: ['approver', 'viewer', 'administrator'],
    isApart: true,
  },
  { place: 'settings', path: '/settings', label: t`Settings`, roles: ['administrator'], isApart: true },
];

/** What the navigation has for this person: plans that wait for them, notices that they have not read, entities to choose. */
export type Bubbles = { waiting: number; notices: number; entities: readonly Entity[] };

/** The page to return to after switching entity or mode. A submitted form is not repeated. */
export function nextOf({ req }: WebContext): string {
  const { pathname, search } = new URL(req.url);
  return req.method === 'GET' ? `${pathname}${search}` : '/';
}

/** Places at the foot of a phone, of which the last leads to the others where there are more. */
const TABS = 5;

const ROLE_WORDS: Readonly<Record<Role, string>> = textTable({
  preparer: 'Preparer',
  approver: 'Approver',
  viewer: 'Viewer',
  administrator: 'Administrator',
});

function roleWords(roles: readonly Role[]): string[] {
  return roles.map((role) => ROLE_WORDS[role]);
}

/** Two roles at most; of more, the first and how many others. */
function rolesText(roles: readonly Role[]): string {
  const [first = '', ...others] = roleWords(roles);
  return others.length < 2
    ? listed(roleWords(roles))
    : t`${first}, ${plural(others.length, '# more role', '# more roles')}`;
}

/** Searches payouts and recipients. Narrow screens have a link to the search instead. */
const SEARCH = () =>
  html`<a class="bell find" href="/reports#find" title="Search">${icon('search')}<span class="hidden">Search</span></a><form class="seek" method="get" action="/reports">${icon('search')}<input type="search" name="q" maxlength="100" aria-label="Search payouts and recipients" placeholder="Search" autocomplete="off" data-seek><kbd aria-hidden="true">/</kbd></form>`;

/** The name of the product is the same in all languages. */
const WORDMARK = raw('<span>pay</span><i>run</i>');

/** The places that this person may see, and the person; the name of the product where nobody is signed in. */
export function navigation(context: WebContext, here: Place, { waiting, notices, entities }: Bubbles): Html {
  const person = context.var.person ?? null;
  if (person === null) return html`<header class="bare-brand"><span class="wordmark">${WORDMARK}</span></header>`;
  const places = navigationPlaces().filter(
    ({ roles }) => roles.length === 0 || roles.some((role) => person.roles.includes(role)),
  );
  const current = (place: Place) => place === here && html` aria-current="page"`;
  const link = ({ place, path, label }: NavigationPlace) => {
    const bubble = place === 'approvals' && waiting > 0;
    const words = html`<span>${label}</span>${bubble && html`<span class="bubble"><span class="hidden">for you: </span>${count(waiting)}</span>`}`;
    return html`<a href="${path}" title="${label}"${current(place)}>${icon(place)}${words}</a>`;
  };
  const seesRuns = SEEING.some((role) => person.roles.includes(role));
  const hasMore = places.length > TABS;
  const placeClass = ({ isApart }: NavigationPlace, at: number) => {
    const classes = [isApart && !places[at - 1]?.isApart && 'apart', hasMore && at >= TABS - 1 && 'untabbed'];
    const shown = classes.filter((name) => typeof name === 'string');
    return shown.length > 0 && html` class="${shown.join(' ')}"`;
  };
  return html`<header class="nav">
<div class="brand"><a class="wordmark" href="/">${WORDMARK}</a>
<a class="bell" href="/notices" title="Notices">${icon('notices')}<span class="hidden">Notices</span>${notices > 0 && html`<span class="bubble"><span class="hidden">unread: </span>${count(notices)}</span>`}</a></div>
${entitySwitcher(entities, context.var.session?.entityId ?? null, nextOf(context))}
${seesRuns && SEARCH()}
<nav aria-label="Main"><ul class="menu">
${places.map((each, at) => html`<li${placeClass(each, at)}>${link(each)}</li>`)}
${hasMore && html`<li class="more"><details><summary>${icon('more')}<span>More</span></summary><ul>${places.slice(TABS - 1).map((each) => html`<li>${link(each)}</li>`)}</ul></details></li>`}
</ul></nav>
<div class="me">
<a href="/me" title="${[person.name, ...roleWords(person.roles)].join(', ')}"${current('me')}><span class="avatar" aria-hidden="true">${initials(person.name)}</span><span class="who"><b>${person.name}</b><span>${rolesText(person.roles)}</span></span></a>
<form method="post" action="/sign-out"><button class="quiet" title="Sign out">${icon('sign-out')}<span class="hidden">Sign out</span></button></form>
</div>
</header>`;
}
