import { html } from 'hono/html';
import type { Html } from '../web.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_MAX_TEXT } from './receive/receive.ts';

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
