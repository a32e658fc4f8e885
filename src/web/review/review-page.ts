import { t } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { type IconName, icon } from '../shell/icon.ts';
import { overBadge, type UploadBy } from '../uploads/upload-over.ts';
import { uploadHead } from '../uploads/upload-parts.ts';
import type { Upload } from '../uploads/uploads.ts';

export type ReviewView = {
  upload: Upload;
  /** Who uploaded it. */
  by: UploadBy;
  /** Whether this person may change the rows. */
  mayEdit: boolean;
};

/** The rows in a grid. Its script fills in everything that is empty here; without script the sheet shows the same. */
export function reviewPage({ upload, by, mayEdit }: ReviewView): Html {
  const path = `/uploads/${upload.id}`;
  return html`<div class="review-head">${uploadHead(upload, by, 'review')}<p class="review-status" role="status" data-status></p></div>
<noscript><p class="notice care">Editing the rows needs JavaScript. <a href="${path}/sheet">See the sheet</a>, and fix the file in the program that made it.</p></noscript>
<div data-of-file></div>
<div class="review" data-review="${path}/rows" data-edit="${mayEdit ? 'yes' : 'no'}">
<nav class="review-kinds" aria-label="Rows to show" data-kinds></nav>
<div class="review-pane">
<div class="review-tools">
${mayEdit && editTools()}
<details class="review-help"><summary>Keys</summary><p class="small" id="review-keys">Arrow keys move${mayEdit && editKeys()}; Esc leaves the grid.${!mayEdit && t` Only a preparer may change the rows.`}</p></details>
<label class="review-search"><span class="hidden">Search the rows</span><input type="search" placeholder="Search" maxlength="100" autocomplete="off" spellcheck="false" data-search></label>
</div>
<p class="review-none soft" data-none hidden></p>
<div class="review-grid" role="grid" tabindex="0" aria-label="Rows" aria-describedby="review-keys" aria-multiselectable="true" data-grid></div>
</div>
<aside class="review-cell" aria-labelledby="review-cell" data-cell hidden><h2 id="review-cell">Cell</h2></aside>
</div>
<div class="review-foot"><dl class="review-figures" data-figures></dl>${overBadge(by)}<div class="row"><a class="button" href="${path}" data-continue>Continue</a><button type="button" data-fix disabled hidden></button></div></div>
${mayEdit && recipientsDialog()}
<script type="module" src="/static/review/review.js"></script>`;
}

const editKeys = () =>
  t`, Enter or F2 edits, Delete clears, Ctrl C and Ctrl V copy and paste, Ctrl D fills down, Ctrl Z undoes, Ctrl Y redoes`;

const tool = (act: string, sign: IconName, words: string, more: Html | null = null) =>
  html`<button type="button" class="quiet" title="${words}" data-act="${act}"${more}>${icon(sign)}<span${(act === 'undo' || act === 'redo') && html` class="hidden"`}>${words}</span></button>`;

const editTools = () =>
  html`${tool('undo', 'undo', t`Undo`, html` aria-keyshortcuts="Control+Z" disabled`)}
${tool('redo', 'redo', t`Redo`, html` aria-keyshortcuts="Control+Y Control+Shift+Z" disabled`)}
${tool('fill', 'fill', t`Fill down`, html` aria-keyshortcuts="Control+D"`)}
${tool('add', 'add', t`Add row`)}
${tool('delete', 'delete', t`Delete row`)}
${tool('pick', 'recipients', t`Pick recipient`)}`;

const recipientsDialog =
  () => html`<dialog class="review-recipients" aria-labelledby="recipients-title" data-recipients>
<h2 id="recipients-title">Pick a recipient</h2>
<label>Name, ID or end of the account <input type="search" maxlength="100" autocomplete="off" spellcheck="false" data-recipient-search></label>
<ul data-recipient-list></ul>
<form method="dialog"><button>Close</button></form>
</dialog>`;
