import { TimeSlice } from '../../app/background/time-slice.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import { either, t } from '../../messages/translate.ts';
import type { FollowedRun } from '../runs/followed-run.ts';
import { mayAct as isActor, pageOf } from '../runs/found-run.ts';
import { FIRST_ROWS, rowsPage } from '../runs/rows/rows.ts';
import { rowsPart } from '../runs/rows/rows-part.ts';
import { actsPart, nameLine, pageProof, runHead } from '../runs/run-head.ts';
import { commentsOf, filesPart, timelinePart } from '../runs/timeline.ts';
import { runTotals, totalsBar } from '../runs/totals.ts';
import { type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { answer } from '../shell/layout.ts';
import { facts, hiddenField, moment, problemNotice, runLink } from '../shell/parts.ts';
import { capitalized, paymentName, planText } from '../shell/words.ts';
import { signedIn, type WebContext } from '../web.ts';
import { comparedCounts, comparedPart } from './compared-part.ts';
import { editsPart } from './edits-part.ts';
import { newConnectionOf, newConnectionPart } from './new-connection.ts';
import { approversPart, moneyPart, preparerName, verificationPart } from './plan-parts.ts';
import { seenExtras } from './plan-view.ts';
import { recallForm } from './schedule-plan.ts';
import { nextStep, planWaitsText, scheduledPart } from './scheduled.ts';
import { approverWarnings, mayEnd, type StandingFor, standingFor, startRefused, WHY_WITHDRAWN } from './standing.ts';
import type { WaitingPlan } from './waiting-plans.ts';
import { graveWarnings, otherWarnings } from './warnings-part.ts';

/** What is asked for again while the page is open: who has approved it, and what comes next. */
type PlanLive = StandingFor & {
  runId: string;
  run: RunState;
  /** Whether this person approves plans of others; and may start and discard them. */
  isApprover: boolean;
  mayStart: boolean;
  mayAct: boolean;
  /** Whether they may reject it, or recall it. */
  mayEnd: Awaited<ReturnType<typeof mayEnd>>;
  /** Another plan that this person can approve, once they cannot approve this one (any more). */
  nextToApprove: Pick<WaitingPlan, 'runId' | 'name'> | null;
  /** Why it was refused its start at the time that it was scheduled for; null where it was not. */
  startRefused: string | null;
};

/** Who has approved it and what comes next, as far as it concerns who looks. */
export async function planLive(context: WebContext, { run, runId }: FollowedRun): Promise<PlanLive> {
  const { web, person } = signedIn(context);
  const isApprover = person.roles.includes('approver');
  const standing = await standingFor(web, run, person);
  const { scheduled, whyNot } = standing;
  const waiting = isApprover && whyNot !== null ? (await web.waitingPlans.of(person, 0)).plans : [];
  return {
    ...standing,
    nextToApprove: waiting.find((other) => other.mayApprove && other.runId !== runId) ?? null,
    startRefused: scheduled && (await startRefused(web, run, scheduled.start)),
    runId,
    run,
    isApprover,
    mayStart: person.roles.includes('preparer'),
    mayAct: isActor(context),
    mayEnd: await mayEnd(web, run, person),
  };
}

/** Shows a plan that awaits approval or its start: totals first, then warnings, changed account details first. */
export async function showPlan(context: WebContext, followed: FollowedRun): Promise<Response> {
  const { run, runId } = followed;
  const { web, person } = signedIn(context);
  const extras = await seenExtras(web, person, followed);
  const rows = await rowsPage(followed, FIRST_ROWS, new TimeSlice(web.deps.clock));
  const proof = await pageProof(web, run);
  const live = await planLive(context, followed);
  const totals = runTotals(followed, 'planned');
  const body = html`${runHead(run, proof, { tab: 'payouts', ...planActs(live) })}
<div class="payment">
<div class="stack">
${problemNotice(await web.runTasks.refusal(runId))}
${planLivePart(live)}
<noscript><p><a class="button" href="/runs/${runId}">Look again</a></p></noscript>
${moneyPart(run, extras, html`<h2 id="money">Totals</h2>${totalsBar(totals.counts, {})}`)}
${newConnectionPart(await newConnectionOf(web, run))}
${approversPart(await approverWarnings(web, run, person))}
${graveWarnings(followed, extras)}
${editsPart(run)}
${comparedPart(runId, extras)}
${otherWarnings(followed, extras)}
${factsPart(run)}
${rowsPart(runId, rows, { isLive: false, isStarted: false })}
</div>
<aside class="side" aria-label="Timeline and files">${await planTimeline(context, live)}
${comparedCounts(extras)}
${filesPart(run)}</aside>
</div>`;
  return answer(context, { ...pageOf(run), body });
}

/** Who has approved it, for the page that is open: `isLive` where it takes the place of the timeline that stands there. */
export async function planTimeline(
  context: WebContext,
  { run, runId, ...live }: PlanLive,
  isLive = false,
): Promise<Html> {
  const { web } = context.var;
  const [proof, comments] = [await pageProof(web, run), await commentsOf(web, runId)];
  return html`<div id="plan-timeline"${isLive && html` hx-swap-oob="outerMorph"`}>${timelinePart(run, { proof, comments, next: nextStep(live) })}</div>`;
}

/** The part that is exchanged as people approve it, so that nobody has to load the page again. */
export function planLivePart(page: PlanLive): Html {
  return html`<div id="plan-live" class="stack" hx-get="/runs/${page.runId}/standing" hx-trigger="every 2s" hx-select="#plan-live" hx-swap="outerMorph" hx-headers='{"x-refresh": "plan"}'>
${page.overtaken === null ? nextPart(page) : overtakenPart(page, page.overtaken)}
</div>`;
}

/** The status and the actions for the page's head. The primary one is the next step. */
function planActs(page: PlanLive): { status: Html; actions: Html | null } {
  const { runId, run, standing, overtaken, scheduled, isApprover, whyNot, mayStart, mayAct, mayEnd: ends } = page;
  const isAhead = scheduled?.state === 'ahead';
  const toDiscard = `/runs/${runId}/cancel`;
  if (overtaken !== null) {
    const discard = html`<a class="button primary" href="${toDiscard}">Discard payment</a>`;
    return { status: html`<span class="status not_submitted">Superseded</span>`, actions: html`${mayAct && discard}` };
  }
  const waiting = standing.rowsMissing.length;
  const payable = run.plan?.payouts ?? 0;
  const status = html`<span class="status waiting">${!standing.isReady ? t`Awaiting approval` : isAhead ? t`Scheduled` : t`Approved`}</span>`;
  const start =
    waiting === 0 &&
    startForm(runId, { isAhead, words: t`Start ${either(isAhead, 'now', 'paying')} ${planText(run)}` });
  const startOthers =
    waiting > 0 &&
    waiting < payable &&
    startForm(runId, { onlyValid: true, words: t`Pay the other ${counted(payable - waiting, 'row')} only` });
  const schedule = html`<a class="button" href="/runs/${runId}/schedule">${either(scheduled === null, 'Schedule…', 'Change the time…')}</a>`;
  const mayStartNow = standing.isReady && mayStart;
  const isTimed = mayStart && Boolean(run.plan?.approval);
  const actions = actsPart([
    isTimed && schedule,
    isTimed && scheduled && recallForm(runId),
    ends.rejected && html`<a class="button" href="/runs/${runId}/reject">Reject…</a>`,
    ends.recalled && html`<a class="button" href="/runs/${runId}/recall">Recall…</a>`,
    mayAct && html`<a class="button" href="${toDiscard}">Discard payment</a>`,
    isApprover &&
      whyNot === null &&
      html`<a class="button primary" href="/runs/${runId}/approve">Review and approve</a>`,
    mayStartNow && startOthers,
    mayStartNow && start,
  ]);
  return { status, actions };
}

/** The same, to replace the head of an open page. */
export function planHead(page: PlanLive): Html {
  const { header } = page.run;
  return nameLine(header === null ? '' : paymentName(header), planActs(page), true);
}

function nextPart(page: PlanLive): Html {
  const { standing, onHold, isApprover, whyNot, mayStart, mayAct, scheduled, nextToApprove: next } = page;
  const { isReady, withdrawn } = standing;
  const isAhead = scheduled?.state === 'ahead';
  return html`<section class="banner" aria-labelledby="next">${icon('clock')}<div><h2 id="next" aria-live="polite">${planWaitsText(standing, scheduled)}</h2>
<p>Nothing has been sent. Any change needs a new approval.</p>
${scheduled && scheduledPart(scheduled, page.startRefused)}
${approvalsPart(standing)}
${isReady && !mayStart && mayAct && !isAhead && html`<p>A preparer starts it.</p>`}
${isApprover && whyNot && !isReady && html`<p>${capitalized(whyNot.text)}</p>`}
${next && html`<p>Next to approve: <a href="/runs/${next.runId}/approve">${next.name}</a></p>`}
</div></section>
${onHold.map((words) => html`<div class="notice wrong"><p>${words}</p></div>`)}
${withdrawn.map(({ name, why }) => html`<p class="notice care">The approval by ${name} does not count: ${name} ${WHY_WITHDRAWN[why]}. Another approver must approve it, or a preparer plans it again.</p>`)}`;
}

/** A plan that cannot be paid any more can only be discarded. */
function overtakenPart({ run }: PlanLive, overtaken: string): Html {
  const retried = runLink(run.header?.retries ?? '');
  return html`<section class="banner care" aria-labelledby="next">${icon('decide')}<div><h2 id="next">This plan can no longer be paid</h2>
<p>It pays rows of ${retried}, and so does ${runLink(overtaken)}, which was started after it was planned. Nothing was sent by this plan. What is still to be paid stands in ${retried}: plan it again from there.</p>
</div></section>`;
}

type StartForm = { onlyValid?: boolean; isAhead?: boolean; words: string };

function startForm(runId: string, { onlyValid = false, isAhead = false, words }: StartForm): Html {
  const isMain = !onlyValid && !isAhead;
  return html`<form method="post" action="/runs/${runId}/start">${hiddenField('only_valid', onlyValid ? 'yes' : null)}<button class="${isMain ? 'primary' : ''}">${words}</button></form>`;
}

function factsPart(run: RunState): Html {
  const { header, plan, createdAt } = run;
  const { recipients_to_create: recipients = 0, accounts_to_create: accounts = 0 } = plan?.payees ?? {};
  const isNone = recipients + accounts === 0;
  const created = t`${counted(recipients, 'recipient')} and ${counted(accounts, 'account')}`;
  return html`<section class="stack" aria-labelledby="facts"><h2 id="facts">Approval details</h2>
${facts([
  [t`Made by`, html`${preparerName(plan)}, ${moment(createdAt, 'sentence')}`],
  [t`File`, header?.input.name],
  [t`New recipients`, isNone ? t`Nothing: every payee and account is known there.` : created],
])}
${verificationPart(run)}</section>`;
}

/** Who has approved it; who has not is in the title above. */
function approvalsPart({ given }: StandingFor['standing']): Html | null {
  if (given.length === 0) return null;
  const each = given.map(
    ({ name, at, until, rows }, n) =>
      html`${n > 0 && html`<br>`}${name}, ${moment(at, 'sentence')}, good until ${moment(until, 'sentence')}${rows.length > 0 && t`, with ${counted(rows.length, 'row')} to new accounts`}`,
  );
  return html`<p>Approvals: ${each}</p>`;
}
