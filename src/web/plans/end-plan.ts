import { Hono } from 'hono';
import { actorOnPage } from '../../app/actor.ts';
import { COMMENT_MAX, cleanComment, isTooLong } from '../../app/comment.ts';
import type { PlanEnd } from '../../domain/entry.ts';
import { t, textTable } from '../../messages/translate.ts';
import { refusedBy } from '../refused.ts';
import { requireRole } from '../require-role.ts';
import { type Found, onRun, pageOf, toRun, whenRead } from '../runs/found-run.ts';
import { pageProof, runHead } from '../runs/run-head.ts';
import { readForm, text } from '../shell/form.ts';
import { html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { type Problem, problemNotice } from '../shell/parts.ts';
import { planText } from '../shell/words.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { mayEnd } from './standing.ts';

/** The two ways to end a plan that awaits its approval or its start, and who ends it so. */
const WAYS = textTable(
  {
    rejected: {
      path: 'reject',
      role: 'approver',
      title: 'Reject this payment?',
      field: 'Reason',
      why: 'The preparer reads this and corrects the payment.',
      effect: 'It will never be paid: nobody can approve or start it, here or by command. Its approvals are void.',
      button: 'Reject',
      mayNot: 'You cannot reject this payment.',
      mayNotWhy: 'Only one of its approvers can reject it, before it starts.',
    },
    recalled: {
      path: 'recall',
      role: 'preparer',
      title: 'Recall this payment?',
      field: 'Reason (optional)',
      why: 'The approvers can read this.',
      effect:
        'It can no longer be approved, and its approvals are void. The file stays, so you can correct it and submit it again.',
      button: 'Recall',
      mayNot: 'You cannot recall this payment.',
      mayNotWhy: 'Only the preparer can recall it, before it starts.',
    },
  },
  ['path', 'role'],
);

/** An approver rejects a plan with a reason; the person who made it recalls it. Both end it for good. */
export function endPlanRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  for (const as of ['rejected', 'recalled'] as const) {
    const { path, role } = WAYS[as];
    const requires = requireRole(role);
    app.get(
      `/runs/:run/${path}`,
      requires,
      whenRead,
      onRun((context, found) => ask(context, found, as, null)),
    );
    app.post(
      `/runs/:run/${path}`,
      requires,
      onRun((context, found) => end(context, found, as)),
    );
  }
  return app;
}

async function ask(
  context: WebContext,
  { followed: { run, runId } }: Found,
  as: PlanEnd['as'],
  wrong: (Problem & { typed: string }) | null,
): Promise<Response> {
  const { web, person } = signedIn(context);
  const { path, title, field, why, effect, button, mayNot, mayNotWhy } = WAYS[as];
  const head = runHead(run, await pageProof(web, run));
  if (!(await mayEnd(web, run, person))[as]) {
    const body = html`${head}
<div class="notice care"><p class="lead">${mayNot}</p><p>${mayNotWhy}</p></div>
<p><a href="/runs/${runId}">Back to the payment</a></p>`;
    return answer(context, { ...pageOf(run), body }, 409);
  }
  const invalid = wrong !== null && html` aria-invalid="true"`;
  const body = html`${head}
${problemNotice(wrong)}
<section class="card narrow" aria-labelledby="end">
<h2 id="end">${title}</h2>
<p>Nothing was sent, and nothing will be. Its ${planText(run)} will not be paid by it. ${effect}</p>
<form method="post" action="/runs/${runId}/${path}">
<label>${field} <textarea name="reason" rows="4" maxlength="${COMMENT_MAX}"${as === 'rejected' && html` required`}${invalid} aria-describedby="reason-why">${wrong?.typed}</textarea></label>
<p class="soft small" id="reason-why">${why}</p>
<div class="row"><button class="danger">${button} ${planText(run)}</button><a class="button" href="/runs/${runId}">Keep it</a></div>
</form></section>`;
  return answer(context, { ...pageOf(run), body }, wrong === null ? 200 : 422);
}

async function end(context: WebContext, found: Found, as: PlanEnd['as']): Promise<Response> {
  const { web, person } = signedIn(context);
  const { runId } = found.followed;
  const { reason } = await readForm(context, { reason: text.transform(cleanComment) });
  const refuse = (problem: Problem) => ask(context, found, as, { ...problem, typed: reason });
  if (as === 'rejected' && reason === '')
    return refuse({ message: t`A rejection needs a reason.`, remedy: t`Write what is to be corrected.` });
  if (isTooLong(reason))
    return refuse({ message: t`The reason is longer than ${COMMENT_MAX} characters.`, remedy: t`Shorten it.` });
  const { calls, account, log } = web.deps;
  const actor = actorOnPage(account, person.name);
  try {
    await calls.endWaiting({ runId, as, publicKey: person.publicKey ?? '', reason, actor });
  } catch (error) {
    const broken = { message: t`It could not be written.`, remedy: t`Try again.` };
    return refuse(refusedBy(error, broken, (why) => log.error({ run: runId, error: why }, 'a plan was not ended')));
  }
  await web.audit.append({ person: person.id, act: as, runId, details: { reason } });
  return toRun(context, runId);
}
