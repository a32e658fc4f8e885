import type { CheckResult } from '../../app/check/check-result.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import { type Html, html } from '../shell/html.ts';
import { choice, hiddenField, runLink, waitingPart } from '../shell/parts.ts';
import { payableText, uploadHead } from '../uploads/upload-parts.ts';
import type { Upload } from '../uploads/uploads.ts';
import type { PlanChoices, RefusedPlan } from './plannings.ts';

/** Rows that are named; the others are counted. */
const ROWS_NAMED_MAX = 12;

/** While the service is asked; the page asks again by itself, with and without script. */
export function planningPage(upload: Upload, by: string): Html {
  return html`${uploadHead(upload, by)}
${waitingPart(`/uploads/${upload.id}/plan`, 'It is being planned …', 'The service is asked what it holds, who is known there, and what it costs. Nothing is sent.')}`;
}

/** Why no plan was made, and what can be chosen to make one after all. */
export function notPlannedPage(upload: Upload, by: string, refused: RefusedPlan, repeat: Repeat | null): Html {
  const { message, remedy, choices } = refused;
  const period = html`<section class="card" aria-labelledby="period"><h2 id="period">Another period</h2>
<form method="post" action="/uploads/${upload.id}/plan">${onlyValidField(choices)}${periodField(choices.period ?? '')}<button>Plan it for that period</button></form></section>`;
  // Of a repetition its own part says more.
  const what = repeat === null && remedy && html`<p>${remedy}</p>`;
  return html`${uploadHead(upload, by)}
<div class="notice wrong" role="alert"><p class="lead"><strong>No plan was made.</strong></p><p>${message}</p>${what}</div>
${repeat && repeatPart(upload, repeat, choices)}
${refused.other_period && period}
<p class="row"><a class="button" href="/uploads/${upload.id}">Back to the check</a></p>`;
}

/** On the page of the check: what can be planned of the file as it is. */
export function planForm(upload: Upload, result: CheckResult): Html | null {
  const { problem_counts, payouts } = result;
  if (payouts === 0) return null;
  const what = payableText(result);
  const period =
    upload.job !== null &&
    html`<details><summary>For another period than the one that is due</summary><div class="inside">${periodField('')}</div></details>`;
  if (problem_counts.errors === 0)
    return html`<section class="card" aria-labelledby="plan"><h2 id="plan">Plan it</h2>
<p class="soft">A plan says exactly what would be paid. Nothing is sent: somebody else approves it first.</p>
<form method="post" action="/uploads/${upload.id}/plan">${period}<button class="primary">Plan ${what}</button></form></section>`;
  // Corrected rows are few, and each was looked at.
  if (upload.corrects !== null) return null;
  return html`<details class="card"><summary>Continue with the valid rows</summary>
<form class="inside" method="post" action="/uploads/${upload.id}/plan"><p>The rows with errors are left out, and the report says so.</p>
${choice('only_valid', 'yes', `Plan ${what}, and leave the other rows out`, { isRequired: true })}
${period}<button>Plan these</button></form></details>`;
}

function onlyValidField({ onlyValid }: PlanChoices): Html | null {
  return hiddenField('only_valid', onlyValid ? 'yes' : null);
}

function periodField(value: string): Html {
  return html`<label>Period, such as 2026-11 <input name="period" value="${value}" maxlength="20" autocomplete="off" spellcheck="false"></label>`;
}

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
  const { runId, rows } = repeat;
  return html`<section class="card" aria-labelledby="repeat"><h2 id="repeat">It was paid before</h2>
${rows === null ? ofTheSame(repeat) : ofRows(repeat, rows)}
<form method="post" action="/uploads/${upload.id}/plan">${onlyValidField(choices)}${hiddenField('period', choices.period)}
${choice('allow_repeat', runId, tickText(repeat), { isRequired: true })}
<button class="danger">Plan it once more</button></form></section>`;
}

function ofRows({ runId, payouts }: Repeat, rows: readonly number[]): Html {
  const named = rows.slice(0, ROWS_NAMED_MAX).join(', ');
  const more = rows.length - ROWS_NAMED_MAX;
  const isOne = rows.length === 1;
  const many = rows.length.toLocaleString('en');
  const ofAll = payouts === null ? `${many} ${isOne ? 'row' : 'rows'}` : `${many} of ${counted(payouts, 'row')}`;
  const which = `${isOne ? 'row' : 'rows'} ${named}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
  return html`<p>${ofAll} ${isOne ? 'was' : 'were'} paid already by ${runLink(runId)}, or wait there, with the same amount to the same account: ${which}.</p>
<p>Remove them from the file and upload it again. If this is a different payment, your administrator can change for how long a payment counts as the same.</p>`;
}

function ofTheSame({ runId, earlier }: Repeat): Html {
  const link = runLink(runId);
  if (earlier === null) return html`<p>Look at ${link}: it pays it.</p>`;
  const { paid, of } = earlier;
  const left = of - paid;
  if (left === 0) return html`<p>${link} paid it: ${of === 1 ? 'its one payout' : `all ${counted(of, 'payout')}`}.</p>`;
  return html`<p>${paid.toLocaleString('en')} of ${counted(of, 'payout')} were paid by ${link}. Pay the other ${left.toLocaleString('en')} on the page of ${link}: there they are corrected, and nobody is paid twice.</p>`;
}

/** What the tick confirms. */
function tickText({ runId, rows, payouts, earlier }: Repeat): string {
  if (rows === null) {
    if (earlier === null) return `I know that ${runId} paid it, and everybody is to be paid once more`;
    const again = `${counted(earlier.paid, 'payout')} that it made ${earlier.paid === 1 ? 'is' : 'are'}`;
    return `I know that ${runId} paid it, and the ${again} to be paid once more`;
  }
  const isOne = rows.length === 1;
  const rest = payouts === null ? 0 : payouts - rows.length;
  const others = rest > 0 ? `, beside the other ${rest.toLocaleString('en')}` : '';
  return `I know that ${runId} paid ${isOne ? 'this row' : `these ${rows.length.toLocaleString('en')} rows`}, and ${isOne ? 'it is' : 'they are'} to be paid once more${others}`;
}
