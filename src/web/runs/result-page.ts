import type { ListedState } from '../../app/history/runs-in-history.ts';
import type { RunHead } from '../../app/runs/run-reads.ts';
import type { RunRow } from '../../domain/entry.ts';
import { isPlannedOnly, type RunState } from '../../domain/run/run-state.ts';
import type { Since } from '../../domain/run/since.ts';
import { messages } from '../../messages/messages.ts';
import { counted, grouped } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import type { UnpaidGroup } from '../../report/model/unpaid.ts';
import { comparedCounts } from '../plans/compared-part.ts';
import { discardedPart } from '../plans/discarded.ts';
import type { keptCompared } from '../plans/plan-view.ts';
import { type Html, html } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { type Column, count, facts, type Problem, problemNotice, runLink, table } from '../shell/parts.ts';
import { amountText, capitalized, payoutsText } from '../shell/words.ts';
import { uploadForm } from '../uploads/upload-parts.ts';
import { type Doubts, doubtsPart } from './doubts.ts';
import { statusPill } from './payment-status.ts';
import { inVain, remainingText } from './remaining.ts';
import { type ResultFigures, sumsOf } from './result-figures.ts';
import { stateLabel } from './rows/row-index.ts';
import type { RowsPage } from './rows/rows.ts';
import { rowsPart } from './rows/rows-part.ts';
import { isStartProven, type PageProof, runHead } from './run-head.ts';
import { reportLink, reportLinks } from './run-report.ts';
import type { Comment } from './timeline.ts';
import { filesPart, timelinePart } from './timeline.ts';
import type { RunTotals } from './totals.ts';
import { totalsPart } from './totals.ts';

type Result = {
  comments: readonly Comment[];
  /** As it was when it was planned; null where that is not kept. */
  compared: Awaited<ReturnType<typeof keptCompared>>;
  /** The file that it was made of, for who may submit it again. */
  upload: string | null;
  proof: PageProof;
  figures: ResultFigures;
  totals: RunTotals;
  doubts: Doubts;
  retriedBy: readonly string[];
  /** The rows that may be planned again. */
  retryable: readonly RunRow[];
  refused: Problem | null;
  /** By what the run can be compared with its journal. */
  head: RunHead;
  /** Whether this person may decide doubts and let the run go on; and make a plan of what was not paid. */
  mayAct: boolean;
  mayPlan: boolean;
  rows: RowsPage;
};

/** What became of a run: what needs somebody first, then in words, in pictures and in figures. */
export function resultPage(run: RunState, runId: string, result: Result): Html {
  const { upload, comments, compared, proof, figures, totals, doubts, retriedBy, refused, mayAct, rows } = result;
  const { headline, lead, counts } = figures;
  // What is not final in a run that is over is looked at again only where somebody asks for it.
  const goOn = html`<form method="post" action="/runs/${runId}/resume"><button>Go on: check the service again</button></form>`;
  const { counts: parts } = totals;
  const isSettled = parts.unconfirmed + parts.sending === 0 && !isPlannedOnly(run);
  const status = statusPill({
    state: listedStateOf(run),
    counts,
    returned: run.returned.size === 0 ? null : { count: run.returned.size },
  });
  const left = result.retryable.length;
  const isToPay = isToDo(result) && !isPlannedOnly(run);
  const pay = html`<a class="button primary" href="/runs/${runId}/remaining">${remainingText(left, counts.not_submitted > 0)}</a>`;
  const next = isToPay ? t`Remaining ${count(left)}: not paid yet` : null;
  const mayGoOn = mayAct && counts.unresolved > 0;
  const actions = html`${downloads(runId)}${mayGoOn && goOn}${isToPay && result.mayPlan && pay}`;
  return html`${runHead(run, proof, { retriedBy, status, actions, tab: 'payouts' })}
<div class="payment">
<div class="stack">
${discardedPart(run, upload)}
${problemNotice(refused)}
<section class="banner ${isSettled ? '' : 'care'}" aria-labelledby="headline">
${icon(isSettled ? (left > 0 ? 'stopped' : 'check') : 'decide')}
<div><h2 id="headline">${headline}</h2>
<p>${lead.join(' ')}</p>
${(isSettled || isToPay) && html`<p>${isSettled && t`No payout is in flight or unconfirmed, so none can be paid twice.`} ${isToPay && t`Paying the rest uses the same rows and needs a new approval.`}</p>`}</div>
</section>
${doubtsPart(runId, doubts, { mayAct })}
${totalsPart(totals, { isOver: true })}
${unpaid(run, runId, result)}
${rowsPart(runId, rows, { isLive: false, isStarted: !isPlannedOnly(run) })}
${costs(figures, run.header?.rehearsal ?? false)}
${whoPart(run, runId, result)}
</div>
<aside class="side" aria-label="Timeline and files">${timelinePart(run, { proof, comments, next })}
${compared && comparedCounts(compared)}
${filesPart(run)}</aside>
</div>`;
}

/** Of one that is over. */
export function listedStateOf(run: RunState): ListedState {
  if (!isPlannedOnly(run)) return 'finished';
  return run.planEnd === null ? 'cancelled_plan' : `${run.planEnd.as}_plan`;
}

function downloads(runId: string): Html {
  const links = reportLinks().map(([format, words]) => html`<li>${reportLink(runId, format, words)}</li>`);
  return html`<details class="drop-menu"><summary class="button">${icon('download')}Download</summary><ul aria-label="Download the report">${links}</ul></details>`;
}

function unpaid(run: RunState, runId: string, result: Result): Html | null {
  const { retryable, mayPlan } = result;
  const { groups, others } = result.figures.unpaid;
  if (groups.length === 0) return null;
  const title = groups.every(({ since }) => since === 'paid') ? t`Not paid by this run` : t`Not paid, and what to do`;
  return html`<section class="unpaid" aria-labelledby="unpaid"><h2 id="unpaid">${title}</h2>
${groups.map((group) => groupPart(run, group))}
${others > 0 && html`<p class="soft">${counted(others, 'more payout')} for other reasons: see the rows.</p>`}
${isToDo(result) && mayPlan && html`<div class="ways">${correctPart(runId)}${againPart(runId, retryable, groups)}</div>`}
</section>`;
}

/** Whether rows can be paid again that neither another run has paid nor another plan waits to pay. */
function isToDo({ figures, retryable }: Pick<Result, 'figures' | 'retryable'>): boolean {
  return retryable.length > 0 && figures.unpaid.groups.some(({ since }) => since === null);
}

/** Rows in which something was wrong: they are downloaded here, corrected in a spreadsheet program, and uploaded. */
function correctPart(runId: string): Html {
  return html`<details><summary>Correct these rows</summary>
<ol class="points"><li>Download a sheet with only these rows. A note on each says why it was not paid.</li>
<li>Correct the errors there. Payee, amount and currency must stay the same, and no row may be added.</li>
<li>Save the sheet, and upload it here. It is checked, planned and approved like any other; nothing is sent before that.</li></ol>
<p class="row"><a class="button" href="/runs/${runId}/correct.xlsx">Download these rows</a></p>
${uploadForm({ corrects: runId })}</details>`;
}

/** For what has passed on its own: some reasons have not. */
function againPart(runId: string, retryable: readonly RunRow[], groups: readonly UnpaidGroup[]): Html {
  const sums = payoutsText(retryable.length, sumsOf(retryable));
  const vain = inVain(groups.flatMap(({ since, code }) => (since === null ? code : [])));
  return html`<details><summary>Pay again unchanged</summary>
<p>The rows stay unchanged. This creates a new payment of them and sends nothing; it needs approval like any other.</p>
${vain.map((words) => html`<p><strong>${words}</strong></p>`)}
<form method="post" action="/runs/${runId}/retry"><button>Submit for approval: ${sums}</button></form></details>`;
}

function groupPart(run: RunState, { status, code, message, remedy, payouts, first }: UnpaidGroup): Html {
  const advice = messages.outcomes.adviceText(remedy);
  const left = payouts - first.length;
  return html`<div class="group">
<h3><span class="status ${status}">${capitalized(stateLabel(status))}</span> <span class="tag">${counted(payouts, 'payout')}</span> <span class="id soft">${code}</span></h3>
<p>${message}${advice && html` <strong>What to do:</strong> ${advice}`}</p>
<ul>${first.map(
    ({ row, payee, amount, currency, since }) =>
      html`<li class="split"><span>${payee} <span class="soft small">row ${row}</span>${since && sincePart(run, since)}</span><span class="number">${amount && amountText(amount, currency)}</span></li>`,
  )}</ul>
${left > 0 && html`<p class="soft">and ${counted(left, 'more payout')}, in the rows below</p>`}
</div>`;
}

/** In the words of the report, with a link to the run. */
function sincePart(run: RunState, since: Since): Html {
  const [before = '', after = ''] = messages.outcomes
    .sinceText(since, run.header?.rehearsal ?? false)
    .split(since.runId);
  return html` <strong class="small">${before}${runLink(since.runId)}${after}</strong>`;
}

type RailTotal = ResultFigures['rails'][number];
type FeeTotal = ResultFigures['fees'][number];
type RateTotal = ResultFigures['rates'][number];

/** Rarely needed, so collapsed. */
function costs({ rails, fees, rates }: ResultFigures, isRehearsal: boolean): Html {
  const ofRails = titledTable<RailTotal>(
    'totals',
    t`Totals per currency and rail`,
    [
      [t`Currency`, ({ currency }) => currency, 'head'],
      [t`Rail`, ({ rail }) => rail ?? t`account named in the file`],
      [t`Payouts`, ({ payouts }) => count(payouts), 'number'],
      [t`Completed`, ({ completed }) => count(completed), 'number'],
      [t`Planned`, ({ planned }) => grouped(planned), 'number'],
      [isRehearsal ? t`Sent in the rehearsal` : t`Sent`, ({ sent }) => grouped(sent), 'number'],
    ],
    rails,
  );
  const ofFees = titledTable<FeeTotal>(
    'fees',
    t`Fees of completed payouts`,
    [
      [t`Currency`, ({ currency }) => currency, 'head'],
      [t`Completed`, ({ payouts }) => count(payouts), 'number'],
      [t`Fees`, (one) => grouped(one.fees), 'number'],
    ],
    fees,
  );
  const ofRates = titledTable<RateTotal>(
    'rates',
    t`Rates`,
    [
      [t`From and to`, ({ from, to }) => t`${from} to ${to}`, 'head'],
      [t`Planned rate`, ({ planned }) => grouped(planned), 'number'],
      [t`Rate paid`, ({ paid }) => (paid === null ? t`none sent` : grouped(paid)), 'number'],
    ],
    rates,
  );
  return html`<details class="stack"><summary>Rails, fees and rates</summary><div class="stack inside">${ofRails}${ofFees}${ofRates}</div></details>`;
}

function titledTable<Row>(
  id: string,
  title: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Html | null {
  if (rows.length === 0) return null;
  return html`<section class="stack" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${table(t`Table: ${title}`, columns, rows)}</section>`;
}

function whoPart(run: RunState, runId: string, { head, proof }: Result): Html {
  const { header, plan, approvals } = run;
  const approvers = [...new Set(approvals.map(({ approver }) => approver))];
  const items = [
    [t`Plan made by`, plan?.approval?.preparer ?? null],
    [t`Approved by`, approvers.length === 0 ? null : approvers.join(', ')],
    [t`Started by`, messages.actors.starterText(run, isStartProven(run, proof))],
    [t`Digest of the plan`, header?.digest ?? null],
    [t`Journal head`, t`${head.hash}, entry ${head.n}`],
  ] as const;
  return html`<details class="card"><summary>Verification</summary>
${facts(items, 'id')}
<p><a href="/runs/${runId}/audit">Activity, and proof that the journal is unchanged</a></p>
</details>`;
}
