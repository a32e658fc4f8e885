import { html } from 'hono/html';
import type { CheckResult, ShownCheck } from '../../app/check/check-result.ts';
import type { Html } from '../shell/parts.ts';
import { amountText, payoutsText, sizeText } from '../shell/words.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_MAX_TEXT } from './receive-file.ts';
import type { Upload } from './uploads.ts';

export type UploadForm = {
  jobs: readonly { name: string; description: string | null }[];
  /** The job that is chosen already. */
  job: string | null;
  /** The upload whose mended file is asked for: its job and everything that was said of it stay. */
  mends: string | null;
  /** The run whose failed and rejected rows the file corrects. */
  corrects?: string;
  /** False where something else of the page is to be done first. */
  isPrimary?: boolean;
};

/** A file input that a file may also be dropped on: without script it is what the browser makes of it. */
export function uploadForm({ jobs, job, mends, corrects, isPrimary = true }: UploadForm): Html {
  const isNew = mends === null && corrects === undefined;
  return html`<form method="post" action="/uploads" enctype="multipart/form-data" data-upload="${UPLOAD_BYTES_MAX}">
${isNew ? jobField(jobs, job) : ''}${mends === null ? '' : html`<input type="hidden" name="mends" value="${mends}">`}${corrects === undefined ? '' : html`<input type="hidden" name="corrects" value="${corrects}">`}
<label class="drop">
<span class="drop-title">${isNew ? 'Drop the spreadsheet here, or choose it' : corrects === undefined ? 'Drop the mended file here, or choose it' : 'Drop the corrected sheet here, or choose it'}</span>
<input type="file" name="file" required accept=".xlsx,.csv,.tsv,.txt" aria-describedby="upload-hint">
<span class="soft small" id="upload-hint">An .xlsx, .csv, .tsv or .txt file of ${UPLOAD_MAX_TEXT} at most</span>
</label>
${isNew ? html`<p class="small">No file yet? <a href="/template.xlsx" download>Download an empty one</a></p>` : ''}
<p class="notice wrong" role="alert" data-upload-problem hidden>The file is larger than ${UPLOAD_MAX_TEXT}. Save the sheet with the payouts alone, or split it.</p>
<button class="${isPrimary ? 'primary' : ''}">Upload and review</button>
</form>`;
}

function jobField(jobs: UploadForm['jobs'], chosen: string | null): Html | '' {
  if (jobs.length === 0) return '';
  return html`<label>What it is for
<select name="job">
<option value="">No job: this file alone</option>
${jobs.map(({ name, description }) => html`<option value="${name}"${name === chosen ? html` selected` : ''}>${name}${description === null ? '' : `: ${description}`}</option>`)}
</select></label>`;
}

export type CheckPage = {
  upload: Upload;
  by: string;
  /** Whether this person may change how it is read, and upload again. */
  mayPrepare: boolean;
  /** How long it is kept, for whom it may be removed by; null for others, and while a plan needs it. */
  removal: string | null;
  result: ShownCheck;
};

/** Whose file it is, on whatever page of it. */
export function uploadHead({ upload, by }: Pick<CheckPage, 'upload' | 'by'>): Html {
  const { corrects } = upload;
  const job = upload.job === null ? '' : `for job ${upload.job}, `;
  const of = corrects === null ? '' : html`corrects rows of <a href="/runs/${corrects}">${corrects}</a>, `;
  return html`<div class="stack tight"><p class="soft small">Check</p><h1>${upload.name}</h1>
<p class="soft">${job}${of}${sizeText(upload.bytes)}, uploaded by ${by}. <a href="/uploads/${upload.id}/sheet">See the sheet</a></p></div>`;
}

/** Only the person who uploaded a file may remove it. */
export function removalPart({ upload, removal }: Pick<CheckPage, 'upload' | 'removal'>): Html | '' {
  if (removal === null) return '';
  return html`<section class="card" aria-labelledby="remove"><h2 id="remove">Remove this file</h2>
<p class="soft">It goes by itself ${removal} after it was uploaded, or after what was planned of it is paid.</p>
<form method="post" action="/uploads/${upload.id}/remove"><button>Remove it now</button></form></section>`;
}

/** What can be paid of it, in a few words. */
export function payableText({ payouts, totals }: Pick<CheckResult, 'payouts' | 'totals'>): string {
  return payoutsText(
    payouts,
    totals.map(({ amount, currency }) => amountText(amount, currency)),
  );
}

type Of = Pick<CheckPage, 'upload' | 'by' | 'mayPrepare' | 'removal'>;

/** While the check is made: the page asks again by itself, with and without script. */
export function checkingPage({ upload, by }: Pick<Of, 'upload' | 'by'>, place: string): Html {
  return html`${uploadHead({ upload, by })}
${waitingPart(place, 'It is being read …', 'Large files take some seconds. You may leave this page: it goes on.')}`;
}

/**
 * Asks again by itself until another page stands in its place; without script the page around it does (`asksAgain`). `far`
 * is how far it is, where that is known.
 */
export function waitingPart(
  place: string,
  what: string,
  hint: string,
  far: { done: number; of: number } | null = null,
): Html {
  const bar =
    far === null
      ? html`<progress aria-label="${what}"></progress>`
      : html`<progress aria-label="${what}" max="${far.of}" value="${far.done}"></progress>`;
  return html`<div id="waits" class="card" role="status" hx-get="${place}" hx-trigger="every 600ms" hx-target="#main" hx-select="#main" hx-swap="outerMorph" hx-headers='{"x-refresh": "page"}'>
<p class="lead">${what}</p>${bar}
<p class="soft">${hint}</p>
</div>`;
}

/** While the cells are written down, from which the sheet is shown. */
export function readingSheetPage(upload: Upload, place: string): Html {
  return html`<h1>${upload.name}</h1>${waitingPart(place, 'The sheet is being read …', 'Large files take some seconds.')}`;
}

/** A file that could not be read at all, in the words of `check`; or a check that gave no answer (null). */
export function uncheckedPage(
  { upload, by, mayPrepare, removal }: Of,
  said: { message: string; remedy: string } | null,
): Html {
  const { message, remedy } = said ?? {
    message: 'The check ended without an answer.',
    remedy: 'Check it again. If it stays so, the log file in the data directory says why.',
  };
  return html`${uploadHead({ upload, by })}
<div class="notice wrong" role="alert"><p class="lead">${message}</p><p>${remedy}</p></div>
${said === null && mayPrepare ? html`<form method="post" action="/uploads/${upload.id}/again"><button class="primary">Check it again</button></form>` : ''}
${mayPrepare ? html`<section class="card" aria-labelledby="mend"><h2 id="mend">Upload another file in its place</h2>${uploadForm({ jobs: [], job: upload.job, mends: upload.id, isPrimary: said !== null })}</section>` : ''}
${removalPart({ upload, removal })}`;
}
