import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { groupThousands } from '../../domain/money.ts';
import { isoUtc } from '../../domain/time.ts';
import { htmlText } from '../../report/html/html-text.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A stranger's text: escaped, and without marks by which it could look like another. */
export function safe(text: string): HtmlEscapedString {
  return raw(htmlText(text));
}

/** A time (Unix ms) as people compare it with their clock: `2026-11-25 09:00:03 UTC`. */
export function moment(at: number) {
  const iso = isoUtc(at);
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC</time>`;
}

/** Leads to the pages before and after this one; nothing where there is one page. */
export function pager(what: string, page: number, pages: number, path: (page: number) => string): Html | '' {
  if (pages <= 1) return '';
  const link = (to: number, label: string, rel: string) =>
    to < 1 || to > pages
      ? html`<span class="button off" aria-disabled="true">${label}</span>`
      : html`<a class="button" rel="${rel}" href="${path(to)}">${label}</a>`;
  return html`<nav class="pager" aria-label="${what}">
${link(page - 1, 'Previous', 'prev')}
<span class="soft">Page ${groupThousands(String(page))} of ${groupThousands(String(pages))}</span>
${link(page + 1, 'Next', 'next')}
</nav>`;
}

/** A path with what is asked for, without what is empty. */
export function pathWith(path: string, asked: Record<string, string | number | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== null && value !== '') query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Tells a password manager whose password a form is about. Nobody sees it, and nothing reads it. */
export function accountField(name: string): Html {
  return html`<input class="hidden" name="username" autocomplete="username" value="${name}" readonly tabindex="-1" aria-hidden="true">`;
}
