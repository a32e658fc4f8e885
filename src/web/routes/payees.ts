import { Hono } from 'hono';
import { PayeeBooks } from '../history/payee-book.ts';
import { payeesPage } from '../history/payee-story.ts';
import { answer } from '../layout.ts';
import { errorPage } from '../pages/error-page.ts';
import { payeePage, payeesListPage } from '../pages/payees-page.ts';
import { requireRole } from '../require-role.ts';
import type { Web, WebContext, WebEnv } from '../web.ts';
import { SEEING } from './run.ts';

const TEXT_MAX = 100;

/** Whom runs have paid: their accounts, and what changed when. */
export function payeesRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const books = new WeakMap<Web, PayeeBooks>();
  const booksOf = (web: Web): PayeeBooks => {
    const known = books.get(web) ?? new PayeeBooks(web.doors.journal, web.doors.clock);
    books.set(web, known);
    return known;
  };

  app.get('/payees', requireRole(...SEEING), async (context) => {
    const book = await booksOf(context.var.web).read();
    const text = (context.req.query('q') ?? '').trim().slice(0, TEXT_MAX);
    const body = payeesListPage(book, payeesPage(book, text, pageAsked(context)), text);
    return answer(context, { title: 'Payees', here: 'payees', body });
  });

  app.get('/payees/:id', requireRole(...SEEING), async (context) => {
    const book = await booksOf(context.var.web).read();
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

function pageAsked(context: WebContext): number {
  const asked = context.req.query('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
}
