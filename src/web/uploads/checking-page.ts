import { html } from 'hono/html';
import type { Html } from '../web.ts';
import { uploadForm } from './upload-form.ts';
import { type CheckPage, removalPart, uploadHead } from './upload-parts.ts';
import type { Upload } from './uploads.ts';

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
