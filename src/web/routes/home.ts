import { Hono } from 'hono';
import { html } from 'hono/html';
import { answer } from '../layout.ts';
import { requireRole } from '../require-role.ts';
import { signedIn, type WebEnv } from '../web.ts';

/** The first page: what this person can do next. */
export function homeRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/', requireRole(), (context) => {
    const { person } = signedIn(context);
    const body = html`<h1>Good day, ${person.name}</h1>`;
    return answer(context, { title: 'Pay', here: 'home', body });
  });
  return app;
}
