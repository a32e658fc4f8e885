import { PAYOUTS_OF_A_TOTAL_MIN } from '../../app/people/sight.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { isReadyNow, standingFor, waitsForText } from '../plans/standing.ts';
import { hasOneOf } from '../require-role.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, answerPart } from '../shell/layout.ts';
import { moment, problemNotice } from '../shell/parts.ts';
import { paymentName } from '../shell/words.ts';
import { unnamed } from '../sights.ts';
import { signedIn, type WebContext } from '../web.ts';
import { type FollowedRun, reportCounts } from './followed-run.ts';
import { type Found, mayAct, pageOf } from './found-run.ts';
import { statusPill } from './payment-status.ts';
import { listedStateOf } from './result-page.ts';
import { crumbs, nameLine, pageProof, starterText, viewersPart } from './run-head.ts';
import { timelinePart } from './timeline.ts';
import { totalsPart } from './totals.ts';
import { liveActs, livePart, sidePart } from './watch-page.ts';

/** Why an act did nothing, for who sees no names and amounts: the reason itself may name a row. */
export const NOT_DONE = textTable({
  message: 'The last action was not carried out.',
  remedy: 'Who sees names and amounts of this payment can read why.',
});

/** A payment without names and amounts: how it stands, by counts, and what can be done with it as a whole. */
export async function showCounts(context: WebContext, found: Found): Promise<Response> {
  const { web } = context.var;
  const { followed, snapshot } = found;
  const { run } = followed;
  const proof = await pageProof(web, run);
  const isOver = snapshot.phase === 'finished';
  const body = html`${await headPart(context, found)}
<div class="payment"><div class="stack">
${isOver ? totalsPart(snapshot.totals, { isOver, isBrief: true }) : await openPart(context, found)}
</div>
<aside class="side" aria-label="Timeline">${!isOver && sidePart(run, { snapshot, opened: [], isBrief: true })}
${timelinePart(run, { proof, comments: [], next: null, isBrief: true })}</aside>
</div>`;
  return answer(context, { ...pageOf(run, 'counts'), body });
}

/** What the page of a plan asks for while it is open. */
export async function showCountsStanding(context: WebContext, found: Found): Promise<Response> {
  if (isWaiting(found)) return answerPart(context, await planPart(context, found.followed));
  for (const header of ['hx-retarget', 'hx-reselect']) context.header(header, '#main');
  return showCounts(context, found);
}

/** Asks whether it is to be stopped, or discarded. */
export async function askCounts(context: WebContext, { followed, snapshot }: Found): Promise<Response> {
  const { run, runId } = followed;
  const isPlan = isPlannedOnly(run);
  const body = html`${await headPart(context, { followed, snapshot }, false)}
<section class="card narrow" aria-labelledby="stop"><h2 id="stop">${either(isPlan, 'Discard this payment?', 'Stop this run?')}</h2>
<p>${isPlan ? t`Nothing was sent, and nothing will be. Approvals that it has are void.` : html`<strong>${counted(snapshot.counts.waiting, 'payout')}</strong> not sent yet: none of them is sent. What was sent already is not taken back: its outcome is waited for.`}</p>
<p>This cannot be undone.</p>
<div class="row"><form method="post" action="/runs/${runId}/cancel"><button class="danger">${either(isPlan, 'Discard payment', 'Stop the run')}</button></form><a class="button" href="/runs/${runId}">${either(isPlan, 'Keep it', 'Keep it running')}</a></div>
</section>`;
  return answer(context, { ...pageOf(run, 'counts'), body });
}

/** `hasActs`: false on a page that asks for confirmation. */
async function headPart(context: WebContext, { followed, snapshot }: Found, hasActs = true): Promise<Html> {
  const { web } = context.var;
  const { run, runId } = followed;
  const { header } = run;
  const by = starterText(run, await pageProof(web, run));
  const isOver = snapshot.phase === 'finished';
  const pill = isOver ? statusPill({ state: listedStateOf(run), counts: reportCounts(followed) }) : null;
  const going = await web.runTasks.going(runId);
  const isLive = hasActs && !isOver && !(isWaiting({ followed, snapshot }) && going !== 'started');
  const live = { runId, snapshot, going, refused: null, mayAct: mayAct(context), isBrief: true };
  const shown = isLive ? liveActs(live) : { status: pill };
  return html`<div class="stack tight payment-head">
${header !== null && crumbs(unnamed(header))}
${nameLine(header === null ? '' : paymentName(unnamed(header)), shown)}
<p class="soft small">${counted(header?.payouts ?? 0, 'payout')}, ${moment(run.startedAt ?? run.createdAt, 'sentence')}${by && t`, started by ${by}`}.</p>
${viewersPart([])}</div>
<p class="notice">Names and amounts of this payment are hidden from you: you see counts and states, and the total of a currency from ${PAYOUTS_OF_A_TOTAL_MIN} payouts on. An administrator can change that under Team.</p>`;
}

function isWaiting({ snapshot: { isStarted, phase } }: Found): boolean {
  return !isStarted && phase === 'planned';
}

async function openPart(context: WebContext, found: Found): Promise<Html> {
  const { web } = context.var;
  const { followed, snapshot } = found;
  const { runId } = followed;
  const going = await web.runTasks.going(runId);
  const refused = (await web.runTasks.refusal(runId)) && NOT_DONE;
  if (isWaiting(found) && going !== 'started')
    return html`${problemNotice(refused)}${await planPart(context, followed)}${totalsPart(snapshot.totals, { isBrief: true })}`;
  const awaits = web.runTasks.awaited.of(runId);
  const live = livePart({ runId, snapshot, going, awaits, refused, mayAct: mayAct(context), isBrief: true });
  return html`<div id="live" class="stack" hx-sse:connect="/runs/${runId}/events" hx-sse:close="over" hx-swap="innerMorph">
${live}
</div>
<noscript><p><a class="button" href="/runs/${runId}">Look again</a></p></noscript>`;
}

/** What it waits for, and how it is started. Nobody approves what they do not see. */
async function planPart(context: WebContext, { run, runId }: FollowedRun): Promise<Html> {
  const { web, person } = signedIn(context);
  const { standing, overtaken } = await standingFor(web, run, person);
  const mayStart = overtaken === null && (await isReadyNow(web, run)) && hasOneOf(person, ['preparer']);
  const start = html`<form method="post" action="/runs/${runId}/start"><button class="primary">Start paying ${counted(run.plan?.payouts ?? 0, 'payout')}</button></form>`;
  const others = standing.mayApprove.length > 0 && html` It can be approved by ${standing.mayApprove.join(', ')}.`;
  return html`<div id="plan-live" class="stack" hx-get="/runs/${runId}/standing" hx-trigger="every 2s" hx-select="#plan-live" hx-swap="outerMorph" hx-headers='{"x-refresh": "plan"}'>
<section class="card next" aria-labelledby="next"><h2 id="next" aria-live="polite">${waitsForText(standing)}</h2>
${hasOneOf(person, ['approver']) && html`<p class="soft">You cannot approve it because names and amounts are hidden from you.${others}</p>`}
<div class="row">${mayStart && start}${mayAct(context) && html`<a class="button" href="/runs/${runId}/cancel">Discard payment</a>`}</div>
</section></div>`;
}
