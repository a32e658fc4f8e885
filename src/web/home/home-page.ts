import { html } from 'hono/html';
import type { WaitingPlan } from '../plans/waiting-plans.ts';
import { type UploadForm, uploadForm } from '../uploads/upload-form.ts';
import type { Html } from '../web.ts';

export type OpenUpload = { id: string; name: string; by: string; at: string; job: string | null };

export type Home = {
  name: string;
  /** Null for who may not prepare. */
  upload: UploadForm | null;
  /** Why the last upload was refused. */
  wrong: { what: string; remedy: string } | null;
  plans: readonly WaitingPlan[];
  /** Whether more plans follow, when they are read. */
  isReading: boolean;
  uploads: readonly OpenUpload[];
  /** Whether this person sees plans and files at all. */
  seesRuns: boolean;
  isAdministrator: boolean;
};

/** The first page: a file to pay, and what waits, what waits for this person first. */
export function homePage({ name, upload, wrong, plans, isReading, uploads, seesRuns, isAdministrator }: Home): Html {
  return html`<h1>Good day, ${name}</h1>
${wrong === null ? '' : html`<div class="notice wrong" role="alert"><p><strong>${wrong.what}</strong></p><p>${wrong.remedy}</p></div>`}
<div class="columns">
${upload === null ? '' : html`<section class="card" aria-labelledby="pay"><h2 id="pay">New payment</h2><p class="soft">You see what is wrong with it, and what would be paid, before anything is.</p>${uploadForm(upload)}</section>`}
${seesRuns ? waiting(plans, isReading) : ''}
${uploads.length === 0 ? '' : opened(uploads)}
</div>
${upload === null && !seesRuns ? html`<p class="empty">You have no role yet in which you see payouts. ${isAdministrator ? html`Give yourself one under <a href="/people">People</a>: open your name there.` : 'An administrator gives you one.'}</p>` : ''}`;
}

function waiting(plans: readonly WaitingPlan[], isReading: boolean): Html {
  const sorted = [...plans].sort((one, other) => Number(other.isMine) - Number(one.isMine));
  const items = sorted.map(
    ({ runId, file, job, what, waitsFor, isMine }) => html`<li>
<a href="/runs/${runId}">${job === null ? file : `${job}: ${file}`}</a>
<span>${what}</span>
<span class="${isMine ? 'for-me' : 'soft'}">${waitsFor}</span>
</li>`,
  );
  const again = isReading
    ? html` hx-get="/" hx-trigger="every 1s" hx-select="#plans" hx-swap="outerHTML" hx-headers='{"x-refresh": "page"}'`
    : '';
  return html`<section class="card" id="plans" aria-labelledby="waiting"${again}><h2 id="waiting">Awaiting approval</h2>
${isReading ? html`<p class="soft" role="status">Large plans are being read: they follow in some seconds.</p>` : ''}
${items.length === 0 && isReading ? '' : items.length === 0 ? html`<p class="soft">No plan waits.</p>` : html`<ul class="entries">${items}</ul>`}</section>`;
}

function opened(uploads: readonly OpenUpload[]): Html {
  return html`<section class="card" aria-labelledby="files"><h2 id="files">Files without a plan</h2>
<ul class="entries">${uploads.map(
    ({ id, name, by, at, job }) => html`<li>
<a href="/uploads/${id}">${name}</a>
<span class="soft">${job === null ? '' : `${job}, `}${by}, ${at}</span>
</li>`,
  )}</ul></section>`;
}
