import type { ShownCheck, ShownGroup, ShownProblem } from '../../app/check/check-result.ts';
import type { Severity } from '../../domain/problem.ts';
import { messages } from '../../messages/messages.ts';
import { counted, number } from '../../messages/text.ts';
import { either, t } from '../../messages/translate.ts';
import { PAID_BEFORE } from '../plans/paid-before.ts';
import { EXAMPLE_ROW, linkedRuns } from '../plans/plan-parts.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, table } from '../shell/parts.ts';
import { severityMark } from './upload-parts.ts';

/** Cells of a group that are named at once; the others are in its list. */
const PLACES_SHOWN = 8;
/** Cells of a group in its list; the copy of the file with the problems marked has all of them. */
const LISTED = 100;
/** Longer texts are cut where they are shown. */
const VALUE_LETTERS = 200;

/** The errors of a file, or what is to be looked at, worst first. */
export function problemsPart(uploadId: string, result: ShownCheck, severity: Severity): Html | null {
  const linkOf = linksIn(uploadId, result);
  const parts = worstFirst(result)
    .filter((group) => group.severity === severity && group.code !== PAID_BEFORE)
    .map((group) => problemPart(group, result.problems, linkOf));
  if (parts.length === 0) return null;
  const [id, title] = severity === 'error' ? ['errors', t`Errors`] : ['warnings', t`Warnings`];
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

function problemPart(group: ShownGroup, problems: readonly ShownProblem[], linkOf: LinkOf): Html {
  const { severity, code, column, count, message, remedy } = group;
  const own = problems.filter(
    (problem) => problem.severity === severity && problem.code === code && problem.column === column,
  );
  const isOne = own.every((problem) => problem.message === message);
  if (!isOne && own.every(({ row }) => row === null)) return ofTheFile(group, own);
  const title = isOne ? message : `${kindTitle(code)}${column === null ? '' : ` (${column})`}`;
  const [first] = own;
  const isAtOne = count === 1 && own.length === 1 && (first?.row !== null || first.place !== undefined);
  const isAtMore = count > 1 && own.length > 0;
  return html`<article class="problem ${severity}">
<h3>${severityMark(severity)} ${title}</h3>
${isOne && html`<p>${remedy}</p>`}
${isAtOne && html`<p class="soft">At ${placesOf(own, count, linkOf)}${heldText(first)}</p>`}
${isAtMore && html`<p class="soft">${counted(count, 'time')}: ${placesOf(own, count, linkOf)}</p>${problemList(own, count, isOne, linkOf)}`}
</article>`;
}

/** Several problems of the whole file, such as of the total of each currency: in words, since they have no cells. */
function ofTheFile({ severity, code, remedy }: ShownGroup, own: readonly ShownProblem[]): Html {
  return html`<article class="problem ${severity}">
<h3>${severityMark(severity)} ${kindTitle(code)}</h3>
<ul class="points">${own.map(({ message }) => html`<li>${linkedRuns(message)}</li>`)}</ul>
<p>${remedy}</p>
</article>`;
}

function placesOf(problems: readonly ShownProblem[], count: number, linkOf: LinkOf): Html {
  const shown = problems.slice(0, PLACES_SHOWN);
  const more = count - shown.length;
  const places = shown.map((problem, at) => html`${at > 0 && ', '}${linkOf(problem)}`);
  return html`${places}${more > 0 && t` and ${number(more)} more`}`;
}

type LinkOf = (problem: ShownProblem) => Html | string;

/** Where a problem is, as people find it in their spreadsheet or bank file, and here in the sheet. */
function linksIn(uploadId: string, { columns, format }: ShownCheck): LinkOf {
  return ({ cell, row, column, place: kept }) => {
    const place = kept === undefined ? null : messages.problems.placeText(kept);
    if (row === null) return place ?? t`the file`;
    const own = format === undefined ? undefined : columns.find(({ means }) => means !== null && means === column);
    const anchor = cell ?? (own === undefined ? `row-${row}` : `${own.column}${row}`);
    return html`<a href="/uploads/${uploadId}/sheet?row=${row}#${anchor}">${place ?? cell ?? t`row ${row}`}</a>`;
  };
}

function heldText(problem: ShownProblem | undefined): Html | null {
  if (!problem?.value) return null;
  const { value, suggestion } = problem;
  return html`, which holds <code>${cut(value)}</code>${suggestion !== undefined && html`; it could be <code>${suggestion}</code>`}`;
}

function cut(text: string): string {
  return text.length > VALUE_LETTERS ? `${text.slice(0, VALUE_LETTERS)}…` : text;
}

function problemList(problems: readonly ShownProblem[], count: number, isOne: boolean, linkOf: LinkOf): Html {
  const shown = problems.slice(0, LISTED);
  const isAll = count <= shown.length;
  const columns: Column<ShownProblem>[] = [
    [t`Cell`, linkOf, 'head'],
    [t`It holds`, ({ value }) => html`<code>${cut(value ?? '')}</code>`],
  ];
  if (shown.some(({ suggestion }) => suggestion !== undefined))
    columns.push([t`It could be`, ({ suggestion }) => suggestion !== undefined && html`<code>${suggestion}</code>`]);
  if (!isOne)
    columns.push([t`What is wrong`, ({ message, remedy }) => html`${message} <span class="soft">${remedy}</span>`]);
  const words = t`${either(isAll, 'All', 'The first')} ${number(shown.length)} cells`;
  return html`<details${!isOne && html` open`}><summary>${words}</summary>
${table(null, columns, shown, { frame: 'scroll list', className: '' })}</details>`;
}

/** The title of a kind of problem; of another version's, its code. */
export function kindTitle(code: string): string {
  return messages.problems.kindTitle(code) ?? code.replaceAll('_', ' ');
}
