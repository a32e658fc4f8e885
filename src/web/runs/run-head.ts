import { html } from 'hono/html';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { starterText } from '../../report/model/actor-text.ts';
import { isStartProven, type PageProof } from '../audit/page-proof.ts';
import { type Html, moment, safe } from '../shell/parts.ts';
import type { Refused } from './refused.ts';

/** Which run it is, who started it, and what it has to do with others. */
export function runHead(run: RunState, proof: PageProof, retriedBy: readonly string[] = []): Html {
  const { header } = run;
  assert(header !== null, 'a run without its header');
  const { run_id, input, job, period, retries, repeats } = header;
  const of =
    job === null ? '' : html`<span class="tag">${safe(job)}${period === null ? '' : html` ${safe(period)}`}</span>`;
  const by = starter(run, proof);
  const started = by === null ? '' : html`, started ${safe(by)}`;
  return html`<div class="stack tight">
<p class="soft small crumbs"><a href="/runs">Runs</a> / <span class="id">${run_id}</span></p>
<div class="row"><h1>${safe(input.name)}</h1>${of}</div>
<p class="soft small">${moment(run.startedAt ?? run.createdAt)}${started}. <a href="/runs/${run_id}/audit">Activity</a></p>
${repeats === null ? '' : html`<p><strong>It pays everybody of <a href="/runs/${repeats}">${repeats}</a> once more.</strong></p>`}
${retries === null ? '' : html`<p>It pays rows of <a href="/runs/${retries}">${retries}</a> again.</p>`}
${retriedBy.length === 0 ? '' : html`<p>Rows of it were planned again in ${linked(retriedBy)}.</p>`}
</div>`;
}

/** The name alone where it was on the page; else it comes after the account, which could have written any. */
function starter(run: RunState, proof: PageProof): string | null {
  const { startedBy, startedOnPage } = run;
  if (startedBy === null || startedOnPage === null) return startedBy === null ? null : `from ${startedBy}`;
  const isProven = isStartProven(run, proof);
  return `by ${isProven ? startedOnPage : starterText(run, false)}`;
}

/** Why what somebody wanted was not done. */
export function refusalNotice(refused: Refused | null): Html | '' {
  if (refused === null) return '';
  const { message, remedy } = refused;
  return html`<div class="notice wrong" role="alert"><p>${safe(message)}</p>${remedy === '' ? '' : html`<p>${safe(remedy)}</p>`}</div>`;
}

/** Links to runs, with commas between them. */
function linked(runIds: readonly string[]): Html[] {
  return runIds.map((runId, at) => html`${at === 0 ? '' : ', '}<a href="/runs/${runId}">${runId}</a>`);
}
