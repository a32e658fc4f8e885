import { html } from 'hono/html';
import { groupThousands } from '../../domain/money.ts';
import type { Html } from '../web.ts';

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
