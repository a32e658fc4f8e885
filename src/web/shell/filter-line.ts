import { t } from '../../messages/translate.ts';
import { type Html, html, type Shown } from './html.ts';
import { icon } from './icon.ts';
import { count, hiddenField } from './parts.ts';

/** Longest search text. */
export const TEXT_MAX = 100;

/** A filter that is on or off: its link, and its number of rows if known. */
export type Chip = { label: string; path: string; isOn: boolean; rows?: number | null };

/**
 * A list's filters. `find`: the typed search, and its hint; `pills`: filters chosen by a click, labelled `about`;
 * `more`: fields of all other filters; `columns`: checkboxes; `kept`: values the form preserves; `files`: export links;
 * `chosen`: active filters, removed by a click; `exchanges`: the id of the list, which script exchanges alone.
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
  exchanges?: string;
};

/** All filters of a list in one line above it, the active ones below. */
export function filterLine(line: FilterLine): Html {
  const { path, find, more, columns, files, chosen = [], exchanges } = line;
  const apply = html`<button>Apply</button>`;
  const others =
    more &&
    html`<details class="drop-menu narrows"><summary class="chip">${icon('plus')}Filter</summary><div class="fields">${more}${apply}</div></details>`;
  const choices =
    columns &&
    html`<details class="drop-menu"><summary class="button quiet">${icon('columns')}Columns</summary><fieldset class="fields"><legend class="hidden">Columns</legend>${columns}${apply}</fieldset></details>`;
  return html`<div class="filters">
<form class="filter-line" method="get" action="${path}" role="search"${exchanges && exchanging(path, exchanges, AS_TYPED)}>
<div class="seek"><button class="quiet" title="Find">${icon('search')}<span class="hidden">Find</span></button><input type="search" id="find" name="q" value="${find.typed}" maxlength="${TEXT_MAX}" aria-label="Find" placeholder="${find.hint}" autocomplete="off"></div>
${narrowing(line)}
${others}
${(choices || files) && html`<div class="takes">${choices}${files}</div>`}
</form>
${chosen.length > 0 && chips(t`Remove filter`, chosen)}
</div>`;
}

/** What of the line depends on what was found last. `isLive`: takes the place of that on an open page. */
export function narrowing({ about, pills, kept, exchanges }: FilterLine, isLive = false): Html {
  const part = html`${chips(about, pills, 'chips scroll', exchanges)}
${Object.entries(kept).map(([name, value]) => hiddenField(name, value))}`;
  if (exchanges === undefined) return part;
  return html`<div class="narrowing" id="${exchanges}-narrowing"${isLive && html` hx-swap-oob="outerMorph"`}>${part}</div>`;
}

const AS_TYPED = 'submit, input delay:300ms, change';

function exchanging(path: string, id: string, trigger = 'click'): Html {
  return html` hx-get="${path}" hx-target="#${id}" hx-swap="outerHTML" hx-trigger="${trigger}"`;
}

/** The active filters in words, by their names in the address; null for those not set. */
export function chosenFilters(
  active: Readonly<Record<string, string | null>>,
  path: (changes: Record<string, null>) => string,
): Chip[] {
  return Object.entries(active).flatMap(([name, words]) =>
    words === null ? [] : [{ label: `${words} ×`, path: path({ [name]: null }), isOn: false }],
  );
}

/** `label` names the filters for screen readers. */
function chips(label: string, all: readonly Chip[], className = 'chips', exchanges?: string): Html {
  const items = all.map(
    ({ label: words, path, isOn, rows = null }) =>
      html`<li><a class="chip" href="${path}"${isOn && html` aria-current="true"`}${exchanges && exchanging(path, exchanges)}>${words}${rows !== null && html` <b>${count(rows)}</b>`}</a></li>`,
  );
  return html`<ul class="${className}" aria-label="${label}">${items}</ul>`;
}
