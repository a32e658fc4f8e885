import { html } from 'hono/html';
import type { CheckResult } from '../../app/check/check-result.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import { type Html, safe } from '../shell/parts.ts';
import { payableText, uploadHead, waitingPart } from '../uploads/upload-parts.ts';
import type { Upload } from '../uploads/uploads.ts';
import type { PlanChoices, Planned } from './plannings.ts';

export type RefusedPlan = Extract<Planned, { state: 'refused' }>;

/** While the service is asked; the page asks again by itself, with and without script. */
export function planningPage(upload: Upload, by: string): Html {
  return html`${uploadHead({ upload, by })}
${waitingPart(`/uploads/${upload.id}/plan`, 'It is being planned …', 'The service is asked what it holds, who is known there, and what it costs. Nothing is sent.')}`;
}

/** Why no plan was made, and what can be chosen to make one after all. */
export function notPlannedPage(upload: Upload, by: string, refused: RefusedPlan, repeat: Repeat | null): Html {
  const { message, remedy, choices } = refused;
  // Of a repetition its own part says more.
  const said = repeat === null ? remedy : '';
  const asksPeriod = refused.other_period === true;
  const kept = choices.onlyValid ? html`<input type="hidden" name="only_valid" value="yes">` : '';
  return html`${uploadHead({ upload, by })}
<div class="notice wrong" role="alert"><p class="lead"><strong>No plan was made.</strong></p><p>${safe(message)}</p>${said === '' ? '' : html`<p>${safe(said)}</p>`}</div>
${repeat === null ? '' : repeatPart(upload, repeat, choices)}
${
  asksPeriod
    ? html`<section class="card" aria-labelledby="period"><h2 id="period">Another period</h2>
<form method="post" action="/uploads/${upload.id}/plan">${kept}${periodField(choices.period ?? '')}<button>Plan it for that period</button></form></section>`
    : ''
}
<p class="row"><a class="button" href="/uploads/${upload.id}">Back to the check</a></p>`;
}

/** On the page of the check: what can be planned of the file as it is. */
export function planForm(upload: Upload, result: CheckResult): Html | '' {
  const { problem_counts, payouts } = result;
  if (payouts === 0) return '';
  const what = payableText(result);
  const period =
    upload.job === null
      ? ''
      : html`<details><summary>For another period than the one that is due</summary><div class="inside">${periodField('')}</div></details>`;
  if (problem_counts.errors === 0)
    return html`<section class="card" aria-labelledby="plan"><h2 id="plan">Plan it</h2>
<p class="soft">A plan says exactly what would be paid. Nothing is sent: somebody else approves it first.</p>
<form method="post" action="/uploads/${upload.id}/plan">${period}<button class="primary">Plan ${what}</button></form></section>`;
  // Corrected rows are few, and each was looked at.
  if (upload.corrects !== null) return '';
  return html`<details class="card"><summary>Continue with the valid rows</summary>
<form class="inside" method="post" action="/uploads/${upload.id}/plan"><p>The rows with errors are left out, and the report says so.</p>
<label class="choice"><input type="checkbox" name="only_valid" value="yes" required> <span>Plan ${what}, and leave the other rows out</span></label>
${period}<button>Plan these</button></form></details>`;
}

function periodField(value: string): Html {
  return html`<label>Period, such as 2026-11 <input name="period" value="${value}" maxlength="20" autocomplete="off" spellcheck="false"></label>`;
}

/** Rows that are named; the others are counted. */
const NAMED_MAX = 12;

/** What was paid before by `runId`: some rows of the file, or that run was of the same file or period (`rows` is null). */
export type Repeat = {
  runId: string;
  rows: readonly number[] | null;
  /** How many payouts the file has, where that is known. */
  payouts: number | null;
  /** How many that run paid, and of how many, where it has ended. */
  earlier: { paid: number; of: number } | null;
};

/** What a run that has ended paid; null while it goes on. */
export function paidOf(run: RunState | undefined): Repeat['earlier'] {
  const of = run?.header?.payouts;
  return run?.finished && of !== undefined ? { paid: run.finished.completed, of } : null;
}

/** What of a file was paid already, the way to pay only the rest, and how all of it is paid once more after all. */
function repeatPart(upload: Upload, repeat: Repeat, choices: PlanChoices): Html {
  const { runId } = repeat;
  return html`<section class="card" aria-labelledby="repeat"><h2 id="repeat">It was paid before</h2>
${repeat.rows === null ? ofTheSame(repeat) : ofRows(repeat, repeat.rows)}
<form method="post" action="/uploads/${upload.id}/plan">${choices.onlyValid ? html`<input type="hidden" name="only_valid" value="yes">` : ''}${choices.period === null ? '' : html`<input type="hidden" name="period" value="${choices.period}">`}
<label class="choice"><input type="checkbox" name="allow_repeat" value="${runId}" required> <span>${tickText(repeat)}</span></label>
<button class="danger">Plan it once more</button></form></section>`;
}

function ofRows({ runId, payouts }: Repeat, rows: readonly number[]): Html {
  const named = rows.slice(0, NAMED_MAX).join(', ');
  const more = rows.length - NAMED_MAX;
  const which = `${rows.length === 1 ? 'row' : 'rows'} ${named}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
  return html`<p>${ofText(rows.length, payouts)} ${rows.length === 1 ? 'was' : 'were'} paid already by ${link(runId)}, or wait there, with the same amount to the same account: ${which}.</p>
<p>Remove them from the file and upload it again. Where such a payment is another one, whoever looks after the jobs can change for how long a payment counts as the same.</p>`;
}

function ofTheSame({ runId, earlier }: Repeat): Html {
  if (earlier === null) return html`<p>Look at ${link(runId)}: it pays it.</p>`;
  const { paid, of } = earlier;
  const left = of - paid;
  if (left === 0)
    return html`<p>${link(runId)} paid it: ${of === 1 ? 'its one payout' : `all ${counted(of, 'payout')}`}.</p>`;
  return html`<p>${paid.toLocaleString('en')} of ${counted(of, 'payout')} were paid by ${link(runId)}. Pay the other ${left.toLocaleString('en')} on the page of ${link(runId)}: there they are corrected, and nobody is paid twice.</p>`;
}

/** It says what the tick does, and for whom. */
function tickText({ runId, rows, payouts, earlier }: Repeat): string {
  if (rows === null) {
    const who = earlier === null ? 'everybody' : `also the ${earlier.paid.toLocaleString('en')} whom it paid`;
    return `I know that ${runId} paid it, and ${who} ${earlier === null || earlier.paid === 1 ? 'is' : 'are'} to be paid once more`;
  }
  const rest = payouts === null ? 0 : payouts - rows.length;
  const others = rest > 0 ? `, beside the other ${rest.toLocaleString('en')}` : '';
  return `I know that ${runId} paid ${rows.length === 1 ? 'this row' : `these ${rows.length.toLocaleString('en')} rows`}, and ${rows.length === 1 ? 'it is' : 'they are'} to be paid once more${others}`;
}

function ofText(count: number, payouts: number | null): string {
  const many = count.toLocaleString('en');
  return payouts === null ? `${many} ${count === 1 ? 'row' : 'rows'}` : `${many} of ${counted(payouts, 'row')}`;
}

function link(runId: string): Html {
  return html`<a href="/runs/${runId}">${runId}</a>`;
}
