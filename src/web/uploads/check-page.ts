import { html } from 'hono/html';
import type { ShownCheck, ShownGroup, ShownProblem } from '../../app/check/check-result.ts';
import { groupThousands } from '../../domain/money.ts';
import type { Severity } from '../../domain/problem.ts';
import { counted, listed } from '../../messages/text.ts';
import { EXAMPLE_ROW, linkedRuns, PAID_BEFORE, paidBeforePart } from '../plans/plan-parts.ts';
import { planForm } from '../plans/planning-page.ts';
import type { Html } from '../shell/parts.ts';
import { columnsForm, readingForm } from './reading-forms.ts';
import { type CheckPage, payableText, removalPart, uploadForm, uploadHead } from './upload-parts.ts';
import type { Upload } from './uploads.ts';

/** Cells of a group that are named at once; the others are in its list. */
const PLACES_SHOWN = 8;

/** Cells of a group in its list; the copy of the file with the problems marked has all of them. */
const LISTED = 100;

/** A text of more letters is cut where it is shown. */
const VALUE_LETTERS = 200;

/** More currencies are in a list that is opened. */
const CURRENCIES_SHOWN = 12;

/** What `check` found of an upload: the counts in words, the problems worst first, and what each column was taken for. */
export function checkPage(page: CheckPage): Html {
  const { upload, result, mayPrepare } = page;
  const groups = worstFirst(result).filter(({ code }) => code !== PAID_BEFORE);
  const of = (severity: Severity) =>
    groups
      .filter((group) => group.severity === severity)
      .map((group) => problemPart(upload.id, group, result.problems));
  return html`${uploadHead(page)}
${correctsPart(upload)}
${verdict(result)}
${paidBeforePart(result)}
${mayPrepare ? planForm(upload, result) : ''}
${actions(page)}
${problemsPart('mended', 'Errors', of('error'))}
${problemsPart('look', 'Warnings', of('warning'))}
${mayPrepare ? readingForm(upload, result) : ''}
${columnsForm(upload, result, mayPrepare)}
${removalPart(page)}`;
}

function problemsPart(id: string, title: string, parts: readonly Html[]): Html | '' {
  if (parts.length === 0) return '';
  return html`<section class="stack" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
<div class="card problems">${parts}</div></section>`;
}

/** Errors before warnings, what is about the whole file before single rows, then what there is most of; rows of examples last. */
function worstFirst({ groups, header_row, problems }: ShownCheck): ShownGroup[] {
  const isWhole = ({ code, column }: ShownGroup): boolean => {
    const first = problems.find((problem) => problem.code === code && problem.column === column);
    return first !== undefined && (first.row === null || (header_row !== null && first.row <= header_row));
  };
  const weight = (group: ShownGroup): number =>
    group.code === EXAMPLE_ROW ? 0 : isWhole(group) ? Number.MAX_SAFE_INTEGER : group.count;
  return [...groups].sort((one, other) =>
    one.severity === other.severity ? weight(other) - weight(one) : one.severity === 'error' ? -1 : 1,
  );
}

/** Said aloud, because the file says it by itself, wherever on the page it was uploaded. */
function correctsPart({ corrects }: Upload): Html | '' {
  if (corrects === null) return '';
  return html`<p class="notice care">These rows take the place of rows of <a href="/runs/${corrects}">${corrects}</a> that were not paid. It pays each of them at most once, and nobody else.</p>`;
}

function verdict({
  payouts,
  totals,
  problem_counts,
  problems,
  rows,
  inferred_rails,
  default_rails,
  columns,
}: ShownCheck): Html {
  const { errors, warnings } = problem_counts;
  const what = payableText({ payouts, totals });
  const rails = [...inferred_rails, ...default_rails];
  const taken = rails.map(({ rail, count }) => `${rail} for ${counted(count, 'row')}`);
  const warned = warnings === 0 ? '' : ` ${counted(warnings, 'thing')} to look at.`;
  const isAmountKnown = columns.length === 0 || columns.some(({ means }) => means === 'amount');
  const more = isAmountKnown ? '' : ' More may show when it is known which column is the amount.';
  const isAgain = problems.some(({ code }) => code === PAID_BEFORE);
  return html`<div class="notice ${errors > 0 ? 'wrong' : isAgain ? 'care' : 'done'}" role="status"><p class="lead">${
    errors > 0
      ? html`<strong>${counted(errors, 'error')}.</strong> ${payouts === 0 ? 'None of it can be paid as it is.' : `Of ${counted(rows, 'row')}, ${what} can be paid as they are.`}${warned}${more}`
      : html`<strong>${isAgain ? 'No mistakes found, but payouts that were made before.' : 'No problems found.'}</strong> ${what}.${warned}`
  }</p></div>
${totals.length < 2 ? '' : totals.length > CURRENCIES_SHOWN ? html`<details><summary>What would be paid in each of ${totals.length} currencies</summary>${totalsTable(totals)}</details>` : totalsTable(totals)}
${taken.length === 0 ? '' : html`<p class="soft">Rows that name no rail were taken for ${listed(taken)}.</p>`}`;
}

function totalsTable(totals: ShownCheck['totals']): Html {
  return html`<div class="scroll" role="region" aria-label="What would be paid" tabindex="0"><table class="short"><caption>What would be paid</caption><thead><tr><th scope="col">Currency</th><th scope="col" class="number">Payouts</th><th scope="col" class="number">Total</th></tr></thead><tbody>
${totals.map(({ currency, count, amount }) => html`<tr><th scope="row">${currency}</th><td class="number">${count.toLocaleString('en')}</td><td class="number">${groupThousands(amount)}</td></tr>`)}
</tbody></table></div>`;
}

function actions({ upload, result, mayPrepare }: CheckPage): Html | '' {
  const { errors, warnings } = result.problem_counts;
  if (!mayPrepare || errors + warnings === 0) return '';
  const copy = html`<p class="soft">The copy has a note at each cell that is wrong. Mend them there, save it, and upload it here: what you chose about the columns stays.</p>
<p class="row"><a class="button" href="/uploads/${upload.id}/annotated.xlsx" download>Download with the problems marked</a></p>`;
  return html`<section class="card" aria-labelledby="mend"><h2 id="mend">Mend it in your spreadsheet program</h2>
${result.header_row === null ? html`<p class="soft">Save it there, and upload it here.</p>` : copy}
${uploadForm({ jobs: [], job: upload.job, mends: upload.id, isPrimary: errors > 0 || result.payouts === 0 })}</section>`;
}

function problemPart(id: string, group: ShownGroup, problems: readonly ShownProblem[]): Html {
  const { severity, code, column, count, message, remedy } = group;
  const own = problems.filter(
    (problem) => problem.severity === severity && problem.code === code && problem.column === column,
  );
  const isOne = own.every((problem) => problem.message === message);
  if (!isOne && own.every(({ row }) => row === null)) return ofTheFile(group, own);
  return html`<article class="problem ${severity}">
<h3>${markOf(severity)} ${isOne ? message : `${codeText(code)}${column === null ? '' : ` (${column.replaceAll('_', ' ')})`}`}</h3>
${isOne ? html`<p>${remedy}</p>` : ''}
${count === 1 && own.length === 1 && own[0]?.row !== null ? html`<p class="soft">At ${placesOf(id, own, count)}${heldText(own[0])}</p>` : ''}
${count > 1 && own.length > 0 ? html`<p class="soft">${counted(count, 'time')}: ${placesOf(id, own, count)}</p>` : ''}
${count > 1 && own.length > 0 ? problemList(id, own, count, isOne) : ''}
</article>`;
}

/** What is said of the whole file more than once, such as of the total of each currency: in words, since it has no cells. */
function ofTheFile({ severity, code, remedy }: ShownGroup, own: readonly ShownProblem[]): Html {
  const title = TITLES[code] ?? codeText(code);
  return html`<article class="problem ${severity}">
<h3>${markOf(severity)} ${title}</h3>
<ul class="points">${own.map(({ message }) => html`<li>${linkedRuns(message)}</li>`)}</ul>
<p>${remedy}</p>
</article>`;
}

const TITLES: Readonly<Record<string, string>> = {
  total_unusual: 'Totals are far from those of the last run of such a file.',
};

function markOf(severity: Severity): Html {
  return html`<span class="mark">${severity === 'error' ? 'Error' : 'Warning'}</span>`;
}

function placesOf(id: string, problems: readonly ShownProblem[], count: number): Html {
  const shown = problems.slice(0, PLACES_SHOWN);
  const more = count - shown.length;
  return html`${shown.map((problem, at) => html`${at === 0 ? '' : ', '}${placeLink(id, problem)}`)}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

/** Where it is, as people find it in their spreadsheet, and here in the sheet. */
function placeLink(id: string, { cell, row }: ShownProblem): Html | string {
  if (row === null) return 'the file';
  return html`<a href="/uploads/${id}/sheet?row=${row}#${cell ?? `row-${row}`}">${cell ?? `row ${row}`}</a>`;
}

function heldText(problem: ShownProblem | undefined): Html | '' {
  if (problem?.value === null || problem?.value === undefined || problem.value === '') return '';
  const better = problem.suggestion === undefined ? '' : html`; it could be <code>${problem.suggestion}</code>`;
  return html`, which holds <code>${cut(problem.value)}</code>${better}`;
}

function cut(text: string): string {
  return text.length > VALUE_LETTERS ? `${text.slice(0, VALUE_LETTERS)}…` : text;
}

function problemList(id: string, problems: readonly ShownProblem[], count: number, isOne: boolean): Html {
  const shown = problems.slice(0, LISTED);
  const hasSuggestion = shown.some(({ suggestion }) => suggestion !== undefined);
  const rows = shown.map((problem) => {
    const { value, suggestion, message, remedy } = problem;
    return html`<tr>
<th scope="row">${placeLink(id, problem)}</th><td><code>${cut(value ?? '')}</code></td>
${hasSuggestion ? html`<td>${suggestion === undefined ? '' : html`<code>${suggestion}</code>`}</td>` : ''}
${isOne ? '' : html`<td>${message} <span class="soft">${remedy}</span></td>`}
</tr>`;
  });
  const left = count - shown.length;
  return html`<details${isOne ? '' : html` open`}><summary>${left > 0 ? `The first ${shown.length.toLocaleString('en')} cells` : `All ${shown.length.toLocaleString('en')} cells`}</summary>
<div class="scroll list"><table><thead><tr><th scope="col">Cell</th><th scope="col">It holds</th>${hasSuggestion ? html`<th scope="col">It could be</th>` : ''}${isOne ? '' : html`<th scope="col">What is wrong</th>`}</tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

/** `iban_checksum` as people say it. */
function codeText(code: string): string {
  const words = code.replaceAll('_', ' ').replace(/\b(?:iban|bsb|aba|bic|ifsc|clabe)\b/g, (word) => word.toUpperCase());
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
