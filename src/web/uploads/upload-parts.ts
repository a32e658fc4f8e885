import { html } from 'hono/html';
import type { CheckResult } from '../../app/check/check-result.ts';
import { amountText, payoutsText, sizeText } from '../shell/words.ts';
import type { Html } from '../web.ts';
import type { Upload } from './uploads.ts';

export type CheckPage = {
  upload: Upload;
  by: string;
  /** Whether this person may change how it is read, and upload again. */
  mayPrepare: boolean;
  /** How long it is kept, for whom it may be removed by; null for others, and while a plan needs it. */
  removal: string | null;
  result: CheckResult;
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
