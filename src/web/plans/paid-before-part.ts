import { html } from 'hono/html';
import type { CheckResult } from '../../app/check/check-result.ts';
import { pageText } from '../uploads/page-remedy.ts';
import type { Html } from '../web.ts';

/** By this code `check` says which payouts of a file a run has made already. */
export const PAID_BEFORE = 'paid_before';

/** In front of everything: what of the file was paid already, and by which runs. */
export function paidBeforePart({ problems }: Pick<CheckResult, 'problems'>): Html | '' {
  const found = problems.filter(({ code }) => code === PAID_BEFORE);
  if (found.length === 0) return '';
  const remedy = pageText(found.findLast(({ remedy }) => remedy !== '')?.remedy ?? '');
  return html`<div class="card grave" role="alert"><h2>Paid before</h2>
${found.map(({ message }) => html`<p>${linkedRuns(message)}</p>`)}
<p class="soft">${remedy}</p></div>`;
}

/** A text with a link at each run that it names. */
export function linkedRuns(text: string): Html {
  const parts = text.split(/\b(R\d{8}-[0-9A-Z]{8})\b/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : html`<a href="/runs/${part}">${part}</a>`))}`;
}
