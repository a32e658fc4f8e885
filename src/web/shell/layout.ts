import type { Entity } from '../../app/people/entities.ts';
import type { RunCreated } from '../../domain/entry.ts';
import { nowText } from '../../messages/local-time.ts';
import { t, textTable } from '../../messages/translate.ts';
import { viewer } from '../../messages/viewer.ts';
import { entitiesOf } from '../page-entities.ts';
import { modesOf, type PageModes } from '../page-modes.ts';
import type { WebContext } from '../web.ts';
import { type Html, html } from './html.ts';
import { icon } from './icon.ts';
import { MODES, modeOf } from './mode.ts';
import { connectionsText, modeSwitch, narrowedText } from './mode-bar.ts';
import { type Bubbles, navigation, nextOf, type Place, SEEING } from './navigation.ts';
import type { Failure } from './parts.ts';
import { scriptTexts } from './script-texts.ts';

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
  const modes = await modesOfPage(context, page);
  const over = (await overOf(context, page)) ?? connectionsText(modes);
  return context.html(String(layout(context, { ...page, over }, modes, bubbles)), status);
}

/** The name of the connection that a payment goes over, where there are several. */
async function overOf({ var: { web } }: WebContext, { over = null, header = null }: Page): Promise<string | null> {
  if (over !== null || header === null || (await web.connections.list()).length < 2) return over;
  return (await web.connections.ofRun(header))?.name ?? null;
}

/** What went wrong is shown also while the database is away. */
function entitiesHere({ req, var: { web, person = null } }: WebContext): Promise<Entity[]> {
  if (person === null || req.header('x-refresh') !== undefined) return Promise.resolve([]);
  return entitiesOf(web, person).catch(() => []);
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

/** The mode of the payment or file the page shows; otherwise the chosen mode, or that of all connections. */
async function modesOfPage({ var: { web, person, session } }: WebContext, { rehearsal }: Page): Promise<PageModes> {
  const ofAll = (isRehearsal: boolean | null) => ({
    ...{ mode: modeOf(isRehearsal), chosen: null, choices: [], connections: [] },
  });
  if (rehearsal !== undefined) return ofAll(rehearsal);
  const sees = person !== null && SEEING.some((role) => person.roles.includes(role));
  // What went wrong is shown also while the database is away.
  return modesOf(web, sees ? person : null, session ?? { entityId: null, mode: null }).catch(() =>
    ofAll(web.options.rehearsal),
  );
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
export function askedPage(context: WebContext, name = 'page'): number {
  const asked = context.req.query(name) ?? '';
  return /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
}

/**
 * A whole page: the mode, the navigation of what this person may see, and the body. htmx and its extension are not
 * deferred: htmx that is begins at once, perhaps before the extension is there, and no run is watched.
 */
function layout(context: WebContext, page: Page, modes: PageModes, bubbles: Bubbles): Html {
  const { title, asksAgain, body, over = null } = page;
  const { mode } = modes;
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
<section class="modebar" aria-label="Live or test">${icon(sign)}<b>${word}</b> <span>${means}</span>${[over, narrowedText(modes)].map((words) => words && html` <span class="soft">${words}</span>`)}<span class="now">${nowText()}</span>${modeSwitch(modes, nextOf(context))}</section>
${navigation(context, page.here ?? null, bubbles)}
<main id="main" tabindex="-1">
${body}
</main>
</div>
</body>
</html>`;
}

/** The name of the product is the same in all languages. */
const PRODUCT = 'payrun';

const TITLES: Readonly<Record<Failure['status'], string>> = textTable({
  400: 'This could not be read',
  401: 'Please sign in',
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Not possible',
  408: 'Too slow',
  409: 'Not now',
  410: 'No longer available',
  413: 'Too large',
  422: 'Cannot be used',
  429: 'Too often',
  500: 'Something went wrong',
  503: 'Not now',
  507: 'Storage full',
});

/** What went wrong in plain words; nothing of how the program looks inside. */
export function errorPage(context: WebContext, { status, message, remedy }: Failure): Response | Promise<Response> {
  const [path, words] = status === 401 ? ['/sign-in', t`Sign in`] : ['/', t`Go to Overview`];
  const body = html`<section class="narrow">
<h1>${TITLES[status]}</h1>
<p class="lead">${message}</p>
<p class="soft">${remedy}</p>
<p><a href="${path}">${words}</a></p>
</section>`;
  return answer(context, { title: TITLES[status], body }, status);
}
