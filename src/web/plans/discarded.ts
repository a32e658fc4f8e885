import type { PlanEnd } from '../../domain/entry.ts';
import { isPlannedOnly, type RunState } from '../../domain/run/run-state.ts';
import { either, t } from '../../messages/translate.ts';
import { type PageProof, runHead } from '../runs/run-head.ts';
import { type Html, html } from '../shell/html.ts';
import { runLink } from '../shell/parts.ts';
import { planText } from '../shell/words.ts';

/** Asks whether a plan is to be discarded: nothing was sent, and there is nothing to stop. */
export function discardPage(run: RunState, runId: string, proof: PageProof): Html {
  return html`${runHead(run, proof)}
<section class="card narrow" aria-labelledby="stop">
<h2 id="stop">Discard this payment?</h2>
<p>Nothing was sent, and nothing will be. Its ${planText(run)} will not be paid by it, and its approvals are void.</p>
<p>${afterwards(run)}</p>
<p>This cannot be undone.</p>
<div class="row"><form method="post" action="/runs/${runId}/cancel"><button class="danger">Discard payment</button></form><a class="button" href="/runs/${runId}">Keep it</a></div>
</section>`;
}

/** How what a plan was to pay is paid after all. */
function afterwards({ header }: RunState): Html {
  const retried = header?.retries ?? null;
  return retried === null
    ? html`To pay it after all, plan the file or a corrected one again.`
    : html`To pay its rows after all, plan or correct them again on the page of ${runLink(retried)}.`;
}

/**
 * Beside the result of a plan that nobody started: what became of it, and what comes next. `upload`: the file that it was made
 * of, for who may submit it again; null for others, and where it is not kept.
 */
export function discardedPart(run: RunState, upload: string | null): Html | null {
  if (!isPlannedOnly(run)) return null;
  const { replacedBy, planEnd } = run;
  if (planEnd !== null) return endedPart(run, planEnd, upload);
  return replacedBy === null
    ? html`<div class="notice care"><p><strong>This plan was discarded before anybody started it.</strong> Nothing was sent. ${afterwards(run)}</p></div>`
    : html`<div class="notice care"><p><strong>${runLink(replacedBy)} took the place of this plan before anybody started it.</strong> Nothing was sent by it.</p></div>`;
}

/** Who rejected or recalled it and why, and how the preparer goes on. */
function endedPart(run: RunState, { as, person, reason }: PlanEnd, upload: string | null): Html {
  const again =
    upload !== null && html`<a class="button primary" href="/uploads/${upload}">Correct and submit again</a>`;
  const todo = as === 'rejected' ? t`Correct the errors and submit it again for approval.` : afterwards(run);
  return html`<div class="notice stack ${as === 'rejected' ? 'wrong' : 'care'}"><p class="lead"><strong>${person} ${either(as === 'rejected', 'rejected', 'recalled')} this payment.</strong></p>
${reason !== '' && html`<blockquote>${reason}</blockquote>`}
<p>Nothing was sent. It can no longer be approved or started. ${todo}</p>
${again && html`<p class="row">${again}</p>`}</div>`;
}
