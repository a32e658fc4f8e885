import { Hono } from 'hono';
import { z } from 'zod';
import { COMMENT_MAX, cleanComment, isTooLong } from '../../app/comment.ts';
import type { PeopleParts } from '../../app/people/access.ts';
import type { StartTime } from '../../domain/entry.ts';
import { isPlannedOnly, type RunState } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import { counted } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import { preparerName } from '../plans/plan-parts.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { errorPage } from '../shell/layout.ts';
import { moment, type Problem, runLink } from '../shell/parts.ts';
import { countWords, sizeText } from '../shell/words.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { type Found, onRun } from './found-run.ts';
import { type PageProof, starterText } from './run-head.ts';

/** What happened to a payment, who did it, when (Unix ms), and what they wrote. */
type Step = {
  what: string;
  who?: Shown;
  at: number | null;
  wrote?: string | undefined;
  look?: 'now' | 'wrong' | 'next' | 'note';
};

/** Beside what the journal has of it: what people wrote, and what comes next (null where nothing does). `isBrief`: without reasons. */
type Beside = { proof: PageProof; comments: readonly Comment[]; next: string | null; isBrief?: boolean };

/** The paid file, and the reports. */
export function filesPart({ header }: RunState): Html | null {
  if (header === null) return null;
  const { run_id: runId, input } = header;
  return html`<section aria-labelledby="files"><h2 id="files">Files</h2>
<p>${icon('draft')} <a href="/runs/${runId}/files">${input.name}</a> <span class="soft small">${sizeText(input.bytes)}</span></p>
<p>${icon('draft')} <a href="/runs/${runId}/files#reports">Reports</a></p></section>`;
}

/** From the person who prepared it over its approvers to its end, and what comes next; in the order in which it happened. */
export function timelinePart(run: RunState, { proof, comments, next, isBrief = false }: Beside): Html {
  const written = comments.map(({ who, at, wrote }): Step => ({ what: t`Comment`, who, at, wrote, look: 'note' }));
  const steps = [...stepsOf(run, proof), ...written].sort((one, other) => (one.at ?? 0) - (other.at ?? 0));
  if (next !== null) steps.push({ what: next, at: null, look: 'next' });
  return html`<section class="timeline-part" aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
<ol class="timeline">${steps.map((step) => stepItem(isBrief ? { ...step, wrote: '' } : step))}</ol></section>`;
}

function* stepsOf(run: RunState, proof: PageProof): Generator<Step> {
  const { plan, createdAt, approvals, planEnd, replacedBy, finishedAt, finished, startedAt } = run;
  if (plan !== null) yield { what: t`Prepared`, who: preparerName(plan), at: createdAt };
  for (const { approver, signed_at, rows, comment } of approvals) {
    const what = rows.length === 0 ? t`Approved` : t`Approved, with ${counted(rows.length, 'row')} to new accounts`;
    yield { what, who: approver, at: signed_at, wrote: comment };
  }
  yield* scheduleSteps(run);
  if (isPlannedOnly(run)) {
    if (planEnd !== null) {
      const { as, person, reason } = planEnd;
      const what = as === 'rejected' ? t`Rejected` : t`Recalled`;
      yield { what, who: person, at: finishedAt, wrote: reason, ...(as === 'rejected' && { look: 'wrong' }) };
    } else if (replacedBy !== null) yield { what: t`Replaced`, who: runLink(replacedBy), at: finishedAt };
    else if (run.cancelled) yield { what: t`Discarded`, at: finishedAt };
    return;
  }
  const started = { what: t`Sending started`, who: starterText(run, proof), at: startedAt ?? createdAt };
  yield finished === null && !run.paused && run.stopped === null ? { ...started, look: 'now' } : started;
  if (finished !== null) {
    const what = run.cancelled ? t`Stopped` : t`Completed`;
    yield { what, who: `${countWords(finished)}`, at: finishedAt, ...(run.cancelled && { look: 'wrong' }) };
  }
}

function* scheduleSteps({ schedules }: RunState): Generator<Step> {
  let before: StartTime | null = null;
  for (const { start, actor, setAt } of schedules) {
    yield { what: scheduleText(start, before === null), who: actor.page_person ?? actor.by, at: setAt };
    before = start;
  }
}

function scheduleText(start: StartTime | null, isFirst: boolean): string {
  if (start === null) return t`Time removed`;
  const time = messages.schedules.timeInZone(start.at, start.time_zone);
  return isFirst ? t`Scheduled for ${time}` : t`Time changed to ${time}`;
}

const ICONS = { done: 'check', now: 'start', wrong: 'stopped', note: 'draft' } as const;

function stepItem({ what, who, at, wrote = '', look }: Step): Html {
  return html`<li><span class="node ${look}">${look !== 'next' && icon(ICONS[look ?? 'done'])}</span><strong>${what}</strong>
${who && html`<span class="soft small">${who}</span>`}
${at !== null && html`<span class="soft small">${moment(at)}</span>`}
${wrote !== '' && html`<q>${wrote}</q>`}</li>`;
}

/** A comment; `at` in Unix ms. */
export type Comment = { who: string; at: number; wrote: string };

/** Per payment. */
const COMMENTS_MAX = 100;

const COMMENTED = 'commented';

/** Comments are stored only in the audit log, so that none can be changed or removed. */
export function commentRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.post('/runs/:run/comments', requireRole(...SEEING), onRun(write));
  return app;
}

/** A payment's comments, oldest first. */
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

/** The comments of a payment, and the form to add one. */
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
