import type { ShownCheck } from '../../app/check/check-result.ts';
import { jobLines } from '../../app/check/job-settings.ts';
import { NAME_MAX } from '../../app/people/people.ts';
import { counted } from '../../messages/text.ts';
import { plural, t } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { doneNotice, moment, option, pageOf, pager, pathWith } from '../shell/parts.ts';
import type { UploadView } from './check-page.ts';
import { jobPart } from './job-choice.ts';
import { type LayoutsHere, SAVED } from './layouts-route.ts';
import { COLUMNS_SHOWN, mapQuestions, type Question } from './map-questions.ts';
import { mapSide } from './map-side.ts';
import { isProposed, mapRows, mapTable } from './map-table.ts';
import { overBadge } from './upload-over.ts';
import { uploadHead } from './upload-parts.ts';
import type { Upload } from './uploads.ts';

/** Which of the columns are asked for. */
export type Asked = { find: string; page: number; isLayoutSaved: boolean };

/** What each column maps to, what is still to be chosen before the rows can be read, and the way on to the review. */
export function mapPage(view: UploadView, result: ShownCheck, layouts: LayoutsHere, asked: Asked): Html {
  const { upload, by, mayPrepare } = view;
  const all = mapRows(result, '');
  const { shown, ...pages } = pageOf(asked.find === '' ? all : mapRows(result, asked.find), asked.page, COLUMNS_SHOWN);
  const { questions, others } = mapQuestions(upload, result);
  const path = (page: number) => pathWith(`/uploads/${upload.id}/map`, { find: asked.find, page });
  const columns = html`<h2 class="hidden">Columns</h2>
${mapTable(shown, result, mayPrepare)}
${pager(t`Columns`, pages, path)}`;
  const toCheck = all.filter(isProposed).length;
  return html`${uploadHead(upload, by, 'map')}
${doneNotice(asked.isLayoutSaved ? t`The layout was saved.` : null)}
${summary(view, result, layouts, { all: all.length, toCheck, isOpen: questions.length > 0 })}
${view.jobs && jobPart(upload, view.jobs)}
${all.length > COLUMNS_SHOWN && findForm(upload, asked.find)}
${
  mayPrepare
    ? html`<form class="map" id="mapping" method="post" action="/uploads/${upload.id}/map">
<button class="hidden" tabindex="-1" aria-hidden="true">Continue to review</button>
<div class="mapped"><div class="stack">
${questionsPart(questions)}
${all.length > 0 && columns}
</div>${mapSide(result, all, others)}</div>
<div class="stepbar"><span class="soft">${countsText(all.length, all.filter(({ means }) => means !== null).length, toCheck)} Draft saved: ${moment(upload.changedAt)}</span>
<span class="row">${overBadge(by)}${layouts.maySave && saveLayout(layouts)}<a class="button" href="/uploads/${upload.id}/upload">Back</a><button class="primary">Continue to review</button></span></div>
</form>`
    : columns
}
${mayPrepare && all.length > 0 && moreForms(upload, result, layouts)}
${result.job_settings !== undefined && html`<p class="soft">As lines of a job (<a href="/uploads/${upload.id}/job-lines.yaml" download>download</a>):</p><pre>${jobLines(result.job_settings)}</pre>`}`;
}

type Counts = { all: number; toCheck: number; isOpen: boolean };

function summary(
  { mayPrepare }: UploadView,
  { layout, columns, sheet, rows, header_row }: ShownCheck,
  { named, isChanged }: LayoutsHere,
  { all, toCheck, isOpen }: Counts,
): Html {
  const used = columns.filter(({ means }) => means !== null).length;
  const check =
    toCheck > 0 &&
    html`<p>${toCheck} more ${plural(toCheck, 'is', 'are')} suggested by ${plural(toCheck, 'its', 'their')} values: please check.</p>`;
  const name = named === null ? layout : isChanged ? t`${named.name} (changed)` : named.name;
  const other = mayPrepare && html` <a href="#layout">Use another layout</a>`;
  const facts = [
    html`${used} of ${counted(all, 'column')} mapped`,
    sheet !== null && html` · Sheet “${sheet}”`,
    html` · ${counted(rows, 'row')}${header_row !== null && t`, header in row ${header_row}`}`,
    name !== undefined && html` · Layout: ${name}${other}`,
  ];
  if (all > 0 && !isOpen && toCheck === 0) return html`<p class="soft" role="status">${facts}</p>`;
  return html`<div class="notice care" role="status"><p>${facts}</p>${check}</div>`;
}

/** A name for what the columns map to, with the choices of the form. It opens above the bar. */
function saveLayout({ named }: LayoutsHere): Html {
  return html`<details class="drop-menu opens-up"><summary class="button">Save as layout…</summary><div class="fields">
<label>Name of the layout <input name="layout_name" maxlength="${NAME_MAX}" autocomplete="off" placeholder="${named?.name ?? t`Payroll export`}"></label>
<button name="save_layout" value="yes">Save layout</button>
<a href="/layouts">All layouts</a></div></details>`;
}

function countsText(all: number, used: number, toCheck: number): string {
  const unused = all - used - toCheck;
  const check = toCheck === 0 ? '' : t`${counted(toCheck, 'column')} to check. `;
  return t`${check}${unused} not used, kept in the report.`;
}

function questionsPart(questions: readonly Question[]): Html | null {
  if (questions.length === 0) return null;
  const items = questions.map(
    ({ sentence, remedy, field }) =>
      html`<li><p><strong>${sentence}</strong> ${field === null && remedy}</p>${field}</li>`,
  );
  return html`<section class="card questions" aria-labelledby="questions"><h2 id="questions">Before you continue</h2><ul>${items}</ul></section>`;
}

function findForm(upload: Upload, find: string): Html {
  return html`<form class="filter" method="get" action="/uploads/${upload.id}/map"><label>Find a column <input type="search" name="find" value="${find}" autocomplete="off"></label><button>Find</button></form>`;
}

/** What few files need: another layout, two columns that are one, and everything forgotten. */
function moreForms(upload: Upload, { layout }: ShownCheck, { offered, named, known }: LayoutsHere): Html {
  const names = [
    ...offered.map(({ id, name }) => option(`${SAVED}${id}`, name, id === named?.id)),
    ...known.map((name) => option(name, name, named === null && name === layout)),
  ];
  const isNone = named === null && layout === undefined;
  const chosen = html`<form class="row" id="layout" method="post" action="/uploads/${upload.id}/map">
<label>Layout <select name="layout">${option('', t`None: each header by its own words`, isNone)}${names}</select></label>
<button>Use this layout</button></form>`;
  return html`<details class="card"><summary>Choose another layout, join two columns, or reset</summary><div class="inside stack">
${names.length > 0 && chosen}
<form class="row" method="post" action="/uploads/${upload.id}/columns">
<label>Column <input name="column" size="4" maxlength="3" required autocomplete="off" spellcheck="false"></label>
<label>Together with column <input name="other" size="4" maxlength="3" required autocomplete="off" spellcheck="false"></label>
<label>Maps to <input name="means" list="fields" required autocomplete="off" spellcheck="false"></label>
<button>Apply mapping</button></form>
<form method="post" action="/uploads/${upload.id}/columns"><button class="quiet" name="forget" value="yes">Reset mapping</button></form>
</div></details>`;
}
