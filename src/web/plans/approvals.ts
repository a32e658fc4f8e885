import { Hono } from 'hono';
import { counted } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, patienceMs } from '../shell/layout.ts';
import { asksAgain } from '../shell/parts.ts';
import { signedIn, type Web, type WebEnv } from '../web.ts';
import type { WaitingPlans } from './waiting-plans.ts';

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

/** So long a page waits to show which plans pay somebody on a changed account. */
export const COMPARED_MS = 300;

/** `path`: of the page that the part stands on, which is asked for again while plans are being read. */
export async function approvalsPart(
  { waitingPlans }: Pick<Web, 'waitingPlans'>,
  { plans, isReading }: Awaited<ReturnType<WaitingPlans['of']>>,
  path: string,
): Promise<Html> {
  const changed = await waitingPlans.changedAccounts(
    plans.flatMap(({ runId, sees }) => (sees === 'all' ? runId : [])),
    COMPARED_MS,
  );
  const sorted = [...plans].sort((one, other) => Number(other.isMine) - Number(one.isMine));
  const items = sorted.map(
    ({ runId, name, what, waitsFor, isMine, mayApprove }) => html`<li>
<a href="/runs/${runId}">${name}</a>
<span>${what}${changedText(changed.get(runId))}</span>
<span class="${isMine ? 'for-me' : 'soft'}">${waitsFor}${mayApprove && html` <a href="/runs/${runId}/approve">Review and approve</a>`}</span>
</li>`,
  );
  const none = !isReading && html`<p class="soft">Nothing to approve.</p>`;
  return html`<section class="card" id="plans" aria-labelledby="waiting"${isReading && asksAgain(path, 'plans')}><h2 id="waiting">Awaiting approval</h2>
${isReading && html`<p class="soft" role="status">Reading large plans: they follow in a few seconds.</p>`}
${items.length === 0 ? none : html`<ul class="entries">${items}</ul>`}</section>`;
}

function changedText(count: number | undefined): Html | null {
  return count === undefined
    ? null
    : html` <span class="status in_doubt">${counted(count, 'payout')} to changed accounts</span>`;
}
