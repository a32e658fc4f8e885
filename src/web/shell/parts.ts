import { isoUtc, momentText } from '../../domain/time.ts';
import { shownMoment, type TimeForm } from '../../messages/local-time.ts';
import { messages } from '../../messages/messages.ts';
import { agoText, grouped } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { seesRun } from '../../messages/viewer.ts';
import { type Html, html, type Shown } from './html.ts';

/** What went wrong, and what to do about it. */
export type Problem = { message: string; remedy: string };

/** The same with the status that a browser gets. */
export type Failure = Problem & {
  status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 422 | 429 | 500 | 503 | 507;
};

/** `12,345`. */
export function count(value: number): string {
  return grouped(String(value));
}

/** A time (Unix ms) as the viewer writes it: `27 Nov, 05:45`, and as UTC has it to the second on hovering. */
export function moment(at: number, form: TimeForm = 'list'): Html {
  const iso = isoUtc(at);
  return html`<time datetime="${iso}" title="${momentText(iso)}">${shownMoment(at, form)}</time>`;
}

/** How long ago, at `nowMs`; the tooltip shows the time. */
export function momentAgo(at: number, nowMs: number): Html {
  const iso = isoUtc(at);
  return html`<time datetime="${iso}" title="${momentText(iso)}">${agoText(nowMs - at)}</time>`;
}

/** Why something was not done. Screen readers read it at once. */
export function problemNotice(problem: Problem | string | null): Html | null {
  if (problem === null) return null;
  const { message, remedy } = typeof problem === 'string' ? { message: problem, remedy: '' } : problem;
  return html`<div class="notice wrong" role="alert"><p><strong>${message}</strong></p>${remedy && html`<p>${remedy}</p>`}</div>`;
}

export function doneNotice(text: string | null): Html | null {
  return text === null ? null : html`<p class="notice done" role="status">${text}</p>`;
}

/** Terms and what they are; without those that are null. */
export function facts(items: readonly (readonly [term: string, what: Shown])[], className = ''): Html {
  const shown = items.filter(([, what]) => what !== null);
  const attribute = className && html` class="${className}"`;
  return html`<dl class="facts">${shown.map(([term, what]) => html`<dt>${term}</dt><dd${attribute}>${what}</dd>`)}</dl>`;
}

/** Where a click on a column's title leads, to have the rows in its order; and their order by it now, null where it is another. */
export type Sorting = { path: string; order: 'ascending' | 'descending' | null };

/** A column of a table: its title, its cells, and whether these are figures, small, or the heads of their rows. */
export type Column<Row> = readonly [
  title: string,
  cell: (row: Row) => Shown,
  kind?: 'head' | 'number' | 'number soft' | 'small' | 'small names',
  sorting?: Sorting,
];

type TableLook = { frame?: string; className?: string; caption?: string };

/**
 * A table that scrolls in its frame. `label` names the frame for screen readers; null where something around it does. On a
 * phone, rows that are `lines` have their amount and state at the right, and other cells show their column's title.
 */
export function table<Row>(
  label: string | null,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { frame = 'scroll', className = 'rows lines', caption = '' }: TableLook = {},
): Html {
  const heads = columns.map(([title, , kind = '', sorting]) => {
    const order = sorting?.order && html` aria-sort="${sorting.order}"`;
    const words = sorting === undefined ? title : html`<a class="sorts" href="${sorting.path}">${title}</a>`;
    return html`<th scope="col"${kind.startsWith('number') && html` class="${kind.replace('soft', 'opt')}"`}${order}>${words}</th>`;
  });
  const cells = (row: Row) =>
    columns.map(([title, cell, kind]) =>
      kind === 'head'
        ? html`<th scope="row">${cell(row)}</th>`
        : html`<td${kind && html` class="${kind}"`} data-label="${title}">${cell(row)}</td>`,
    );
  const region = label !== null && html` role="region" tabindex="0" aria-label="${label}"`;
  return html`<div class="${frame}"${region}><table class="${className}">${caption && html`<caption>${caption}</caption>`}
<thead><tr>${heads}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;
}

export function option(value: string, words: string, isChosen: boolean): Html {
  return html`<option value="${value}"${isChosen && html` selected`}>${words}</option>`;
}

/** A box to tick, with its words. */
export function choice(
  name: string,
  value: string | number,
  words: Shown,
  { isTicked = false, isRequired = false } = {},
): Html {
  return html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${isRequired && html` required`}${isTicked && html` checked`}> <span>${words}</span></label>`;
}

export function hiddenField(name: string, value: string | null | undefined): Html | null {
  return value === null || value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}">`;
}

/** Tells a password manager whose password a form is about. Nobody sees it, and nothing reads it. */
export function accountField(name: string): Html {
  return html`<input class="hidden" name="username" autocomplete="username" value="${name}" readonly tabindex="-1" aria-hidden="true">`;
}

/** An id that the script of the page puts on the clipboard: `what` names it for who does not see it. */
export function copyable(id: string, what: string): Html {
  return html`<span class="id">${id}</span> <button type="button" class="copies quiet small" data-copies="${id}" aria-label="Copy ${what}" hidden>Copy</button>`;
}

/** A link to a run, if the reader may see it. */
export function runLink(runId: string): Html {
  return seesRun(runId) ? html`<a href="/runs/${runId}">${runId}</a>` : html`${messages.runs.runName(runId)}`;
}

/** Links to runs, with commas between them. */
export function runLinks(runIds: readonly string[]): Html[] {
  const links = new Map(runIds.map((runId) => [messages.runs.runName(runId), runId]));
  return Array.from(links.values(), (runId, at) => html`${at > 0 && ', '}${runLink(runId)}`);
}

/** The attributes of a part with this id that is asked for again every second, and takes its own place. */
export function asksAgain(path: string, id: string): Html {
  return html` hx-get="${path}" hx-trigger="every 1s" hx-select="#${id}" hx-swap="outerHTML" hx-headers='{"x-refresh": "page"}'`;
}

/**
 * Asks again on its own until another page stands in its place; without script the page around it does (`asksAgain`). `far`
 * is how far the work is, where that is known.
 */
export function waitingPart(
  path: string,
  what: string,
  hint: string,
  far: { done: number; of: number } | null = null,
): Html {
  const progress = far && html` max="${far.of}" value="${far.done}"`;
  return html`<div id="waits" class="card" role="status" hx-get="${path}" hx-trigger="every 600ms" hx-target="#main" hx-select="#main" hx-swap="outerMorph" hx-headers='{"x-refresh": "page"}'>
<p class="lead">${what}</p><progress aria-label="${what}"${progress}></progress>
<p class="soft">${hint}</p>
</div>`;
}

/** Where a page of a list is among the others, by its number from 1. */
type Pages = { page: number; pages: number };

/** One page of a list: a page after the last is the last. */
export function pageOf<Item>(items: readonly Item[], asked: number, size: number): Pages & { shown: Item[] } {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(asked, pages);
  return { page, pages, shown: items.slice((page - 1) * size, page * size) };
}

/** Leads to the pages before and after this one; nothing where there is one page. `target` is the part that is exchanged. */
export function pager(what: string, { page, pages }: Pages, path: (page: number) => string, target = ''): Html | null {
  if (pages <= 1) return null;
  const link = (to: number, label: string, rel: string) => {
    if (to < 1 || to > pages) return html`<span class="button off" aria-disabled="true">${label}</span>`;
    const exchanged =
      target && html` hx-get="${path(to)}" hx-target="#${target}" hx-swap="outerHTML show:top" id="${target}-${rel}"`;
    return html`<a class="button" rel="${rel}" href="${path(to)}"${exchanged}>${label}</a>`;
  };
  return html`<nav class="pager" aria-label="${what}">
${link(page - 1, t`Previous`, 'prev')}
<span class="soft">Page ${count(page)} of ${count(pages)}</span>
${link(page + 1, t`Next`, 'next')}
</nav>`;
}

/** A path with what is asked for, without what is empty. The first page is asked for by leaving it out. */
export function pathWith(path: string, asked: Record<string, string | number | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked))
    if (value !== null && value !== '' && !(name === 'page' && value === 1)) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}
