import { Hono } from 'hono';
import { actorOnPage } from '../../app/actor.ts';
import { latestStart, type WantedStart } from '../../app/schedule/plan-start.ts';
import type { StartTime } from '../../domain/entry.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ScheduleFault } from '../../domain/refusals/run-reasons.ts';
import { scheduledStart } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { counted } from '../../messages/text.ts';
import { either, t } from '../../messages/translate.ts';
import { viewer } from '../../messages/viewer.ts';
import { refusedBy } from '../refused.ts';
import { requireRole } from '../require-role.ts';
import { type Found, onRun, pageOf, toRun, whenRead } from '../runs/found-run.ts';
import { pageProof, runHead } from '../runs/run-head.ts';
import { readForm } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { type Problem, problemNotice } from '../shell/parts.ts';
import { planText } from '../shell/words.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { startText } from './scheduled.ts';
import {
  offeredStart,
  restForms,
  startFields,
  startForm,
  type TypedStart,
  typedOf,
  wantedStart,
} from './start-fields.ts';

/** A preparer sets when a plan is started on its own, changes that, or recalls it. */
export function schedulePlanRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const prepares = requireRole('preparer');
  app.get(
    '/runs/:run/schedule',
    prepares,
    whenRead,
    onRun((context, found) => ask(context, found, null)),
  );
  app.post('/runs/:run/schedule', prepares, onRun(schedule));
  app.post('/runs/:run/schedule/recall', prepares, onRun(recall));
  return app;
}

/** What is wrong with what somebody typed; `fault`: why it cannot be started then. */
type Wrong = Problem & { typed: TypedStart; fault: ScheduleFault | null };

async function ask(context: WebContext, { followed: { run, runId }, snapshot }: Found, wrong: Wrong | null) {
  const { web } = context.var;
  if (snapshot.isStarted || run.cancelled || !run.plan?.approval) return toRun(context, runId);
  const { approval } = run.plan;
  const set = scheduledStart(run)?.start ?? null;
  const typed = wrong?.typed ?? (set === null ? offeredStart(web, run.header?.job ?? null) : typedOf(set));
  const path = `/runs/${runId}/schedule`;
  const body = html`${runHead(run, await pageProof(web, run))}
${problemNotice(wrong)}
${wrong?.fault?.why === 'day_of_rest' && restForms(path, wrong.fault)}
<section class="card narrow" aria-labelledby="when"><h2 id="when">${either(set === null, 'When should it start?', 'Change the time')}</h2>
<p>If it is approved by then, it starts at that time in your name, without another click: ${planText(run)}. Everything is checked again first, as when someone clicks Start.</p>
${set && html`<p>Now it is scheduled for <strong>${startText(set)}</strong>.</p>`}
<form method="post" action="${path}">${startFields(typed)}
<p class="soft small">${boundText(latestStart(await web.deps.reads.now(), approval.valid_for_ms), approval.valid_for_ms, typed.start_zone)}</p>
<div class="row"><button class="primary">${either(set === null, 'Schedule it', 'Change the time')}</button><a class="button" href="/runs/${runId}">Leave it</a></div>
</form></section>`;
  return answer(context, { ...pageOf(run), body }, wrong === null ? 200 : 422);
}

const HOUR_MS = 3_600_000;

/** The latest start that can be chosen here, and how to pay on a later day. */
function boundText(latest: number, validForMs: number, typedZone: string): string {
  const timeZone = typedZone === '' ? viewer().timeZone : typedZone;
  const hours = counted(Math.floor(validForMs / HOUR_MS), 'hour');
  return t`Latest start: ${startText({ at: latest, time_zone: timeZone })}. Approvals of this payment last ${hours}. For a later date, recall it and submit it again with that date: approvals of a payment that is scheduled at submission last until it starts.`;
}

async function schedule(context: WebContext, found: Found): Promise<Response> {
  const typed = await readForm(context, startForm);
  const wanted = wantedStart(typed);
  if ('message' in wanted) return ask(context, found, { ...wanted, typed, fault: null });
  const { runId } = found.followed;
  const refused = await write(context, runId, wanted);
  if (refused !== null) return ask(context, found, { ...refused, typed });
  await note(context, runId, 'scheduled', wanted);
  return toRun(context, runId);
}

async function recall(context: WebContext, { followed: { runId, run } }: Found): Promise<Response> {
  const set = scheduledStart(run)?.start ?? null;
  if (set !== null && (await write(context, runId, null)) === null)
    await note(context, runId, 'schedule_recalled', set);
  return toRun(context, runId);
}

/** Null where it is written; else why not. */
async function write(context: WebContext, runId: string, start: WantedStart | null) {
  const { web, person } = signedIn(context);
  const { calls, account, log } = web.deps;
  const actor = actorOnPage(account, person.name);
  try {
    await calls.schedulePlan({ runId, start, publicKey: person.publicKey ?? '', actor });
    return null;
  } catch (error) {
    const broken = { message: t`It could not be written.`, remedy: t`Try again.` };
    const refused = refusedBy(error, broken, (why) =>
      log.error({ run: runId, error: why }, 'a plan was not scheduled'),
    );
    const fault = error instanceof Refusal && error.reason.code === 'not_scheduled' ? error.reason.fault : null;
    return { ...refused, fault };
  }
}

async function note(context: WebContext, runId: string, act: string, start: StartTime): Promise<void> {
  const { web, person } = signedIn(context);
  const details = { time: isoUtc(start.at), time_zone: start.time_zone };
  await web.audit.append({ person: person.id, act, runId, details });
}

/** The button by which the time of a plan is recalled. */
export function recallForm(runId: string): Html {
  return html`<form method="post" action="/runs/${runId}/schedule/recall"><button>Remove the time</button></form>`;
}
