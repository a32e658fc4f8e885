import { Hono } from 'hono';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted, number } from '../../messages/text.ts';
import { either, plural, t } from '../../messages/translate.ts';
import { seesRun } from '../../messages/viewer.ts';
import { requireRole } from '../require-role.ts';
import { isYes, readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, errorPage, patienceMs } from '../shell/layout.ts';
import { choice, hiddenField, runLink, waitingPart } from '../shell/parts.ts';
import { pageOver, type UploadBy, uploadBy } from '../uploads/upload-over.ts';
import { periodField, uploadHead } from '../uploads/upload-parts.ts';
import type { Upload } from '../uploads/uploads.ts';
import { onUpload } from '../uploads/uploads-route.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import type { PlanChoices, RefusedPlan } from './plannings.ts';
import { restForms, startForm, typedOf, wantedStart } from './start-fields.ts';

const PATIENCE_MS = 1_500;

const matching = (pattern: RegExp) => text.transform((typed) => (pattern.test(typed.trim()) ? typed.trim() : null));

const choices = {
  only_valid: isYes,
  period: matching(/^[\w-]{4,20}$/),
  allow_repeat: matching(/^R\d{8}-[0-9A-Z]{8}$/),
  at_time: isYes,
  ...startForm,
};

/** Making a plan of an upload. */
export function planRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const prepares = requireRole('preparer');
  app.post('/uploads/:id/plan', prepares, onUpload(begin));
  app.get('/uploads/:id/plan', prepares, onUpload(show));
  return app;
}

async function begin(context: WebContext, upload: Upload): Promise<Response> {
  const { web, person, session } = signedIn(context);
  const form = await readForm(context, choices);
  const { only_valid: onlyValid, period, allow_repeat: allowRepeat } = form;
  const start = form.at_time ? wantedStart(form) : null;
  if (start !== null && 'message' in start) return errorPage(context, { status: 422, ...start });
  if (person.keyFile === null)
    return errorPage(context, { status: 409, message: t`You have no key yet.`, remedy: t`Sign out and sign back in.` });
  await web.plannings.begin(
    upload,
    { person, passphrase: session.passphrase },
    { onlyValid, period, allowRepeat, start },
  );
  return context.redirect(`/uploads/${upload.id}/plan`, 303);
}

async function show(context: WebContext, upload: Upload): Promise<Response> {
  const { web } = context.var;
  const waitMs = patienceMs(context, PATIENCE_MS);
  const planned = await web.plannings.look(upload, waitMs);
  const by = await uploadBy(web, upload);
  const page = { title: upload.name, here: 'payments', ...pageOver(by) } as const;
  if (planned === 'busy') {
    const hint = t`Asking the service for balances, known recipients and fees. Nothing is sent.`;
    const waiting = waitingPart(`/uploads/${upload.id}/plan`, t`Planning …`, hint);
    return answer(context, { ...page, body: html`${uploadHead(upload, by, 'submit')}${waiting}`, asksAgain: true });
  }
  const isPoll = waitMs === 0;
  if (planned?.state === 'refused') {
    const body = notPlannedPage(upload, by, planned, await repeatOf(context, planned));
    return answer(context, { ...page, body }, isPoll ? 200 : 409);
  }
  const path = planned === null ? `/uploads/${upload.id}` : `/runs/${planned.runId}`;
  if (!isPoll) return context.redirect(path, 303);
  context.header('hx-redirect', path);
  return context.body(null, 200);
}

async function repeatOf({ var: { web } }: WebContext, refused: RefusedPlan): Promise<Repeat | null> {
  const { repeatable: runId, rows = null, payouts = null } = refused;
  // Somebody who may not see that run cannot confirm repeating it.
  if (runId === undefined || !seesRun(runId)) return null;
  return { runId, rows, payouts, earlier: paidOf((await web.runs.read(runId))?.run) };
}

/** Rows that are named; the others are counted. */
const ROWS_NAMED_MAX = 12;

/** Why no plan was made, and what can be chosen to make one after all. */
function notPlannedPage(upload: Upload, by: UploadBy, refused: RefusedPlan, repeat: Repeat | null): Html {
  const { message, remedy, choices } = refused;
  const period = html`<section class="card" aria-labelledby="period"><h2 id="period">Another period</h2>
<form method="post" action="/uploads/${upload.id}/plan">${onlyValidField(choices)}${timeFields(choices)}${periodField(choices.period ?? '')}<button>Submit it for that period</button></form></section>`;
  // Of a repetition its own part says more.
  const what = repeat === null && remedy && html`<p>${remedy}</p>`;
  return html`${uploadHead(upload, by, 'submit')}
<div class="notice wrong" role="alert"><p class="lead"><strong>No plan was made.</strong></p><p>${message}</p>${what}</div>
${repeat && repeatPart(upload, repeat, choices)}
${refused.other_period && period}
${refused.reason === 'not_scheduled' && otherTimePart(upload, refused)}
<p class="row"><a class="button" href="/uploads/${upload.id}">Back to the check</a></p>`;
}

/** The time that was chosen, as it was. */
function timeFields({ start }: PlanChoices): Html | null {
  if (start === null) return null;
  const typed = Object.entries(typedOf(start)).map(([name, value]) => hiddenField(name, value));
  return html`${hiddenField('at_time', 'yes')}${typed}${hiddenField('any_day', start.anyDay ? 'yes' : null)}`;
}

/** Where it cannot be started at the time that was chosen: a business day with one click, or no time. */
function otherTimePart(upload: Upload, { choices, day_of_rest: rest }: RefusedPlan): Html {
  const path = `/uploads/${upload.id}/plan`;
  const { period, allowRepeat } = choices;
  const same = html`${onlyValidField(choices)}${hiddenField('period', period)}${hiddenField('allow_repeat', allowRepeat)}`;
  const timed = html`${same}${hiddenField('at_time', 'yes')}`;
  const days = rest && {
    at: rest.at,
    timeZone: rest.time_zone,
    offered: rest.offered,
    isOfJob: rest.is_of_job,
  };
  return html`${days && restForms(path, days, timed)}
<form method="post" action="${path}">${same}<button>Submit it, and start it by hand</button></form>`;
}

function onlyValidField({ onlyValid }: PlanChoices): Html | null {
  return hiddenField('only_valid', onlyValid ? 'yes' : null);
}

/** What was paid before by `runId`: some rows of the file, or that run was of the same file or period (`rows` is null). */
type Repeat = {
  runId: string;
  rows: readonly number[] | null;
  /** How many payouts the file has, where that is known. */
  payouts: number | null;
  /** How many that run paid, and of how many, where it has ended. */
  earlier: { paid: number; of: number } | null;
};

/** What a run that has ended paid; null while it goes on. */
function paidOf(run: RunState | undefined): Repeat['earlier'] {
  const of = run?.header?.payouts;
  return run?.finished && of !== undefined ? { paid: run.finished.completed, of } : null;
}

/** What of a file was paid already, the way to pay only the rest, and how all of it is paid once more after all. */
function repeatPart(upload: Upload, repeat: Repeat, choices: PlanChoices): Html {
  const { runId, rows } = repeat;
  return html`<section class="card" aria-labelledby="repeat"><h2 id="repeat">It was paid before</h2>
${rows === null ? ofTheSame(repeat) : ofRows(repeat, rows)}
<form method="post" action="/uploads/${upload.id}/plan">${onlyValidField(choices)}${timeFields(choices)}${hiddenField('period', choices.period)}
${choice('allow_repeat', runId, tickText(repeat), { isRequired: true })}
<button class="danger">Submit it once more</button></form></section>`;
}

function ofRows({ runId, payouts }: Repeat, rows: readonly number[]): Html {
  const named = rows.slice(0, ROWS_NAMED_MAX).join(', ');
  const more = rows.length - ROWS_NAMED_MAX;
  const isOne = rows.length === 1;
  const many = number(rows.length);
  const ofAll = payouts === null ? `${many} ${isOne ? t`row` : t`rows`}` : t`${many} of ${counted(payouts, 'row')}`;
  const which = `${isOne ? t`row` : t`rows`} ${named}${more > 0 ? t` and ${number(more)} more` : ''}`;
  return html`<p>${ofAll} ${either(isOne, 'was', 'were')} paid already by ${runLink(runId)}, or wait there, with the same amount to the same account: ${which}.</p>
<p>Remove them from the file and upload it again. If this is a different payment, your administrator can change for how long a payment counts as the same.</p>`;
}

function ofTheSame({ runId, earlier }: Repeat): Html {
  const link = runLink(runId);
  if (earlier === null) return html`<p>Look at ${link}: it pays it.</p>`;
  const { paid, of } = earlier;
  const left = of - paid;
  if (left === 0)
    return html`<p>${link} paid it: ${of === 1 ? t`its one payout` : t`all ${counted(of, 'payout')}`}.</p>`;
  return html`<p>${number(paid)} of ${counted(of, 'payout')} were paid by ${link}. Pay the other ${number(left)} on the page of ${link}: there they are corrected, and nobody is paid twice.</p>`;
}

/** What the tick confirms. */
function tickText({ runId, rows, payouts, earlier }: Repeat): string {
  if (rows === null) {
    if (earlier === null) return t`I know that ${runId} paid it, and everyone is to be paid once more`;
    const again = t`${counted(earlier.paid, 'payout')} that it made ${plural(earlier.paid, 'is', 'are')}`;
    return t`I know that ${runId} paid it, and the ${again} to be paid once more`;
  }
  const isOne = rows.length === 1;
  const rest = payouts === null ? 0 : payouts - rows.length;
  const others = rest > 0 ? t`, beside the other ${number(rest)}` : '';
  return t`I know that ${runId} paid ${isOne ? t`this row` : t`these ${number(rows.length)} rows`}, and ${either(isOne, 'it is', 'they are')} to be paid once more${others}`;
}
