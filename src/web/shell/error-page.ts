import { html } from 'hono/html';
import type { WebContext } from '../web.ts';
import { layout } from './layout.ts';

export type Problem = {
  status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 422 | 429 | 500 | 503;
  /** What happened, and what to do about it. */
  what: string;
  remedy: string;
};

const TITLES: Readonly<Record<Problem['status'], string>> = {
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
};

/** What went wrong in plain words; nothing of how the program looks inside. */
export function errorPage(context: WebContext, { status, what, remedy }: Problem): Response | Promise<Response> {
  const body = html`<section class="narrow">
<h1>${TITLES[status]}</h1>
<p class="lead">${what}</p>
<p class="soft">${remedy}</p>
<p><a href="${status === 401 ? '/sign-in' : '/'}">${status === 401 ? 'Sign in' : 'To the first page'}</a></p>
</section>`;
  return context.html(layout(context, { title: TITLES[status], body }), status);
}
