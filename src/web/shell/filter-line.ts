import { t } from '../../messages/translate.ts';
import { type Html, html, type Shown } from './html.ts';
import { icon } from './icon.ts';
import { count, hiddenField } from './parts.ts';

/** What people type to find something has at most so many characters. */
export const TEXT_MAX = 100;

/** A filter that is on or off: where a click leads, and how many rows there are with it, where that is known. */
export type Chip = { label: string; path: string; isOn: boolean; rows?: number | null };

/**
 * What narrows a list. `find` is what was typed, and what can be; `pills` the filters that a click chooses, named by `about`;
 * `more` the fields of all others; `columns` the boxes of columns; `kept` what the form leaves as it is; `files` where the list can
 * be taken; `chosen` the filters in use, which a click takes away.
 */
export type FilterLine = {
  path: string;
  find: { typed: string; hint: string };
  about: string;
  pills: readonly Chip[];
  more?: Shown;
  columns?: Shown;
  kept: Readonly<Record<string, string | null>>;
  files?: Html;
  chosen?: readonly Chip[];
};

/** All that narrows a list, in one line above it; what is chosen stands below. */
export function filterLine({ path, find, about, pills, more, columns, kept, files, chosen = [] }: FilterLine): Html {
  const apply = html`<button>Apply</button>`;
  const others =
    more &&
    html`<details class="drop-menu narrows"><summary class="chip">${icon('plus')}Filter</summary><div class="fields">${more}${apply}</div></details>`;
  const choices =
    columns &&
    html`<details class="drop-menu"><summary class="button quiet">${icon('columns')}Columns</summary><fieldset class="fields"><legend class="hidden">Columns</legend>${columns}${apply}</fieldset></details>`;
  return html`<div class="filters">
<form class="filter-line" method="get" action="${path}" role="search">
<div class="seek"><button class="quiet" title="Find">${icon('search')}<span class="hidden">Find</span></button><input type="search" id="find" name="q" value="${find.typed}" maxlength="${TEXT_MAX}" aria-label="Find" placeholder="${find.hint}" autocomplete="off"></div>
${chips(about, pills, 'chips scroll')}
${others}
${Object.entries(kept).map(([name, value]) => hiddenField(name, value))}
${(choices || files) && html`<div class="takes">${choices}${files}</div>`}
</form>
${chosen.length > 0 && chips(t`Remove filter`, chosen)}
</div>`;
}

/** The filters in use, by the names that an address has them by, in words; null of what is not asked for. */
export function chosenFilters(
  active: Readonly<Record<string, string | null>>,
  path: (changes: Record<string, null>) => string,
): Chip[] {
  return Object.entries(active).flatMap(([name, words]) =>
    words === null ? [] : [{ label: `${words} ×`, path: path({ [name]: null }), isOn: false }],
  );
}

/** Filters side by side. `label` names them for screen readers. */
function chips(label: string, all: readonly Chip[], className = 'chips'): Html {
  const items = all.map(
    ({ label: words, path, isOn, rows = null }) =>
      html`<li><a class="chip" href="${path}"${isOn && html` aria-current="true"`}>${words}${rows !== null && html` <b>${count(rows)}</b>`}</a></li>`,
  );
  return html`<ul class="${className}" aria-label="${label}">${items}</ul>`;
}
