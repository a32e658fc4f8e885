import { type RunState, scheduledStart } from '../../../domain/run/run-state.ts';
import { counted } from '../../../messages/text.ts';
import { t } from '../../../messages/translate.ts';
import { pageOf as runPage } from '../../runs/found-run.ts';
import { pageProof } from '../../runs/run-head.ts';
import { commentsOf, timelinePart } from '../../runs/timeline.ts';
import { type Html, html } from '../../shell/html.ts';
import { icon } from '../../shell/icon.ts';
import { answer } from '../../shell/layout.ts';
import { modeBadge } from '../../shell/mode.ts';
import { moment, momentAgo, problemNotice } from '../../shell/parts.ts';
import { paymentName } from '../../shell/words.ts';
import { passkeysHere } from '../../sign-in/passkeys.ts';
import { signedIn, type Web, type WebContext } from '../../web.ts';
import { comparedPart } from '../compared-part.ts';
import { editsPart } from '../edits-part.ts';
import { newConnectionPart } from '../new-connection.ts';
import { paymentLink } from '../payment-link.ts';
import { approversPart, moneyPart, preparerName, verificationPart } from '../plan-parts.ts';
import { startMoment } from '../scheduled.ts';
import { approverWarnings, type StandingFor } from '../standing.ts';
import { graveWarnings, otherWarnings } from '../warnings-part.ts';
import { decisionForm, type Waiting, type Wrong } from './decision.ts';

/**
 * Shows everything that the signature is over, what needs a look first: changed account details, who is paid again, all totals,
 * who differs from last time. Beside it, what the signature asks for, and what happened so far.
 */
export async function showDecision(
  context: WebContext,
  waiting: Waiting,
  wrong: Wrong | null,
  typed: Parameters<typeof decisionForm>[2]['typed'],
): Promise<Response> {
  const { web, person } = signedIn(context);
  const { runId, run, extras } = waiting;
  const seconds = wrong?.retryAfterSeconds ?? null;
  if (seconds !== null) context.header('retry-after', String(seconds));
  const hasPasskey = (await passkeysHere(web, person)).length > 0;
  const [proof, comments] = [await pageProof(web, run), await commentsOf(web, runId)];
  const body = html`${await approveHead(context, waiting)}
${problemNotice(wrong)}
<div class="payment decide">
<div class="stack in-order">
${newConnectionPart(waiting.connection)}
${approversPart(await approverWarnings(web, run, person))}
${graveWarnings(waiting, extras)}
${editsPart(run)}
${moneyPart(run, extras)}
${comparedPart(runId, extras)}
${otherWarnings(waiting, extras)}
${verificationPart(run)}
</div>
<aside class="side" aria-label="Decision and timeline"><section class="card decision" aria-labelledby="sign"><h2 id="sign">Your decision</h2>
${turnText(waiting.standing)}
${decisionForm(context, waiting, { wrong, typed, name: person.name, hasPasskey })}
<a class="button danger" href="/runs/${runId}/reject">Reject with a reason…</a><a class="button quiet" href="/runs/${runId}">Decide later</a>
<p class="soft small">Approval covers exactly these rows. Any change needs a new plan and new approval.</p>
</section>
${timelinePart(run, { proof, comments, next: t`Your approval` })}</aside>
</div>
<div class="decide-bar" role="group" aria-label="Decide"><a class="button danger" href="/runs/${runId}/reject">Reject…</a><a class="button primary" href="#sign">Confirm totals and approve</a></div>`;
  const status = seconds !== null ? 429 : wrong === null ? 200 : 422;
  return answer(context, { ...runPage(run), here: 'approvals', body }, status);
}

/** The head: what is to be approved, who prepared it, and its place among those that wait for this person. */
async function approveHead(context: WebContext, { run, extras: { names } }: Waiting): Promise<Html | null> {
  const { web, person } = signedIn(context);
  const { header, plan, createdAt } = run;
  if (header === null) return null;
  const { run_id: runId, retries, repeats, payouts } = header;
  const start = scheduledStart(run);
  const mine = (await web.waitingPlans.of(person, 0)).plans.filter(({ mayApprove }) => mayApprove);
  const at = mine.findIndex((one) => one.runId === runId);
  const over = await connectionName(web, header);
  return html`<div class="stack tight payment-head">
<p class="soft small crumbs"><a href="/approvals">Approvals</a>${at >= 0 && html` / <span>${at + 1} of ${mine.length}</span>`}</p>
<div class="head"><div class="row"><h1>${paymentName(header)}</h1><span class="status waiting">Awaiting your approval</span></div><div class="row head-links"><a class="button quiet" href="/runs/${runId}">All ${counted(payouts, 'payout')}</a><a class="button quiet" href="/runs/${runId}/files" title="${header.input.name}">${icon('draft')}File</a></div></div>
<div class="row meta soft small">${start && html`<span>Pays on ${startMoment(start.start)}</span>`}<span>${counted(payouts, 'payout')}</span><span>${modeBadge(header.rehearsal)}${over && html` ${over}`}</span><span>Prepared by ${preparerName(plan)}, ${momentAgo(createdAt, web.deps.clock.wallMs())}</span></div>
${repeats && html`<p><strong>It pays everyone in ${paymentLink(repeats, names)} again.</strong></p>`}
${retries && html`<p>It pays rows of ${paymentLink(retries, names)} again.</p>`}
</div>`;
}

/** Where there are several. */
async function connectionName({ connections }: Pick<Web, 'connections'>, header: NonNullable<RunState['header']>) {
  return (await connections.list()).length < 2 ? null : ((await connections.ofRun(header))?.name ?? null);
}

/** Which approval of how many this is, and who approved before. */
function turnText({ standing: { needed, missing, given } }: StandingFor): Html {
  const turn =
    missing === 0
      ? html`Only rows to new accounts still wait for approval.`
      : needed === 1
        ? html`One approval is needed.`
        : html`Approval ${needed - missing + 1} of ${needed}.`;
  const before = given.map(({ name, at }) => html` ${name} approved, ${moment(at, 'sentence')}.`);
  return html`<p class="soft small">${turn}${before}</p>`;
}
