import type { CheckResult } from '../../app/check/check-result.ts';
import { FILE_ENDINGS } from '../../app/check/reading.ts';
import { either, t } from '../../messages/translate.ts';
import { startFields, type TypedStart } from '../plans/start-fields.ts';
import { type Html, html } from '../shell/html.ts';
import { choice, hiddenField, option, runLink } from '../shell/parts.ts';
import { stepper } from '../shell/stepper.ts';
import { amountText, paymentName, payoutsText, sizeText } from '../shell/words.ts';
import { UPLOAD_BYTES_MAX, uploadMaxText } from './receive-file.ts';
import { type Choosable, overBadge, overField, type UploadBy } from './upload-over.ts';
import type { Upload } from './uploads.ts';

/** What is uploaded: a new file, for one of the jobs; or a file that takes the place of another or of rows. */
type UploadForm = {
  jobs?: readonly { name: string; description: string | null }[];
  /** The job that is chosen already. */
  job?: string | null;
  /** Whether a file may be for no job. */
  mayGoWithout?: boolean;
  /** What it can be paid over. */
  over?: Choosable | null;
  /** The upload whose corrected file is asked for: its job and all choices about it stay. */
  mends?: string;
  /** The run whose failed and rejected rows the file corrects. */
  corrects?: string;
  /** False where something else of the page is to be done first. */
  isPrimary?: boolean;
};

/**
 * A file input that a file may also be dropped on: without script it is what the browser makes of it. The script
 * sends a new file as soon as a person has chosen it.
 */
export function uploadForm(form: UploadForm): Html {
  const { mends, corrects, over = null, isPrimary = true, mayGoWithout = true } = form;
  const isNew = mends === undefined && corrects === undefined;
  const what = isNew ? t`the spreadsheet` : corrects === undefined ? t`the corrected file` : t`the corrected sheet`;
  return html`<form method="post" action="/uploads" enctype="multipart/form-data" data-upload="${UPLOAD_BYTES_MAX}"${isNew && html` data-starts`}>
${over && overField(over)}${hiddenField('mends', mends)}${hiddenField('corrects', corrects)}
<label class="drop">
<span class="drop-title">Drop ${what} here, or choose it</span>
<input type="file" name="file" required accept="${FILE_ENDINGS.join(',')}" aria-describedby="upload-hint">
<span class="soft small" id="upload-hint">An .xlsx, .xls, .ods, .csv, .tsv or .txt file, or a bank file (.xml, .aba, .ach, .bac), of ${uploadMaxText()} at most.${isNew && t` The upload starts when you have chosen it.`}</span>
</label>
${isNew && jobField(form)}
${isNew && html`<p class="small">No file yet? <a href="/template.xlsx" download>Download an empty one</a></p>`}
<p class="notice wrong" role="alert" data-upload-problem hidden>The file is larger than ${uploadMaxText()}. Save the sheet with the payouts alone, or split it.</p>
<div class="row"><button class="${isPrimary && 'primary'}">Upload and review</button>${isNew && mayGoWithout && byHand()}</div>
</form>`;
}

/** The same form without its file. */
const byHand = () =>
  html`<button formaction="/uploads/by-hand" formenctype="application/x-www-form-urlencoded" formnovalidate>Enter rows without a file</button>`;

/** Behind the file: where none is chosen before it is uploaded, the next step suggests one. */
function jobField({ jobs = [], job: chosen = null, mayGoWithout = true }: UploadForm): Html | null {
  if (jobs.length === 0) return null;
  const words = ({ name, description }: NonNullable<UploadForm['jobs']>[number]) =>
    description === null ? name : `${name}: ${description}`;
  return html`<label>Job
<select name="job">
${mayGoWithout && option('', t`Suggest one from the file`, chosen === null)}
${jobs.map((job) => option(job.name, words(job), job.name === chosen))}
</select></label>`;
}

/** The steps of a new payment, in their order. */
export type StepName = 'upload' | 'map' | 'review' | 'submit';

const stepWords = (): readonly { name: StepName; label: string }[] => [
  { name: 'upload', label: t`Upload` },
  { name: 'map', label: t`Map` },
  { name: 'review', label: t`Review` },
  { name: 'submit', label: t`Submit` },
];

/** The steps before there is a file. */
export function newSteps(): Html {
  return stepper(
    stepWords().map(({ label }) => ({ label, path: null })),
    0,
  );
}

/** Where a file is among the steps: a file can be gone back to at each, and is submitted by the button of its review. */
function uploadSteps({ id }: Upload, at: StepName): Html {
  const steps = stepWords().map(({ name, label }) => ({
    label,
    path: name === 'submit' ? null : `/uploads/${id}/${name}`,
  }));
  return stepper(
    steps,
    stepWords().findIndex(({ name }) => name === at),
  );
}

/** What its payment will be called. */
export function uploadName({ job, name }: Pick<Upload, 'job' | 'name'>): string {
  return paymentName({ job, period: null, input: { name } });
}

/** Whose file it is, on each step of a new payment. */
export function uploadHead(upload: Upload, by: UploadBy, step: StepName): Html {
  const { corrects } = upload;
  const job = upload.job === null ? '' : t`for job ${upload.job}, `;
  const of = corrects !== null && html`corrects rows of ${runLink(corrects)}, `;
  return html`${uploadSteps(upload, step)}
<div class="stack tight"><h1>${step === 'map' ? t`Map the columns` : uploadName(upload)}</h1>
<p class="soft">${upload.name}, ${job}${of}${sizeText(upload.bytes)}, uploaded by ${by.name}. <a href="/uploads/${upload.id}/sheet">See the sheet</a></p>${by.over && html`<p>${overBadge(by)}</p>`}</div>`;
}

/** For the person who uploaded the file. `kept` is how long it is kept; null where it is not to be removed. */
export function removalPart({ id }: Upload, kept: string | null): Html | null {
  if (kept === null) return null;
  return html`<section class="stack" aria-labelledby="remove"><h2 id="remove">Remove this file</h2>
<p class="soft">It is removed ${kept} after it was uploaded, or after its plans are paid.</p>
<form method="post" action="/uploads/${id}/remove"><button>Remove it now</button></form></section>`;
}

/** What can be paid of it, in a few words. */
export function payableText({ payouts, totals }: Pick<CheckResult, 'payouts' | 'totals'>): string {
  const sums = totals.map(({ amount, currency }) => amountText(amount, currency));
  return payoutsText(payouts, sums);
}

export function severityMark(severity: 'error' | 'warning'): Html {
  return html`<span class="mark">${either(severity === 'error', 'Error', 'Warning')}</span>`;
}

/** On the page of the check: what can be planned of the file as it is. */
export function planForm(upload: Upload, by: UploadBy, result: CheckResult, start: TypedStart): Html | null {
  const { problem_counts, payouts } = result;
  if (payouts === 0) return null;
  const what = payableText(result);
  const period =
    upload.job !== null &&
    html`<details><summary>For a period other than the one due</summary><div class="inside">${periodField('')}</div></details>`;
  if (problem_counts.errors === 0)
    return html`<section class="card" aria-labelledby="plan"><h2 id="plan">Submit for approval</h2>
<p class="soft">Approvers see exactly what will be paid. Nothing is sent until someone else approves it.</p>
<form method="post" action="/uploads/${upload.id}/plan">${period}${timePart(start)}<div class="row"><button class="primary">Submit ${what} for approval</button>${overBadge(by)}</div></form></section>`;
  // Corrected rows are few, and each was looked at.
  if (upload.corrects !== null) return null;
  return html`<details><summary>Continue with the valid rows</summary>
<form class="inside" method="post" action="/uploads/${upload.id}/plan"><p>The rows with errors are left out, and the report says so.</p>
${choice('only_valid', 'yes', t`Submit ${what}, and leave the other rows out`, { isRequired: true })}
${period}${timePart(start)}<div class="row"><button>Submit these for approval</button>${overBadge(by)}</div></form></details>`;
}

/** Fields of a form that makes a plan: that it is started on its own, and when; `more`: other fields of that. */
export function timePart(start: TypedStart, more: Html | null = null): Html {
  return html`<details><summary>Start automatically at a date and time</summary><div class="inside">
${choice('at_time', 'yes', t`Start it then in my name, if it is approved by then`)}
${startFields(start)}${more}</div></details>`;
}

export function periodField(value: string): Html {
  return html`<label>Period, such as 2026-11 <input name="period" value="${value}" maxlength="20" autocomplete="off" spellcheck="false"></label>`;
}
