import { Hono } from 'hono';
import { z } from 'zod';
import { COMMENT_MAX, cleanComment, isTooLong } from '../../app/comment.ts';
import type { PeopleParts } from '../../app/people/access.ts';
import { t, textTable } from '../../messages/translate.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { errorPage } from '../shell/layout.ts';
import { moment, type Problem } from '../shell/parts.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { type Found, onRun } from './found-run.ts';

/** What somebody wrote about a payment; `at` in Unix ms. */
export type Comment = { who: string; at: number; wrote: string };

/** Comments of one payment. */
const COMMENTS_MAX = 100;

const COMMENTED = 'commented';

/** Writing about a payment. Comments are in the audit log alone, so that none can be changed or removed. */
export function commentRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.post('/runs/:run/comments', requireRole(...SEEING), onRun(write));
  return app;
}

/** What was written about a payment, oldest first. */
export async function commentsOf(
  { audit, people }: Pick<PeopleParts, 'audit' | 'people'>,
  runId: string,
): Promise<Comment[]> {
  const entries = await audit.ofRuns([runId], [COMMENTED]);
  if (entries.length === 0) return [];
  const names = new Map((await people.list()).map(({ id, name }) => [id, name]));
  return entries.map(({ person, at, details }) => ({
    who: names.get(person ?? '') ?? 'somebody',
    at,
    wrote: z.string().catch('').parse(details.comment),
  }));
}

/** The comments of a payment, and a form for one more. */
export function commentsPart(runId: string, comments: readonly Comment[]): Html {
  const items = comments.map(
    ({ who, at, wrote }) =>
      html`<li><span><strong>${who}</strong> <span class="soft small">${moment(at)}</span></span><blockquote>${wrote}</blockquote></li>`,
  );
  const form = html`<form method="post" action="/runs/${runId}/comments">
<label>Comment <textarea name="comment" rows="3" maxlength="${COMMENT_MAX}" required aria-describedby="comment-why"></textarea></label>
<p class="soft small" id="comment-why">Everyone who can see this payment can read it. It cannot be changed or removed.</p>
<button>Add comment</button></form>`;
  return html`<section class="stack" id="comments" aria-labelledby="comments-head"><h2 id="comments-head">Comments</h2>
${items.length > 0 && html`<ol class="entries">${items}</ol>`}
${comments.length < COMMENTS_MAX ? form : html`<p class="soft">${FULL.message}</p>`}</section>`;
}

const FULL = textTable({
  get message() {
    return t`This payment has ${COMMENTS_MAX} comments and cannot have more.`;
  },
  remedy: '',
});

async function write(context: WebContext, { followed: { runId } }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const { comment } = await readForm(context, { comment: text.transform(cleanComment) });
  const refuse = (status: 409 | 422, problem: Problem) => errorPage(context, { status, ...problem });
  if (comment === '') return refuse(422, { message: t`The comment is empty.`, remedy: t`Enter a comment first.` });
  if (isTooLong(comment))
    return refuse(422, { message: t`The comment is longer than ${COMMENT_MAX} characters.`, remedy: t`Shorten it.` });
  if ((await web.audit.ofRuns([runId], [COMMENTED])).length >= COMMENTS_MAX) return refuse(409, FULL);
  await web.audit.append({ person: person.id, act: COMMENTED, runId, details: { comment } });
  return context.redirect(`/runs/${runId}/audit#comments`, 303);
}
