import { html } from 'hono/html';
import type { CheckResult } from '../../app/check/check-result.ts';
import { safe } from '../shell/safe-text.ts';
import { waitingPart } from '../uploads/checking-page.ts';
import { payableText, uploadHead } from '../uploads/upload-parts.ts';
import type { Upload } from '../uploads/uploads.ts';
import type { Html } from '../web.ts';
import type { Planned } from './plannings.ts';
import { type Repeat, repeatPart } from './repeat-part.ts';

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
