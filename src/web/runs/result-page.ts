import { html, raw } from 'hono/html';
import type { Currency } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { currencyKey, groupThousands } from '../../domain/money.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import type { Since } from '../../domain/run/since.ts';
import type { Witness } from '../../journal/journal.ts';
import { counted } from '../../messages/text.ts';
import { REPORT_FORMATS } from '../../report/formats.ts';
import { statusBadge } from '../../report/html/look.ts';
import { outcomeLegend, outcomePicture, progressPicture } from '../../report/html/pictures.ts';
import { starterText } from '../../report/model/actor-text.ts';
import { sinceText } from '../../report/model/since-words.ts';
import type { UnpaidGroup } from '../../report/model/unpaid.ts';
import { isStartProven, type PageProof } from '../audit/page-proof.ts';
import { minorText } from '../plans/amounts.ts';
import { givenUpPart } from '../plans/plan-page.ts';
import { type Html, safe } from '../shell/parts.ts';
import { amountText, payoutsText } from '../shell/words.ts';
import { uploadForm } from '../uploads/upload-parts.ts';
import { type Doubts, doubtsPart } from './doubts.ts';
import type { Refused } from './refused.ts';
import type { ResultFigures } from './result-figures.ts';
import { type RowsPage, rowsPart } from './rows.ts';
import { refusalNotice, runHead } from './run-head.ts';

type Result = {
  proof: PageProof;
  figures: ResultFigures;
  doubts: Doubts;
  retriedBy: readonly string[];
  /** The rows that may be planned again. */
  retryable: readonly RunRow[];
  refused: Refused | null;
  head: Witness;
  /** Whether this person may settle doubts and let the run go on; and make a plan of what was not paid. */
  mayAct: boolean;
  mayPlan: boolean;
  rows: RowsPage;
};

/** What became of a run: what needs somebody first, then in words, in pictures and in figures. */
export function resultPage(run: RunState, runId: string, result: Result): Html {
  const { proof, figures, doubts, retriedBy, refused, mayAct, rows } = result;
  const { headline, lead, counts } = figures;
  return html`${runHead(run, proof, retriedBy)}
${givenUpPart(run)}
${refusalNotice(refused)}
<section class="stack" aria-labelledby="headline">
<div class="head"><h2 id="headline" class="lead">${headline}</h2>${downloads(runId)}</div>
<div>${lead.map((sentence) => html`<p>${safe(sentence)}</p>`)}</div>
${mayAct && counts.unresolved > 0 ? goOn(runId) : ''}
</section>
${doubtsPart(runId, doubts, { mayAct })}
${pictures(figures, run.payouts.size)}
${unpaid(run, runId, result)}
${totals(figures, run.header?.rehearsal ?? false)}
${costs(figures)}
${whoPart(run, runId, result)}
${rowsPart(runId, rows, { isLive: false, isStarted: !isPlannedOnly(run) })}`;
}

function downloads(runId: string): Html {
  const words = { csv: 'CSV', xlsx: 'Excel', html: 'View report', json: 'JSON' };
  const order = ['html', 'xlsx', 'csv', 'json'] as const;
  const formats = order.filter((format) => (REPORT_FORMATS as readonly string[]).includes(format));
  return html`<div class="row" role="group" aria-label="Download the report">${formats.map(
    (format) => html`<a class="button" href="/runs/${runId}/report.${format}" download>${words[format]}</a>`,
  )}</div>`;
}

/** What is not final in a run that is over is looked at again only where somebody says so. */
function goOn(runId: string): Html {
  return html`<form method="post" action="/runs/${runId}/resume"><button>Go on: look at the service again</button></form>`;
}

function pictures({ counts, progress: points }: ResultFigures, payouts: number): Html {
  const progress = progressPicture(points, payouts);
  return html`<div class="columns">
<section class="card" aria-labelledby="outcomes-head"><h2 id="outcomes-head">Outcomes</h2><div>${raw(outcomePicture(counts))}${raw(outcomeLegend(counts))}</div></section>
${progress === '' ? '' : html`<section class="card" aria-labelledby="progress-head"><h2 id="progress-head">Progress, in UTC</h2>${raw(progress)}</section>`}
</div>`;
}

function unpaid(run: RunState, runId: string, { figures, retryable, mayPlan }: Result): Html | '' {
  const { groups, others } = figures.unpaid;
  if (groups.length === 0) return '';
  const title = groups.every(({ since }) => since === 'paid') ? 'Not paid by this run' : 'Not paid, and what to do';
  const isToDo = retryable.length > 0 && groups.some(({ since }) => since === null);
  return html`<section class="stack" aria-labelledby="unpaid"><h2 id="unpaid">${title}</h2>
${groups.map((group) => groupPart(run, group))}
${others === 0 ? '' : html`<p class="soft">${counted(others, 'payout')} more for other reasons: see the rows.</p>`}
${isToDo && mayPlan ? html`${correctPart(runId)}${againPart(runId, retryable, groups)}` : ''}
</section>`;
}

/** Rows in which something was wrong: they are taken from here, corrected in a spreadsheet program, and given back. */
function correctPart(runId: string): Html {
  return html`<section class="card" aria-labelledby="correct"><h3 id="correct">Correct these rows</h3>
<ol class="points"><li>Download them: a sheet with these rows alone. A note at each says why it was not paid.</li>
<li>Correct there what was wrong. The payee, the amount and the currency stay as they are, and no row is added.</li>
<li>Save the sheet, and upload it here. It is checked, planned and approved like any other; nothing is sent before that.</li></ol>
<p class="row"><a class="button" href="/runs/${runId}/correct.xlsx">Download these rows</a></p>
${uploadForm({ jobs: [], job: null, mends: null, corrects: runId })}</section>`;
}

/** The same once more is for what has passed by itself: some reasons have not. */
function againPart(runId: string, retryable: readonly RunRow[], groups: readonly UnpaidGroup[]): Html {
  const sums = payoutsText(retryable.length, sumsOf(retryable));
  const inVain = groups.flatMap(({ since, code }) => (since === null ? (IN_VAIN[code] ?? []) : []));
  return html`<section class="card" aria-labelledby="again"><h3 id="again">Plan again as they are</h3>
<p>Nothing in the rows is changed. That makes a plan and sends nothing: it is approved like any other.</p>
${[...new Set(inVain)].map((words) => html`<p><strong>${words}</strong></p>`)}
<form method="post" action="/runs/${runId}/retry"><button>Plan again as they are: ${safe(sums)}</button></form></section>`;
}

/** What the same again cannot mend. */
const IN_VAIN: Readonly<Record<string, string>> = Object.freeze({
  ACCOUNT_CLOSED: 'A closed account stays closed: correct those rows instead.',
  REJECTED_BY_BANK: 'The bank will reject these again unless the account is right: correct those rows instead.',
  SANCTIONS_SCREENING: 'What sanctions screening stopped is stopped again: ask the service first.',
});

function sumsOf(rows: readonly RunRow[]): string[] {
  const sums = new Map<string, { sum: bigint; currency: Currency }>();
  for (const { order } of rows) {
    if (order === null) continue;
    const key = currencyKey(order.currency);
    const sum = (sums.get(key)?.sum ?? 0n) + BigInt(order.amount_minor);
    sums.set(key, { sum, currency: order.currency });
  }
  return Array.from(sums.values(), ({ sum, currency }) => minorText(sum, currency));
}

function groupPart(run: RunState, { status, code, message, remedy, payouts, first }: UnpaidGroup): Html {
  const left = payouts - first.length;
  return html`<div class="card">
<h3>${raw(statusBadge(status))} ${safe(code)} <span class="tag">${counted(payouts, 'payout')}</span></h3>
<p>${safe(message)}</p>
<ul class="entries">${first.map(
    ({ row, payee, amount, currency, since }) =>
      html`<li class="split"><span>${safe(payee)} <span class="soft small">row ${row}</span>${since === null ? '' : sincePart(run, since)}</span><span class="number">${amount === null ? '' : safe(amountText(amount, currency))}</span></li>`,
  )}</ul>
${left === 0 ? '' : html`<p class="soft">and ${counted(left, 'more payout')}, in the rows below</p>`}
${remedy.advice === '' ? '' : html`<p><strong>What to do:</strong> ${safe(remedy.advice)}</p>`}
</div>`;
}

/** As the words of the report say it, with the way there. */
function sincePart(run: RunState, since: Since): Html {
  const [before = '', after = ''] = sinceText(since, run).split(since.runId);
  return html` <strong class="small">${before}<a href="/runs/${since.runId}">${since.runId}</a>${after}</strong>`;
}

function totals({ rails }: ResultFigures, isRehearsal: boolean): Html | '' {
  if (rails.length === 0) return '';
  const sentWords = isRehearsal ? 'Sent in the rehearsal' : 'Sent';
  const rows = rails.map(
    ({ currency, rail, payouts, completed, planned, sent }) =>
      html`<tr><th scope="row">${safe(currency)}</th><td data-label="Rail">${rail ?? 'account named in the file'}</td><td class="number" data-label="Payouts">${count(payouts)}</td><td class="number" data-label="Completed">${count(completed)}</td><td class="number" data-label="Planned">${groupThousands(planned)}</td><td class="number" data-label="${sentWords}">${groupThousands(sent)}</td></tr>`,
  );
  return table(
    'totals',
    'Totals per currency and rail',
    ['Currency', 'Rail', '#Payouts', '#Completed', '#Planned', `#${sentWords}`],
    rows,
  );
}

function costs(figures: ResultFigures): Html | '' {
  const fees = figures.fees.map(
    ({ currency, payouts, fees }) =>
      html`<tr><th scope="row">${safe(currency)}</th><td class="number" data-label="Completed">${count(payouts)}</td><td class="number" data-label="Fees">${groupThousands(fees)}</td></tr>`,
  );
  const rates = figures.rates.map(
    ({ from, to, planned, paid }) =>
      html`<tr><th scope="row">${safe(`${from} to ${to}`)}</th><td class="number" data-label="Planned rate">${groupThousands(planned)}</td><td class="number" data-label="Rate paid">${paid === null ? 'none sent' : groupThousands(paid)}</td></tr>`,
  );
  return html`${fees.length === 0 ? '' : table('fees', 'Fees of completed payouts', ['Currency', '#Completed', '#Fees'], fees)}
${rates.length === 0 ? '' : table('rates', 'Rates', ['From and to', '#Planned rate', '#Rate paid'], rates)}`;
}

/** A title that begins with # is over a column of figures. */
function table(id: string, title: string, columns: readonly string[], rows: readonly Html[]): Html {
  const heads = columns.map((column) =>
    column.startsWith('#')
      ? html`<th scope="col" class="number">${column.slice(1)}</th>`
      : html`<th scope="col">${column}</th>`,
  );
  return html`<section class="stack" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
<div class="scroll card flush" role="region" tabindex="0" aria-label="Table: ${title}"><table class="rows"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** By what the run can be compared with its journal. */
function whoPart(run: RunState, runId: string, { head, proof }: Result): Html {
  const { header, plan, approvals } = run;
  const made = plan?.approval?.preparer ?? null;
  const by = [...new Set(approvals.map(({ approver }) => approver))].join(', ');
  const facts: [string, string | null][] = [
    ['Plan made by', made],
    ['Approved by', by === '' ? null : by],
    ['Started by', starterText(run, isStartProven(run, proof))],
    ['Digest of the plan', header?.digest ?? null],
    ['Journal head', `${head.hash}, entry ${head.n}`],
  ];
  return html`<details class="card"><summary>Who, and proof</summary>
<dl class="facts">${facts.map(([term, what]) => (what === null ? '' : html`<dt>${term}</dt><dd class="id">${safe(what)}</dd>`))}</dl>
<p><a href="/runs/${runId}/audit">Activity, and proof that the journal is unchanged</a></p>
</details>`;
}

function count(value: number): string {
  return groupThousands(String(value));
}
