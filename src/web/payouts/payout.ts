import { Hono } from 'hono';
import { assert } from '../../domain/refusal.ts';
import { payeeHash } from '../../domain/run/holds.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import { messages } from '../../messages/messages.ts';
import { t } from '../../messages/translate.ts';
import { rowMasker } from '../../report/model/identifiers.ts';
import { outcomeOf, rowsWithCopies } from '../../report/model/outcome.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { doubtOfRow } from '../runs/doubts.ts';
import { type Found, onRun, pageOf, whenRead } from '../runs/found-run.ts';
import { sinceOfRun } from '../runs/result-figures.ts';
import { rowStateOf, stateLabel } from '../runs/rows/row-index.ts';
import { shownRow } from '../runs/rows/rows.ts';
import { pageProof, runHead } from '../runs/run-head.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { copyable, facts, moment } from '../shell/parts.ts';
import { capitalized } from '../shell/words.ts';
import type { WebContext, WebEnv } from '../web.ts';
import { actsPart, type PayoutNow, payoutActs } from './acts.ts';
import { payoutStory } from './story.ts';

/** Of one payout more is not shown: one that is looked for again and again has some hundred. */
const ENTRIES_SHOWN = 200;

const noSuchRow = () => ({ message: t`This payment has no such row.`, remedy: t`Look for it among the payouts.` });

/** One payout of a run: what is known of it, each attempt with what was answered, and what can be done about it. */
export function payoutRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/runs/:run/payouts/:row', requireRole(...SEEING), whenRead, onRun(show));
  return app;
}

async function show(context: WebContext, found: Found): Promise<Response> {
  const { web } = context.var;
  const { followed } = found;
  const { run, runId } = followed;
  const payout = await payoutNow(context, found);
  if (payout === null) return errorPage(context, { status: 404, ...noSuchRow() });
  assert(run.header !== null, 'a run without its header');
  const proof = await pageProof(web, run);
  const numbers = followed.entries.of(payout.row.row);
  const entries = await web.deps.reads.entriesAt(runId, numbers.slice(-ENTRIES_SHOWN));
  const { hide } = rowMasker(run.header.input)(payout.row);
  const earlier = numbers.length - entries.length;
  const body = html`${runHead(run, proof, { tab: 'payouts' })}
${factsPart(found, payout)}
${actsPart(payoutActs(context, found, payout))}
<section class="stack" aria-labelledby="happened"><h2 id="happened">What happened</h2>
${earlier > 0 && html`<p class="soft">and ${earlier} earlier</p>`}
${payoutStory(entries, { runId, proof, hide })}</section>
<p><a href="/runs/${runId}">Back to the payment</a></p>`;
  return answer(context, { ...pageOf(run), body });
}

/** Null where the run has no such row. */
async function payoutNow({ req, var: { web } }: WebContext, { followed, snapshot }: Found): Promise<PayoutNow | null> {
  const { run } = followed;
  const asked = req.param('row') ?? '';
  const number = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : 0;
  const row = followed.rowOf(number);
  const payout = run.payouts.get(number);
  if (row === undefined || payout === undefined) return null;
  const isOver = snapshot.phase === 'finished' && snapshot.isStarted;
  const since = isOver ? await sinceOfRun(web, followed, await web.deps.reads.related(run)) : null;
  const holds = row.order && (await web.deps.reads.holds());
  return {
    row,
    state: rowStateOf(payout),
    code: outcomeOf(payout, { isCancelled: run.cancelled, mayHaveCopy: rowsWithCopies(run).has(number) }).code,
    isInDoubt: doubtOfRow(followed, number) !== null,
    hold: row.order && (holds?.now.ofPayee(payeeHash(row.order.payee)) ?? null),
    retryable: since?.retryable ?? [],
    since: since?.since ?? null,
  };
}

/** Whom it pays how much, how it stands, and by which ids the service knows it. */
function factsPart({ followed: { run }, snapshot: { phase } }: Found, { row, since }: PayoutNow): Html {
  const shown = shownRow(run, row, { phase, mayHaveCopy: rowsWithCopies(run).has(row.row) });
  const payout = run.payouts.get(row.row);
  const { token, external_account_id: account, recipient_id: recipient } = idsOf(payout);
  const became = since?.rows.get(row.row);
  return html`<section class="card stack tight" aria-labelledby="payout">
<div class="row"><h2 id="payout" class="lead">${shown.name}</h2>${shown.payeeId && html`<span class="tag">${shown.payeeId}</span>`}<span class="status ${shown.state}">${capitalized(stateLabel(shown.state))}</span></div>
${shown.message && html`<p>${shown.message}</p>`}
${became && html`<p><strong>${capitalized(messages.outcomes.sinceText(became, run.header?.rehearsal ?? false))}.</strong></p>`}
${facts([
  [t`Amount`, shown.amount],
  [t`To`, shown.account],
  [t`Reference`, row.order?.reference ?? null],
  [t`Row of the file`, row.row],
  [t`Attempts`, payout === undefined || payout.attempts === 0 ? null : payout.attempts],
  [t`Sent`, payout !== undefined && 'sent' in payout ? moment(payout.sent.submittedAt, 'exact') : null],
  [t`Final`, payout !== undefined && 'finishedAt' in payout ? moment(payout.finishedAt, 'exact') : null],
  [t`Transaction`, shown.transaction && copyable(shown.transaction, t`the transaction`)],
  [t`Token in its description`, token && copyable(token, t`the token`)],
  [t`Account at the service`, account && copyable(account, t`the id of the account`)],
  [t`Recipient at the service`, recipient && copyable(recipient, t`the id of the recipient`)],
])}
</section>`;
}

type Ids = { token: string | null; external_account_id: string | null; recipient_id: string | null };

/** Of the last attempt; none before there was one. */
function idsOf(payout: PayoutState | undefined): Ids {
  if (payout !== undefined && 'sent' in payout) return payout.sent;
  if (payout !== undefined && 'intent' in payout) return payout.intent;
  const token = payout?.state === 'rejected' ? payout.token : null;
  return { token, external_account_id: null, recipient_id: null };
}
