import { Hono } from 'hono';
import { plural, t } from '../../messages/translate.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { answer, patienceMs } from '../shell/layout.ts';
import { firstMoney } from '../shell/money.ts';
import { asksAgain, type Column, count, moment, table } from '../shell/parts.ts';
import { signedIn, type Web, type WebEnv } from '../web.ts';
import type { ToCheck } from './plans-to-check.ts';
import type { WaitingPlan, WaitingPlans } from './waiting-plans.ts';

/** What waits to be approved or started, what waits for this person first. */
export function approvalsRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/approvals', requireRole(...SEEING), async (context) => {
    const { web, person } = signedIn(context);
    const body = html`<h1>Approvals</h1>
${await approvalsPart(web, await web.waitingPlans.of(person, patienceMs(context)), '/approvals')}`;
    return answer(context, { title: t`Approvals`, here: 'approvals', body });
  });
  return app;
}

/** How long the page waits for plans to be compared. */
const COMPARED_MS = 300;

/** `path`: of the page that the part stands on, which is asked for again while plans are being read. */
async function approvalsPart(
  { waitingPlans }: Pick<Web, 'waitingPlans'>,
  { plans, isReading }: Awaited<ReturnType<WaitingPlans['of']>>,
  path: string,
): Promise<Html> {
  const seen = plans.flatMap(({ runId, sees }) => (sees === 'all' ? runId : []));
  const toCheck = await waitingPlans.toCheck(seen, COMPARED_MS);
  const sorted = [...plans].sort((one, other) => Number(other.isMine) - Number(one.isMine));
  const columns: Column<WaitingPlan>[] = [
    [t`Payment`, paymentCell, 'head'],
    [t`Prepared by`, ({ preparer }) => preparer, 'small'],
    [t`Payouts`, ({ payouts }) => count(payouts), 'number'],
    [t`Total`, ({ totals }) => firstMoney(totals), 'number'],
    [t`To check`, ({ runId }) => checkCell(toCheck.get(runId))],
    [t`Waiting since`, ({ createdAt }) => moment(createdAt), 'small'],
    [t`Next step`, reviewCell, 'number'],
  ];
  const none = !isReading && html`<p class="empty">Nothing to approve.</p>`;
  return html`<section class="stack" id="plans" aria-label="Awaiting approval"${isReading && asksAgain(path, 'plans')}>
${isReading && html`<p class="soft" role="status">Reading large plans: they follow in a few seconds.</p>`}
${sorted.length === 0 ? none : table(t`Payments awaiting approval`, columns, sorted, { className: 'rows waiting-plans' })}</section>`;
}

/** The payment, and what it waits for. */
function paymentCell({ runId, name, waitsFor, isMine }: WaitingPlan): Html {
  return html`<a href="/runs/${runId}">${name}</a><span class="small ${isMine ? 'for-me' : 'soft'}">${waitsFor}</span>`;
}

/** Empty while the plan is being compared, or if the person may not see the result. */
function checkCell(found: ToCheck | undefined): Html | null {
  if (found === undefined) return null;
  const { changed, added, repeated } = found;
  const all: readonly [number, Shown, string][] = [
    [changed, plural(changed, '# changed account', '# changed accounts'), 'in_doubt'],
    [repeated, plural(repeated, '# repeat', '# repeats'), 'in_doubt'],
    [added, plural(added, '# new account', '# new accounts'), 'not_submitted'],
  ];
  const shown = all.flatMap(([number, words, mark]) =>
    number === 0 ? [] : html`<span class="status ${mark}">${words}</span>`,
  );
  return shown.length === 0 ? html`<span class="soft">nothing</span>` : html`<span class="tags">${shown}</span>`;
}

/** Approvers go straight to the approval. */
function reviewCell({ runId, name, mayApprove }: WaitingPlan): Html {
  return html`<a class="button" href="/runs/${runId}${mayApprove ? '/approve' : ''}" aria-label="Review ${name}">Review</a>`;
}
