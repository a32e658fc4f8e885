import { html } from 'hono/html';
import type { ShownCheck } from '../../app/check/check-result.ts';
import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import { formatMajor, groupThousands } from '../../domain/money.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import { type Html, safe } from '../shell/parts.ts';
import { minorText } from './amounts.ts';
import type { PlanExtras, ShownWarning } from './plan-view.ts';
import type { OwnLink } from './standing.ts';

/** Kinds of what is to be looked at, the most important first; what has no words here comes last. */
const KINDS: readonly { code: string; words: (count: string) => string; isGrave: boolean }[] = [
  { code: 'paid_before', words: (count) => `Paid before: ${count}`, isGrave: true },
  { code: 'account_changed', words: (count) => `Bank details changed: ${count}`, isGrave: true },
  {
    code: 'cooling_off',
    words: (count) => `To be approved one by one: ${count} to new or changed accounts`,
    isGrave: true,
  },
  { code: 'possible_duplicate', words: (count) => `Perhaps twice in the file: ${count}`, isGrave: true },
  { code: 'unknown_payment', words: (count) => `At the service, and not of this journal: ${count}`, isGrave: true },
  { code: 'balance_short', words: () => 'The balance is short', isGrave: true },
  { code: 'payee_first_time', words: (count) => `New payees: ${count}`, isGrave: false },
  { code: 'account_first_time', words: (count) => `New accounts of known payees: ${count}`, isGrave: false },
  { code: 'amount_changed', words: (count) => `Another amount than last time: ${count}`, isGrave: false },
  { code: 'payee_missing', words: () => 'Missing since last time', isGrave: false },
];

/** What is never paid comes behind everything that is. */
export const EXAMPLE_ROW = 'example_row';

/** More of one kind are in a list that is opened. */
const SHOWN_AT_ONCE = 5;

/** What is to be looked at before anybody approves: who is paid once more, then changed bank details. */
export function warningsPart({ header }: Pick<RunState, 'header'>, extras: PlanExtras): Html | '' {
  const repeats = header?.repeats ?? null;
  if (repeats === null) return lookPart(extras, true);
  return html`<div class="card grave" role="alert"><h3>It pays everybody of <a href="/runs/${repeats}">${repeats}</a> once more</h3>
<p>Whoever made this plan has said so. Approve it only where you know that all of them are to have the money again.</p></div>
${lookPart(extras, false)}`;
}

function lookPart({ warnings, counts, isKnown }: PlanExtras, isFirst: boolean): Html | '' {
  if (!isKnown)
    return html`<p class="notice care" role="alert">It could not be compared with what was paid before, so changed bank details would not be seen here. Load the page again before you approve.</p>`;
  if (warnings.length === 0 && !isFirst) return '';
  if (warnings.length === 0)
    return html`<p class="notice done">Nothing stands out beside what this journal knows of earlier runs: no bank details changed, nothing was paid before.</p>`;
  const by = Map.groupBy(warnings, ({ code }) => code);
  const parts = KINDS.flatMap(({ code, words, isGrave }) => {
    const found = by.get(code);
    by.delete(code);
    return found === undefined
      ? []
      : [kindPart(words(counted(Math.max(counts[code] ?? 0, found.length), 'payout')), found, isGrave)];
  });
  const examples = by.get(EXAMPLE_ROW) ?? [];
  by.delete(EXAMPLE_ROW);
  const others = [...[...by.values()].flat(), ...examples];
  return html`<section class="stack" aria-labelledby="look"><h2 id="look">Warnings</h2>
${parts}
${others.length === 0 ? '' : kindPart(`Of the file: ${counted(others.length, 'thing')}`, others, false)}</section>`;
}

function kindPart(title: string, warnings: readonly ShownWarning[], isGrave: boolean): Html {
  const [first = [], rest = []] = [warnings.slice(0, SHOWN_AT_ONCE), warnings.slice(SHOWN_AT_ONCE)];
  const remedy = warnings[0]?.remedy ?? '';
  const isOneRemedy = warnings.every((one) => one.remedy === remedy);
  const item = ({ message, remedy: own, row }: ShownWarning): Html =>
    html`<li>${row === null ? '' : html`<span class="soft">Row ${row}.</span> `}${safe(message)}${isOneRemedy ? '' : html` <span class="soft">${safe(own)}</span>`}</li>`;
  return html`<div class="card ${isGrave ? 'grave' : ''}"><h3>${title}</h3>
<ul class="points">${first.map(item)}</ul>
${rest.length === 0 ? '' : html`<details><summary>${rest.length.toLocaleString('en')} more</summary><ul class="points">${rest.map(item)}</ul></details>`}
${isOneRemedy && remedy !== '' ? html`<p class="soft">${safe(remedy)}</p>` : ''}</div>`;
}

const CELLS = ['Payouts', 'Total', 'Fees'] as const;

/** What is paid and what it costs, per currency, what the balances are without it, and what is converted for it. */
export function moneyPart({ plan }: RunState, { balances }: PlanExtras): Html | '' {
  if (plan === null) return '';
  const held = new Map(balances.map((balance) => [balance.currency, balance]));
  const received = plan.totals.map(({ currency, payouts, planned_minor, fees_minor }) => ({
    label: currencyLabel(currency),
    cells: [
      payouts.toLocaleString('en'),
      sum(planned_minor, currency),
      fees_minor === null ? 'not told' : sum(fees_minor, currency),
    ],
  }));
  const known = new Set(received.map(({ label }) => label));
  const sentOnly = balances.flatMap(({ currency }) =>
    known.has(currency) ? [] : [{ label: currency, cells: ['', '', ''] }],
  );
  const rows = [...received, ...sentOnly].map(
    ({ label, cells }) =>
      html`<tr><th scope="row">${label}</th>${cells.map((text, at) => html`<td class="number" data-label="${CELLS[at] ?? ''}">${text}</td>`)}${balances.length === 0 ? '' : balanceCells(held.get(label))}</tr>`,
  );
  const pairs = plan.conversions?.pairs.map(
    ({ source, currency, payouts, planned_minor, sent_minor, fees_minor }) =>
      html`<li>${counted(payouts, 'payout')} of ${minorText(planned_minor, currency)} from ${minorText(sent_minor, source)}${fees_minor === null ? '' : `, fees ${minorText(fees_minor, source)}`}</li>`,
  );
  const number = (words: string) => html`<th scope="col" class="number">${words}</th>`;
  return html`<section class="card" aria-labelledby="money"><h2 id="money">What is paid</h2>
<div class="scroll" role="region" aria-label="Payouts, fees and balances per currency" tabindex="0"><table class="rows"><thead><tr><th scope="col">Currency</th>${[...CELLS, ...(balances.length === 0 ? [] : ['Balance', 'Balance after'])].map(number)}</tr></thead><tbody>${rows}</tbody></table></div>
${balances.length === 0 ? '' : html`<p class="soft small">Balances as they were when it was planned.</p>`}
${pairs === undefined ? '' : html`<h3>From other currencies</h3><ul class="entries">${pairs}</ul>`}</section>`;
}

function balanceCells(balance: PlanExtras['balances'][number] | undefined): Html {
  if (balance === undefined) return html`<td></td><td></td>`;
  const { before, after, short } = balance;
  return html`<td class="number" data-label="Balance">${groupThousands(before)}</td><td class="number" data-label="Balance after">${after === null ? html`<strong class="bad">${groupThousands(short)} short</strong>` : groupThousands(after)}</td>`;
}

function sum(minor: string, currency: Currency): string {
  return groupThousands(formatMajor(BigInt(minor), currency.decimals));
}

export function comparedPart({ compared }: PlanExtras): Html | '' {
  if (compared === null) return '';
  const { run_id, started_at, payees_new, payees_missing, amounts_changed, totals } = compared;
  const rows = totals.map(
    ({ currency, before, now }) =>
      html`<tr><th scope="row">${currency}</th><td class="number">${groupThousands(before)}</td><td class="number">${groupThousands(now)}</td></tr>`,
  );
  return html`<section class="card" aria-labelledby="compared"><h2 id="compared">Compared with the last run of the job</h2>
<p class="soft"><a href="/runs/${run_id}">${run_id}</a> of ${started_at.slice(0, 10)}</p>
<p>${counted(payees_new, 'new payee')}, ${counted(payees_missing, 'payee')} missing, ${counted(amounts_changed, 'amount')} changed.</p>
<div class="scroll" role="region" aria-label="Totals then and now" tabindex="0"><table class="short"><thead><tr><th scope="col">Currency</th><th scope="col" class="number">Then</th><th scope="col" class="number">Now</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** Which approvers came in by a link of whoever made the plan: see `ownLinks`. */
export function ownLinksPart(links: readonly OwnLink[]): Html | '' {
  if (links.length === 0) return '';
  const others = links.some(({ isViewer }) => !isViewer);
  return html`<div class="notice care">${links.map(({ words }) => html`<p>${safe(words)}</p>`)}
${others ? html`<p>Be sure that it was the approver who opened it: ask them.</p>` : html`<p>Approve it only where you have looked at it yourself.</p>`}</div>`;
}

/** By this code `check` says which payouts of a file a run has made already. */
export const PAID_BEFORE = 'paid_before';

/** In front of everything: what of the file was paid already, and by which runs. */
export function paidBeforePart({ problems }: Pick<ShownCheck, 'problems'>): Html | '' {
  const found = problems.filter(({ code }) => code === PAID_BEFORE);
  if (found.length === 0) return '';
  const remedy = found.findLast(({ remedy }) => remedy !== '')?.remedy ?? '';
  return html`<div class="card grave" role="alert"><h2>Paid before</h2>
${found.map(({ message }) => html`<p>${linkedRuns(message)}</p>`)}
<p class="soft">${remedy}</p></div>`;
}

/** A text with a link at each run that it names. */
export function linkedRuns(text: string): Html {
  const parts = text.split(/\b(R\d{8}-[0-9A-Z]{8})\b/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<a href="/runs/${part}">${part}</a>`))}`;
}
