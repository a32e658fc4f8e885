import { html } from 'hono/html';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import type { DoubtAbout } from '../../report/doubts/doubt-choices.ts';
import { ASK, answerText, HEADING, lookedText, WHY } from '../../report/doubts/doubt-text.ts';
import { type Doubt, isLookedFor } from '../../report/doubts/doubts.ts';
import type { PageProof } from '../audit/page-act.ts';
import { safe } from '../shell/safe-text.ts';
import { amountText } from '../shell/words.ts';
import { confirmationOf, type DoubtAct, type Doubts, doubtActs, wholeRunActs } from '../watch/doubt-acts.ts';
import type { Refused } from '../watch/refused.ts';
import type { Html } from '../web.ts';
import { refusalNotice, runHead } from './run-head.ts';

/** What is in doubt, before anything else: by kind, why, and where a person settles it. */
export function doubtsPart(runId: string, { shown, total }: Doubts, { mayAct }: { mayAct: boolean }): Html | '' {
  if (total === 0) return '';
  const kinds = Map.groupBy(shown, ({ about }) => about);
  const left = total - shown.length;
  return html`<section class="stack" aria-labelledby="doubts">
<h2 id="doubts">Needs you</h2>
<p>Nobody may pay any of these in another way before it is settled what became of it.</p>
${Array.from(kinds, ([about, doubts]) => kindPart(runId, about, doubts, mayAct))}
${left === 0 ? '' : html`<p class="soft">${counted(left, 'more payout')} in doubt: they follow when these are settled.</p>`}
</section>`;
}

function kindPart(runId: string, about: DoubtAbout, doubts: readonly Doubt[], mayAct: boolean): Html {
  const ask = ASK[about];
  return html`<div class="card need">
<h3>${HEADING[about]} <span class="tag">${counted(doubts.length, 'payout')}</span></h3>
<p>${WHY[about]}</p>${ask === undefined ? '' : html`<p>${ask}</p>`}
<ul class="entries">${doubts.map((doubt) => doubtItem(runId, doubt, mayAct))}</ul>
</div>`;
}

function doubtItem(runId: string, doubt: Doubt, mayAct: boolean): Html {
  const { row, payee, amount, currency, account } = doubt;
  const isSettled = doubtActs(doubt).some(({ act }) => act !== 'resume');
  const label = mayAct && isSettled ? 'Settle …' : 'Look at it';
  return html`<li class="split"><span><strong>${safe(payee)}</strong> <span class="soft small">row ${row}, to ${safe(account)}</span></span><span class="number">${safe(amountText(amount, currency))}</span><a class="button" href="/runs/${runId}/doubts/${row}" aria-label="${label} row ${row}">${label}</a></li>`;
}

export type DoubtPage = {
  proof: PageProof;
  mayAct: boolean;
  refused: Refused | null;
  /** Whether a program works on the run: it has to be done first. */
  isHeld: boolean;
};

/** One payout in doubt: everything that is known of it, and what can be said of it, with what that risks. */
export function doubtPage(run: RunState, runId: string, doubt: Doubt, page: DoubtPage): Html {
  const { proof, mayAct, refused, isHeld } = page;
  const { row, payee, amount, currency, account, about, sent_at, token, answer, candidates } = doubt;
  const facts: [string, Html | string | null][] = [
    ['Payee', safe(payee)],
    ['Amount', safe(amountText(amount, currency))],
    ['To', safe(account)],
    ['Sent', sent_at === null ? null : `${sent_at.slice(0, 10)} ${sent_at.slice(11, 19)} UTC`],
    ['Token in its description', token === null ? null : html`<span class="id">${token}</span>`],
    ['The answer', answer === null ? null : safe(answerText(doubt))],
    ['Looked for', isLookedFor(about) ? lookedText(doubt) : null],
    [
      'Found at the service',
      candidates.length === 0 ? null : html`<span class="id">${safe(candidates.join(', '))}</span>`,
    ],
  ];
  const ask = ASK[about];
  return html`${runHead(run, proof)}
${refusalNotice(refused)}
<section class="card" aria-labelledby="doubt">
<h2 id="doubt">Row ${row}: ${HEADING[about]}</h2>
<dl class="facts">${facts.map(([term, what]) => (what === null ? '' : html`<dt>${term}</dt><dd>${what}</dd>`))}</dl>
<p>${WHY[about]}</p>${ask === undefined ? '' : html`<p>${ask}</p>`}
</section>
${mayAct ? actsPart(runId, doubt, isHeld) : ''}
<p><a href="/runs/${runId}">Back to the run</a></p>`;
}

function actsPart(runId: string, doubt: Doubt, isHeld: boolean): Html {
  if (isHeld)
    return html`<p class="notice">A program works on this run now. When it is done, this can be settled here.</p>`;
  return html`<section class="stack" aria-labelledby="choices"><h2 id="choices">What you can do</h2>
<div class="columns">${doubtActs(doubt).map((act, at) => actForm(runId, doubt, act, at))}</div>
${wholeRunActs(doubt).map(
  ({ command, does, risk }) => html`<div class="card"><h3>Send again what is not listed</h3>
<p>${safe(does)} <strong>${safe(risk)}</strong></p>
<p>It is about every payout of this run that is in doubt, so it is not done here. Whoever operates payrun does it by command: <span class="id">${safe(command)}</span></p></div>`,
)}</section>`;
}

const ACT_LABELS: Readonly<Record<DoubtAct['act'], string>> = {
  resume: 'Look again',
  sent: 'It was sent',
  not_sent: 'It was not sent',
};

function actForm(runId: string, doubt: Doubt, { act, transaction, does, risk }: DoubtAct, at: number): Html {
  const named =
    act !== 'sent'
      ? ''
      : transaction !== null
        ? html`<input type="hidden" name="transaction" value="${transaction}"><p>As <span class="id">${safe(transaction)}</span>.</p>`
        : html`<label>Transaction <input name="transaction" required maxlength="128" autocomplete="off" spellcheck="false"></label>`;
  const typed =
    act === 'resume'
      ? ''
      : html`<label><span>Type <strong>${confirmationOf(doubt)}</strong> to say so</span> <input name="typed" required autocomplete="off" id="typed-${at}"></label>`;
  return html`<form class="card" method="post" action="/runs/${runId}/doubts/${doubt.row}">
<h3>${ACT_LABELS[act]}</h3>
<p>${safe(does)} <strong>${safe(risk)}</strong></p>
<input type="hidden" name="act" value="${act}">${named}${typed}
<button class="${act === 'resume' ? 'primary' : 'danger'}">${ACT_LABELS[act]}</button>
</form>`;
}
