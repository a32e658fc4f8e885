import type { Role } from '../../app/people/people.ts';
import { messages } from '../../messages/messages.ts';
import type { WebContext } from '../web.ts';
import { type Html, html } from './html.ts';
import type { Failure } from './parts.ts';

/** What a page is about; the place in the navigation where it stands. */
type Place = 'home' | 'runs' | 'jobs' | 'payees' | 'people' | 'audit' | 'me' | null;

type Page = {
  title: string;
  here?: Place;
  /** Whether no money moves in what the page shows; by default, what is known of the service. */
  rehearsal?: boolean | null;
  /** Whether it is to be asked for again soon, where no script does that. */
  asksAgain?: boolean;
  body: Html;
};

const PLACES: readonly { place: Place; path: string; label: string; roles: readonly Role[] }[] = [
  { place: 'home', path: '/', label: 'Pay', roles: [] },
  { place: 'runs', path: '/runs', label: 'Runs', roles: ['preparer', 'approver', 'viewer'] },
  { place: 'jobs', path: '/jobs', label: 'Jobs', roles: ['preparer', 'approver', 'viewer'] },
  { place: 'payees', path: '/payees', label: 'Payees', roles: ['preparer', 'approver', 'viewer'] },
  { place: 'people', path: '/people', label: 'People', roles: ['administrator'] },
  { place: 'audit', path: '/audit', label: 'Audit', roles: ['approver', 'viewer', 'administrator'] },
];

/** Answers with a whole page. */
export function answer(
  context: WebContext,
  page: Page,
  status: 200 | Failure['status'] = 200,
): Response | Promise<Response> {
  return context.html(String(layout(context, page)), status);
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
 * A whole page: the band where no money moves, the navigation of what this person may see, and the body. htmx and its
 * extension are not deferred: htmx that is begins at once, perhaps before the extension is there, and no run is watched.
 */
function layout(context: WebContext, { title, here = null, rehearsal, asksAgain, body }: Page): Html {
  const isRehearsal = rehearsal === undefined ? context.var.web?.options.rehearsal : rehearsal;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · payrun</title>
<link rel="stylesheet" href="/static/page.css">
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<script src="/static/vendor/htmx.min.js"></script>
<script src="/static/vendor/hx-sse.min.js"></script>
<script src="/static/page.js" defer></script>
${asksAgain && html`<noscript><meta http-equiv="refresh" content="2"></noscript>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
${isRehearsal && html`<p class="band">${messages.outcomes.REHEARSAL_BAND}</p>`}
${top(context, here)}
</header>
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>`;
}

function top(context: WebContext, here: Place): Html {
  const person = context.var.person ?? null;
  if (person === null) return html`<div class="top"><a class="brand" href="/">payrun</a></div>`;
  const places = PLACES.filter(({ roles }) => roles.length === 0 || roles.some((role) => person.roles.includes(role)));
  const current = (place: Place) => place === here && html` aria-current="page"`;
  return html`<div class="top">
<a class="brand" href="/">payrun</a>
<nav aria-label="Main"><ul>
${places.map(({ place, path, label }) => html`<li><a href="${path}"${current(place)}>${label}</a></li>`)}
</ul></nav>
<div class="who">
<a href="/me"${current('me')}>${person.name}</a>
<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>
</div>
</div>`;
}

const TITLES: Readonly<Record<Failure['status'], string>> = {
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
};

/** What went wrong in plain words; nothing of how the program looks inside. */
export function errorPage(context: WebContext, { status, message, remedy }: Failure): Response | Promise<Response> {
  const [path, words] = status === 401 ? ['/sign-in', 'Sign in'] : ['/', 'To the first page'];
  const body = html`<section class="narrow">
<h1>${TITLES[status]}</h1>
<p class="lead">${message}</p>
<p class="soft">${remedy}</p>
<p><a href="${path}">${words}</a></p>
</section>`;
  return answer(context, { title: TITLES[status], body }, status);
}
