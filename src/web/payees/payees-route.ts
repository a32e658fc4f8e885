import { Hono } from 'hono';
import { html } from 'hono/html';
import { PayeeBooks } from '../history/payee-book.ts';
import { payeesPage } from '../history/payee-story.ts';
import { requireRole } from '../require-role.ts';
import { SEEING } from '../runs/found-run.ts';
import { errorPage } from '../shell/error-page.ts';
import { answer } from '../shell/layout.ts';
import { waitingPart } from '../uploads/checking-page.ts';
import type { Web, WebContext, WebEnv } from '../web.ts';
import { payeePage, payeesListPage } from './payees-page.ts';

const TEXT_MAX = 100;
/** So long the page waits for the runs to be read. */
const PATIENCE_MS = 1_000;

/** Whom runs have paid: their accounts, and what changed when. */
export function payeesRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const books = new WeakMap<Web, PayeeBooks>();
  const booksOf = (web: Web): PayeeBooks => {
    const known = books.get(web) ?? new PayeeBooks(web.deps.journal, web.deps.clock);
    books.set(web, known);
    return known;
  };

  app.get('/payees', requireRole(...SEEING), async (context) => {
    const book = await booksOf(context.var.web).look(patience(context));
    if (book === null) return waiting(context);
    const text = (context.req.query('q') ?? '').trim().slice(0, TEXT_MAX);
    const body = payeesListPage(book, payeesPage(book, text, pageAsked(context)), text);
    return answer(context, { title: 'Payees', here: 'payees', body });
  });

  app.get('/payees/:id', requireRole(...SEEING), async (context) => {
    const book = await booksOf(context.var.web).look(patience(context));
    if (book === null) return waiting(context);
    const payee = book.payees.find(({ id }) => id === context.req.param('id'));
    if (payee === undefined)
      return errorPage(context, {
        status: 404,
        what: 'There is no such payee in the newest runs.',
        remedy: 'Look for them under Payees.',
      });
    return answer(context, { title: payee.name, here: 'payees', body: payeePage(book, payee, pageAsked(context)) });
  });
  return app;
}

function patience(context: WebContext): number {
  return context.req.header('x-refresh') === undefined ? PATIENCE_MS : 0;
}

function waiting(context: WebContext) {
  const { pathname, search } = new URL(context.req.url);
  const words = 'Whom they have paid, and to which accounts, is gathered from the newest of them.';
  const body = html`<h1>Payees</h1>${waitingPart(`${pathname}${search}`, 'The runs are being read …', words)}`;
  return answer(context, { title: 'Payees', here: 'payees', asksAgain: true, body });
}

function pageAsked(context: WebContext): number {
  const asked = context.req.query('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
}
