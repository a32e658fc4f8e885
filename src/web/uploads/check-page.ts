import { isDeepStrictEqual } from 'node:util';
import type { ShownCheck, ShownGroup, ShownProblem } from '../../app/check/check-result.ts';
import { groupThousands } from '../../domain/money.ts';
import type { Severity } from '../../domain/problem.ts';
import { counted, listed } from '../../messages/text.ts';
import { PAID_BEFORE } from '../plans/paid-before.ts';
import { EXAMPLE_ROW, linkedRuns, paidBeforePart } from '../plans/plan-parts.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, type Problem, runLink, table, waitingPart } from '../shell/parts.ts';
import { columnsForm } from './columns-form.ts';
import { encodingText, readingForm } from './reading-form.ts';

import { payableText, planForm, removalPart, severityMark, uploadForm, uploadHead } from './upload-parts.ts';
import { DEFAULT_READING, type Upload } from './uploads.ts';

/** Cells of a group that are named at once; the others are in its list. */
const PLACES_SHOWN = 8;
/** Cells of a group in its list; the copy of the file with the problems marked has all of them. */
const LISTED = 100;
/** Longer texts are cut where they are shown. */
const VALUE_LETTERS = 200;
/** More currencies are in a list that is opened. */
const CURRENCIES_SHOWN = 12;

/** An upload as a person sees it. */
export type UploadView = {
  upload: Upload;
  /** Who uploaded it. */
  by: string;
  /** Whether this person may change how it is read, and upload again. */
  mayPrepare: boolean;
  /** How long it is kept, for who may remove it; null for others, and while a plan needs it. */
  removal: string | null;
};

/** While the check is made: the page asks again on its own, with and without script. */
export function checkingPage({ upload, by }: UploadView): Html {
  const hint = 'Large files take some seconds. You may leave this page: it goes on.';
  return html`${uploadHead(upload, by)}
${waitingPart(`/uploads/${upload.id}`, 'It is being read …', hint)}`;
}

/** A file that could not be read at all, in the words of `check`; or a check that gave no answer (null). */
export function uncheckedPage({ upload, by, mayPrepare, removal }: UploadView, why: Problem | null): Html {
  const { message, remedy } = why ?? {
    message: 'The check ended without an answer.',
    remedy: 'Check it again. If it stays so, the log file in the data directory says why.',
  };
  const again = html`<form method="post" action="/uploads/${upload.id}/again"><button class="primary">Check it again</button></form>`;
  const isChosen = !isDeepStrictEqual({ ...upload.reading, columns: {} }, DEFAULT_READING);
  const reset = html`<form method="post" action="/uploads/${upload.id}/reading"><input type="hidden" name="reset" value="yes"><button>Reset how it is read</button></form>`;
  const another = html`<section class="card" aria-labelledby="fix"><h2 id="fix">Upload another file in its place</h2>${uploadForm({ mends: upload.id, isPrimary: why !== null })}</section>`;
  return html`${uploadHead(upload, by)}
<div class="notice wrong" role="alert"><p class="lead">${message}</p><p>${remedy}</p></div>
${mayPrepare && [why === null && again, isChosen && reset, another]}
${removalPart(upload, removal)}`;
}

/** What `check` found of an upload: the counts in words, the problems worst first, and what each column maps to. */
export function checkPage({ upload, by, mayPrepare, removal }: UploadView, result: ShownCheck): Html {
  const groups = worstFirst(result).filter(({ code }) => code !== PAID_BEFORE);
  const of = (severity: Severity) =>
    groups
      .filter((group) => group.severity === severity)
      .map((group) => problemPart(upload.id, group, result.problems));
  return html`${uploadHead(upload, by)}
${correctsPart(upload)}
${summary(result)}
${paidBeforePart(result)}
${mayPrepare && [planForm(upload, result), fixPart(upload, result)]}
${problemsPart('errors', 'Errors', of('error'))}
${problemsPart('warnings', 'Warnings', of('warning'))}
${mayPrepare && readingForm(upload, result)}
${columnsForm(upload, result, mayPrepare)}
${removalPart(upload, removal)}`;
}

function problemsPart(id: string, title: string, parts: readonly Html[]): Html | null {
  if (parts.length === 0) return null;
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

/** The file names the run on its own, wherever on the page it was uploaded: the person who uploads it has to know. */
function correctsPart({ corrects }: Upload): Html | null {
  if (corrects === null) return null;
  return html`<p class="notice care">These rows take the place of rows of ${runLink(corrects)} that were not paid. It pays each of them at most once, and nobody else.</p>`;
}

/** Where the currency of rows that name none was given, or the encoding. */
const GIVEN_BY: Readonly<Record<NonNullable<ShownCheck['given_currency']>['source'], string>> = {
  option: ', as chosen here',
  job: ', as the job says',
  remembered: ', as chosen for an earlier file with these headers',
  file: ', as a line above the header says',
};

function summary(result: ShownCheck): Html {
  const { payouts, totals, problem_counts, problems, rows, inferred_rails, default_rails, columns } = result;
  const { errors, warnings } = problem_counts;
  const what = payableText(result);
  const rails = [...inferred_rails, ...default_rails].map(({ rail, count }) => `${rail} for ${counted(count, 'row')}`);
  const warned = warnings === 0 ? '' : ` ${counted(warnings, 'thing')} to look at.`;
  const isAmountKnown = columns.length === 0 || columns.some(({ means }) => means === 'amount');
  const more = isAmountKnown ? '' : ' More may show when it is known which column is the amount.';
  const isAgain = problems.some(({ code }) => code === PAID_BEFORE);
  const payable =
    payouts === 0 ? 'None of it can be paid as it is.' : `Of ${counted(rows, 'row')}, ${what} can be paid as they are.`;
  const found =
    errors > 0
      ? html`<strong>${counted(errors, 'error')}.</strong> ${payable}${warned}${more}`
      : html`<strong>${isAgain ? 'No mistakes found, but payouts that were made before.' : 'No problems found.'}</strong> ${what}.${warned}`;
  const look = errors > 0 ? 'wrong' : isAgain ? 'care' : 'done';
  return html`<div class="notice ${look}" role="status"><p class="lead">${found}</p></div>
${totalsPart(totals)}
${rails.length > 0 && html`<p class="soft">Rows that name no rail were taken for ${listed(rails)}.</p>`}
${result.layout !== undefined && html`<p class="soft">Layout: ${result.layout}.</p>`}
${result.given_currency !== undefined && html`<p class="soft">Rows that name no currency are in ${result.given_currency.currency}${GIVEN_BY[result.given_currency.source]}.</p>`}
${result.given_encoding !== undefined && html`<p class="soft">Its letters are read as those of ${encodingText(result.given_encoding.encoding)}${GIVEN_BY[result.given_encoding.source]}.</p>`}`;
}

function totalsPart(totals: ShownCheck['totals']): Html | null {
  if (totals.length < 2) return null;
  const sums = table<ShownCheck['totals'][number]>(
    'What would be paid',
    [
      ['Currency', ({ currency }) => currency, 'head'],
      ['Payouts', ({ count }) => count.toLocaleString('en'), 'number'],
      ['Total', ({ amount }) => groupThousands(amount), 'number'],
    ],
    totals,
    { frame: 'scroll', className: 'short', caption: 'What would be paid' },
  );
  if (totals.length <= CURRENCIES_SHOWN) return sums;
  return html`<details><summary>What would be paid in each of ${totals.length} currencies</summary>${sums}</details>`;
}

/** The file is repaired in a spreadsheet program, and uploaded in the place of this one. */
function fixPart(upload: Upload, { problem_counts, header_row, payouts }: ShownCheck): Html | null {
  const { errors, warnings } = problem_counts;
  if (errors + warnings === 0) return null;
  const copy = html`<p class="soft">The copy has a note at each cell that is wrong. Fix them there, save it, and upload it here: what you chose about the columns stays.</p>
<p class="row"><a class="button" href="/uploads/${upload.id}/annotated.xlsx" download>Download with the problems marked</a></p>`;
  return html`<section class="card" aria-labelledby="fix"><h2 id="fix">Fix it in your spreadsheet program</h2>
${header_row === null ? html`<p class="soft">Save it there, and upload it here.</p>` : copy}
${uploadForm({ mends: upload.id, isPrimary: errors > 0 || payouts === 0 })}</section>`;
}

function problemPart(id: string, group: ShownGroup, problems: readonly ShownProblem[]): Html {
  const { severity, code, column, count, message, remedy } = group;
  const own = problems.filter(
    (problem) => problem.severity === severity && problem.code === code && problem.column === column,
  );
  const isOne = own.every((problem) => problem.message === message);
  if (!isOne && own.every(({ row }) => row === null)) return ofTheFile(group, own);
  const title = isOne ? message : `${codeText(code)}${column === null ? '' : ` (${column.replaceAll('_', ' ')})`}`;
  const [first] = own;
  const isAtOne = count === 1 && own.length === 1 && first?.row !== null;
  const isAtMore = count > 1 && own.length > 0;
  return html`<article class="problem ${severity}">
<h3>${severityMark(severity)} ${title}</h3>
${isOne && html`<p>${remedy}</p>`}
${isAtOne && html`<p class="soft">At ${placesOf(id, own, count)}${heldText(first)}</p>`}
${isAtMore && html`<p class="soft">${counted(count, 'time')}: ${placesOf(id, own, count)}</p>${problemList(id, own, count, isOne)}`}
</article>`;
}

/** Several problems of the whole file, such as of the total of each currency: in words, since they have no cells. */
function ofTheFile({ severity, code, remedy }: ShownGroup, own: readonly ShownProblem[]): Html {
  return html`<article class="problem ${severity}">
<h3>${severityMark(severity)} ${TITLES[code] ?? codeText(code)}</h3>
<ul class="points">${own.map(({ message }) => html`<li>${linkedRuns(message)}</li>`)}</ul>
<p>${remedy}</p>
</article>`;
}

const TITLES: Readonly<Record<string, string>> = {
  total_unusual: 'Totals are far from those of the last run of such a file.',
};

function placesOf(id: string, problems: readonly ShownProblem[], count: number): Html {
  const shown = problems.slice(0, PLACES_SHOWN);
  const more = count - shown.length;
  const places = shown.map((problem, at) => html`${at > 0 && ', '}${placeLink(id, problem)}`);
  return html`${places}${more > 0 && ` and ${more.toLocaleString('en')} more`}`;
}

/** Where it is, as people find it in their spreadsheet, and here in the sheet. */
function placeLink(id: string, { cell, row }: ShownProblem): Html | string {
  if (row === null) return 'the file';
  return html`<a href="/uploads/${id}/sheet?row=${row}#${cell ?? `row-${row}`}">${cell ?? `row ${row}`}</a>`;
}

function heldText(problem: ShownProblem | undefined): Html | null {
  if (!problem?.value) return null;
  const { value, suggestion } = problem;
  return html`, which holds <code>${cut(value)}</code>${suggestion !== undefined && html`; it could be <code>${suggestion}</code>`}`;
}

function cut(text: string): string {
  return text.length > VALUE_LETTERS ? `${text.slice(0, VALUE_LETTERS)}…` : text;
}

function problemList(id: string, problems: readonly ShownProblem[], count: number, isOne: boolean): Html {
  const shown = problems.slice(0, LISTED);
  const isAll = count <= shown.length;
  const columns: Column<ShownProblem>[] = [
    ['Cell', (problem) => placeLink(id, problem), 'head'],
    ['It holds', ({ value }) => html`<code>${cut(value ?? '')}</code>`],
  ];
  if (shown.some(({ suggestion }) => suggestion !== undefined))
    columns.push(['It could be', ({ suggestion }) => suggestion !== undefined && html`<code>${suggestion}</code>`]);
  if (!isOne)
    columns.push(['What is wrong', ({ message, remedy }) => html`${message} <span class="soft">${remedy}</span>`]);
  const words = `${isAll ? 'All' : 'The first'} ${shown.length.toLocaleString('en')} cells`;
  return html`<details${!isOne && html` open`}><summary>${words}</summary>
${table(null, columns, shown, { frame: 'scroll list', className: '' })}</details>`;
}

/** `iban_checksum` as people say it. */
function codeText(code: string): string {
  const words = code.replaceAll('_', ' ').replace(/\b(?:iban|bsb|aba|bic|ifsc|clabe)\b/g, (word) => word.toUpperCase());
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
