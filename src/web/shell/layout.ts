import type { Entity } from '../../app/people/entities.ts';
import type { Role } from '../../app/people/grants.ts';
import type { RunCreated } from '../../domain/entry.ts';
import { t, textTable } from '../../messages/translate.ts';
import { viewer } from '../../messages/viewer.ts';
import { entitiesOf } from '../page-entities.ts';
import type { WebContext } from '../web.ts';
import { entitySwitcher } from './entity-switcher.ts';
import { type Html, html, raw } from './html.ts';
import { type IconName, icon } from './icon.ts';
import { MODES, type Mode, modeOf, modeOfAll } from './mode.ts';
import { count, type Failure } from './parts.ts';
import { scriptTexts } from './script-texts.ts';

/** What a page is about; the place in the navigation where it stands. */
type Place =
  | 'overview'
  | 'payments'
  | 'approvals'
  | 'recipients'
  | 'schedules'
  | 'reports'
  | 'team'
  | 'activity'
  | 'settings'
  | 'me'
  | null;

type Page = {
  title: string;
  here?: Place;
  /** Whether no money moves in what the page shows, null where nobody knows yet; by default, what is known of all services. */
  rehearsal?: boolean | null;
  /** The payment that it is about, or the name of its connection: shown where there are several. */
  header?: RunCreated | null;
  over?: string | null;
  /** Whether it is to be asked for again soon, where no script does that. */
  asksAgain?: boolean;
  body: Html;
};

/** Who may see payments. */
export const SEEING = ['preparer', 'approver', 'viewer'] as const;

type NavigationPlace = { place: Place & IconName; path: string; label: string; roles: readonly Role[]; isApart?: true };

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

/** Answers with a whole page. */
export async function answer(
  context: WebContext,
  page: Page,
  status: 200 | Failure['status'] = 200,
): Promise<Response> {
  const bubbles = {
    waiting: await plansForMe(context, page),
    notices: await unreadNotices(context),
    entities: await entitiesHere(context),
  };
  return context.html(
    String(layout(context, { ...page, over: await overOf(context, page) }, await modeOfPage(context, page), bubbles)),
    status,
  );
}

/** The name of the connection that a payment goes over, where there are several. */
async function overOf({ var: { web } }: WebContext, { over = null, header = null }: Page): Promise<string | null> {
  if (over !== null || header === null || (await web.connections.list()).length < 2) return over;
  return (await web.connections.ofRun(header))?.name ?? null;
}

/** What the navigation has for this person: plans that wait for them, notices that they have not read, entities to choose. */
type Bubbles = { waiting: number; notices: number; entities: readonly Entity[] };

/** What went wrong is shown also while the database is away. */
function entitiesHere({ req, var: { web, person = null } }: WebContext): Promise<Entity[]> {
  if (person === null || req.header('x-refresh') !== undefined) return Promise.resolve([]);
  return entitiesOf(web, person).catch(() => []);
}

/** The page to come back to after another entity was chosen: what a form has changed is not done again. */
function nextOf({ req }: WebContext): string {
  const { pathname, search } = new URL(req.url);
  return req.method === 'GET' ? `${pathname}${search}` : '/';
}

/** How many notices this person has not read; 0 where nobody can tell, as on the page that says that the database is away. */
async function unreadNotices({ req, var: { web, person = null } }: WebContext): Promise<number> {
  if (person === null || !SEEING.some((role) => person.roles.includes(role))) return 0;
  if (req.header('x-refresh') !== undefined) return 0;
  const count = async () => {
    const unread = await web.notices.inbox.unread(person.id);
    return (await web.sight.of(person).notes(unread.map((runId) => ({ runId })))).length;
  };
  return count().catch(() => 0);
}

/**
 * That of what the page is about; else that of all connections of the entity that was chosen, of which the rehearsal counts where
 * there is nothing else.
 */
async function modeOfPage({ var: { web, session } }: WebContext, { rehearsal }: Page): Promise<Mode> {
  if (rehearsal !== undefined) return modeOf(rehearsal);
  // What went wrong is shown also while the database is away.
  const entity = session?.entityId ?? null;
  return web.connections.counted(entity).then(modeOfAll, () => modeOf(web.options.rehearsal));
}

/** How many plans wait for this person, for the navigation; 0 where it is not shown, or nobody can tell. */
async function plansForMe(context: WebContext, { here = null }: Page): Promise<number> {
  const { web, person } = context.var;
  if (here === null || person === null || !SEEING.some((role) => person.roles.includes(role))) return 0;
  // A part that a page asks for again is taken out of it without the navigation.
  if (context.req.header('x-refresh') !== undefined) return 0;
  const { plans } = await web.waitingPlans.of(person, 0);
  return plans.filter(({ isMine }) => isMine).length;
}

/** Answers with the part of a page that htmx asked for. */
export function answerPart(context: WebContext, part: Html): Response | Promise<Response> {
  return context.html(String(part));
}

/** How long work is waited for before the page says that it is under way; what the page asks for on its own does not wait. */
export function patienceMs(context: WebContext, mostMs = 1_000): number {
  return context.req.header('x-refresh') === undefined ? mostMs : 0;
}

/** The page of a list that is asked for, from 1. What is no number is the first. */
export function askedPage(context: WebContext): number {
  const asked = context.req.query('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
}

/**
 * A whole page: the mode, the navigation of what this person may see, and the body. htmx and its extension are not
 * deferred: htmx that is begins at once, perhaps before the extension is there, and no run is watched.
 */
function layout(context: WebContext, page: Page, mode: Mode, bubbles: Bubbles): Html {
  const { title, asksAgain, body, over = null } = page;
  const { word, means, icon: sign, favicon } = MODES[mode];
  const isIn = (context.var.person ?? null) !== null;
  return html`<!doctype html>
<html lang="${viewer().language}"${scriptTexts()}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}${mode !== 'unknown' && ` · ${word}`} · ${PRODUCT}</title>
<link rel="stylesheet" href="/static/page.css">
<link rel="icon" href="/static/${favicon}" type="image/svg+xml">
<script src="/static/vendor/htmx.min.js"></script>
<script src="/static/vendor/hx-sse.min.js"></script>
<script src="/static/page.js" defer></script>
${asksAgain && html`<noscript><meta http-equiv="refresh" content="2"></noscript>`}
</head>
<body class="${mode}">
<a class="skip" href="#main">Skip to the content</a>
<div class="frame${!isIn && ' bare'}">
<section class="modebar" aria-label="Live or test">${icon(sign)}<b>${word}</b> <span>${means}</span>${over && html` <span class="soft">${over}</span>`}</section>
${navigation(context, page.here ?? null, bubbles)}
<main id="main" tabindex="-1">
${body}
</main>
</div>
</body>
</html>`;
}

/** The name of the product is the same in all languages. */
const WORDMARK = raw('<span>pay</span><i>run</i>');
const PRODUCT = 'payrun';

function navigation(context: WebContext, here: Place, { waiting, notices, entities }: Bubbles): Html | null {
  const person = context.var.person ?? null;
  if (person === null) return null;
  const places = navigationPlaces().filter(
    ({ roles }) => roles.length === 0 || roles.some((role) => person.roles.includes(role)),
  );
  const current = (place: Place) => place === here && html` aria-current="page"`;
  const link = ({ place, path, label }: NavigationPlace) => {
    const bubble = place === 'approvals' && waiting > 0;
    const words = html`<span>${label}</span>${bubble && html`<span class="bubble"><span class="hidden">for you: </span>${count(waiting)}</span>`}`;
    return html`<a href="${path}" title="${label}"${current(place)}>${icon(place)}${words}</a>`;
  };
  return html`<header class="nav">
<div class="brand"><a class="wordmark" href="/">${WORDMARK}</a>
<a class="bell" href="/notices" title="Notices">${icon('notices')}<span class="hidden">Notices</span>${notices > 0 && html`<span class="bubble"><span class="hidden">unread: </span>${count(notices)}</span>`}</a></div>
${entitySwitcher(entities, context.var.session?.entityId ?? null, nextOf(context))}
<nav aria-label="Main"><ul class="menu">
${places.map((each, at) => html`<li${each.isApart && !places[at - 1]?.isApart && html` class="apart"`}>${link(each)}</li>`)}
</ul></nav>
<div class="me">
<a href="/me" title="${person.name}"${current('me')}>${person.name}</a>
<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>
</div>
</header>`;
}

const TITLES: Readonly<Record<Failure['status'], string>> = textTable({
  400: 'This could not be read',
  401: 'Please sign in',
  403: 'Not allowed',
  404: 'Not here',
  405: 'Not possible',
  408: 'Too slow',
  409: 'Not now',
  410: 'Not here any more',
  413: 'Too large',
  422: 'That cannot be used',
  429: 'Too often',
  500: 'Something is broken',
  503: 'Not now',
  507: 'No room',
});

/** What went wrong in plain words; nothing of how the program looks inside. */
export function errorPage(context: WebContext, { status, message, remedy }: Failure): Response | Promise<Response> {
  const [path, words] = status === 401 ? ['/sign-in', t`Sign in`] : ['/', t`To the first page`];
  const body = html`<section class="narrow">
<h1>${TITLES[status]}</h1>
<p class="lead">${message}</p>
<p class="soft">${remedy}</p>
<p><a href="${path}">${words}</a></p>
</section>`;
  return answer(context, { title: TITLES[status], body }, status);
}
