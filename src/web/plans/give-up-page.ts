import { html } from 'hono/html';
import { isPlannedOnly } from '../../domain/run/run-plan.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { PageProof } from '../audit/page-act.ts';
import { runHead } from '../runs/run-head.ts';
import { payoutsText } from '../shell/words.ts';
import type { Html } from '../web.ts';
import { shownTotals } from './amounts.ts';

/** Whether it is meant that a plan is given up, in words: nothing was sent, and there is nothing to stop. */
export function giveUpPage(run: RunState, runId: string, proof: PageProof): Html {
  return html`${runHead(run, proof)}
<section class="card narrow" aria-labelledby="stop">
<h2 id="stop">Discard this payment?</h2>
<p>Nothing was sent, and nothing will be: its ${payoutsText(run.plan?.payouts ?? 0, shownTotals(run))} are not paid by it. Approvals that it has are void.</p>
<p>${afterwards(run)}</p>
<p>This cannot be undone.</p>
<div class="row"><form method="post" action="/runs/${runId}/cancel"><button class="danger">Discard payment</button></form><a class="button" href="/runs/${runId}">Keep it</a></div>
</section>`;
}

/** How what a plan was to pay is paid after all. */
function afterwards({ header }: RunState): Html {
  const retried = header?.retries ?? null;
  return retried === null
    ? html`To pay it after all, plan the file again, or a mended one.`
    : html`To pay its rows after all, plan or correct them again on the page of <a href="/runs/${retried}">${retried}</a>.`;
}

/** Beside the result of a plan that nobody started: what became of it, and what comes next. */
export function givenUpPart(run: RunState): Html | '' {
  if (!isPlannedOnly(run)) return '';
  const { replacedBy } = run;
  return replacedBy === null
    ? html`<div class="notice care"><p><strong>This plan was given up before anybody started it.</strong> Nothing was sent. ${afterwards(run)}</p></div>`
    : html`<div class="notice care"><p><strong><a href="/runs/${replacedBy}">${replacedBy}</a> took the place of this plan before anybody started it.</strong> Nothing was sent by it.</p></div>`;
}
