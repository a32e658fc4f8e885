import { type Html, html } from './html.ts';
import { count } from './parts.ts';

/** A filter that is on or off: where a click leads, and how many rows there are with it, where that is known. */
export type Chip = { label: string; path: string; isOn: boolean; rows?: number | null };

/** Filters side by side. `label` names them for screen readers. */
export function chips(label: string, all: readonly Chip[]): Html {
  const items = all.map(
    ({ label: words, path, isOn, rows = null }) =>
      html`<li><a class="chip" href="${path}"${isOn && html` aria-current="true"`}>${words}${rows !== null && html` <b>${count(rows)}</b>`}</a></li>`,
  );
  return html`<ul class="chips" aria-label="${label}">${items}</ul>`;
}
