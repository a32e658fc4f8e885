import { isDeepStrictEqual } from 'node:util';
import type { ShownCheck } from '../../app/check/check-result.ts';
import { counted, grouped, listed, number } from '../../messages/text.ts';
import { either, t, textTable } from '../../messages/translate.ts';
import { PAID_BEFORE } from '../plans/paid-before.ts';
import { paidBeforePart } from '../plans/plan-parts.ts';
import type { TypedStart } from '../plans/start-fields.ts';
import { type Html, html } from '../shell/html.ts';
import { type Problem, runLink, table, waitingPart } from '../shell/parts.ts';
import { type JobChoice, jobPart } from './job-choice.ts';
import { problemsPart } from './problems-part.ts';
import { encodingText, readingForm } from './reading-form.ts';
import type { UploadBy } from './upload-over.ts';
import { payableText, planForm, removalPart, type StepName, uploadForm, uploadHead } from './upload-parts.ts';
import { DEFAULT_READING, type Upload } from './uploads.ts';

/** More currencies are in a list that is opened. */
const CURRENCIES_SHOWN = 12;

/** An upload as a person sees it. */
export type UploadView = {
  upload: Upload;
  /** Who uploaded it. */
  by: UploadBy;
  /** Whether this person may change how it is read, and upload again. */
  mayPrepare: boolean;
  /** What it may be for; null where that is not to be chosen here. */
  jobs: JobChoice | null;
  /** The time that is offered to start it at. */
  start: TypedStart;
  /** How long it is kept, for who may remove it; null for others, and while a plan needs it. */
  removal: string | null;
};

/** While the check is made: the page asks again on its own, with and without script. */
export function checkingPage({ upload, by }: UploadView, step: StepName): Html {
  const hint = t`Large files take a few seconds. You can leave this page; it continues.`;
  const path = step === 'map' ? `/uploads/${upload.id}/map` : `/uploads/${upload.id}`;
  return html`${uploadHead(upload, by, step)}
${waitingPart(path, t`Reading …`, hint)}`;
}

/** A file that could not be read at all, in the words of `check`; or a check that gave no answer (null). */
export function uncheckedPage({ upload, by, mayPrepare, removal }: UploadView, why: Problem | null): Html {
  const { message, remedy } = why ?? {
    message: t`The check ended without a result.`,
    remedy: t`Check it again. If the problem persists, see the log file in the data directory.`,
  };
  const again = html`<form method="post" action="/uploads/${upload.id}/again"><button class="primary">Check it again</button></form>`;
  const isChosen = !isDeepStrictEqual({ ...upload.reading, columns: {} }, DEFAULT_READING);
  const reset = html`<form method="post" action="/uploads/${upload.id}/reading"><input type="hidden" name="reset" value="yes"><button>Reset file settings</button></form>`;
  const another = html`<section class="card" aria-labelledby="fix"><h2 id="fix">Replace the file</h2>${uploadForm({ mends: upload.id, isPrimary: why !== null })}</section>`;
  return html`${uploadHead(upload, by, 'review')}
<div class="notice wrong" role="alert"><p class="lead">${message}</p><p>${remedy}</p></div>
${mayPrepare && [why === null && again, isChosen && reset, another]}
${removalPart(upload, removal)}`;
}

/** What `check` found of an upload: the counts in words, the problems worst first, and what each column maps to. */
export function checkPage({ upload, by, mayPrepare, jobs, start, removal }: UploadView, result: ShownCheck): Html {
  return html`${uploadHead(upload, by, 'review')}
${correctsPart(upload)}
${summary(result)}
${paidBeforePart(result)}
${jobs && jobPart(upload, jobs)}
${mayPrepare && [reviewLink(upload, result), planForm(upload, by, result, start), fixPart(upload, result)]}
${problemsPart(upload.id, result, 'error')}
${problemsPart(upload.id, result, 'warning')}
${mayPrepare && readingForm(upload, result)}
${columnsPart(upload, result)}
${removalPart(upload, removal)}`;
}

/** How many columns are used; the step before has what each maps to. */
function columnsPart({ id }: Upload, { columns, header_row }: ShownCheck): Html | null {
  if (columns.length === 0) return null;
  const used = columns.filter(({ means }) => means !== null).length;
  const none = header_row === null && t` The file has no header: its columns are named by their letters.`;
  return html`<section class="stack" aria-labelledby="columns"><h2 id="columns">Columns</h2>
<p>${used} of ${columns.length} columns are used. <a href="/uploads/${id}/map">See what each maps to</a>${none}</p></section>`;
}

/** A bank file has no cells to edit, and a file without a header no columns. */
function reviewLink({ id }: Upload, { header_row, format, problem_counts, payouts }: ShownCheck): Html | null {
  if (header_row === null || format !== undefined) return null;
  const { errors } = problem_counts;
  const words =
    errors === 0 ? t`Edit the rows` : html`Fix ${counted(errors, 'error')}<span class="hidden">: edit the rows</span>`;
  return html`<p class="row"><a class="button${(errors > 0 || payouts === 0) && ' primary'}" href="/uploads/${id}/grid">${words}</a></p>`;
}

/** The file names the run on its own, wherever on the page it was uploaded: the person who uploads it has to know. */
function correctsPart({ corrects }: Upload): Html | null {
  if (corrects === null) return null;
  return html`<p class="notice care">These rows take the place of rows of ${runLink(corrects)} that were not paid. It pays each of them at most once, and nobody else.</p>`;
}

/** Where the currency of rows that name none was given, or the encoding. */
const GIVEN_BY: Readonly<Record<NonNullable<ShownCheck['given_currency']>['source'], string>> = textTable({
  option: ', as chosen here',
  job: ', as the job says',
  remembered: ', as chosen for an earlier file with these headers',
  file: ', as a line above the header says',
});

function summary(result: ShownCheck): Html {
  const { payouts, totals, problem_counts, problems, rows, inferred_rails, default_rails, columns } = result;
  const { errors, warnings } = problem_counts;
  const what = payableText(result);
  const rails = [...inferred_rails, ...default_rails].map(({ rail, count }) => t`${rail} for ${counted(count, 'row')}`);
  const warned = warnings === 0 ? '' : t` ${counted(warnings, 'warning')}.`;
  const isAmountKnown = columns.length === 0 || columns.some(({ means }) => means === 'amount');
  const more = isAmountKnown ? '' : t` More may show when it is known which column is the amount.`;
  const isAgain = problems.some(({ code }) => code === PAID_BEFORE);
  const payable =
    payouts === 0
      ? t`Nothing in it can be paid as it is.`
      : t`${what} are ready to pay, out of ${counted(rows, 'row')}.`;
  const found =
    errors > 0
      ? html`<strong>${counted(errors, 'error')}.</strong> ${payable}${warned}${more}`
      : html`<strong>${either(isAgain, 'No errors, but some payouts were made before.', 'No problems found.')}</strong> ${what}.${warned}`;
  const look = errors > 0 ? 'wrong' : isAgain ? 'care' : 'done';
  return html`<div class="notice ${look}" role="status"><p class="lead">${found}</p></div>
${totalsPart(totals)}
${rails.length > 0 && html`<p class="soft">Rows without a rail were taken for ${listed(rails)}.</p>`}
${result.layout !== undefined && html`<p class="soft">Layout: ${result.layout}.</p>`}
${result.given_currency !== undefined && html`<p class="soft">Currency for rows without one: ${result.given_currency.currency}${GIVEN_BY[result.given_currency.source]}.</p>`}
${result.given_encoding !== undefined && html`<p class="soft">Its characters are read as ${encodingText(result.given_encoding.encoding)}${GIVEN_BY[result.given_encoding.source]}.</p>`}`;
}

function totalsPart(totals: ShownCheck['totals']): Html | null {
  if (totals.length < 2) return null;
  const sums = table<ShownCheck['totals'][number]>(
    t`Amounts to pay`,
    [
      [t`Currency`, ({ currency }) => currency, 'head'],
      [t`Payouts`, ({ count }) => number(count), 'number'],
      [t`Total`, ({ amount }) => grouped(amount), 'number'],
    ],
    totals,
    { frame: 'scroll', className: 'short', caption: t`Amounts to pay` },
  );
  if (totals.length <= CURRENCIES_SHOWN) return sums;
  return html`<details><summary>What would be paid in each of ${totals.length} currencies</summary>${sums}</details>`;
}

/** The file is repaired in the program that made it, and uploaded in the place of this one. */
function fixPart(upload: Upload, { problem_counts, header_row, payouts, format }: ShownCheck): Html | null {
  const { errors, warnings } = problem_counts;
  if (errors + warnings === 0) return null;
  const copy = html`<p class="soft">The copy has a note at each wrong cell. Fix them, save the file and upload it here. Your column mapping stays.</p>
<p class="row"><a class="button" href="/uploads/${upload.id}/annotated.xlsx" download>Download with the problems marked</a></p>`;
  const place = format === undefined ? t`your spreadsheet program` : t`the program that made it`;
  const how = t`${either(format === undefined, 'Save', 'Export')} it there, and upload it here.`;
  const isMain = format !== undefined || header_row === null;
  return html`<section class="stack" aria-labelledby="fix"><h2 id="fix">${either(isMain, 'Fix it', 'Or fix it')} in ${place}</h2>
${header_row === null ? html`<p class="soft">${how}</p>` : copy}
${uploadForm({ mends: upload.id, isPrimary: isMain && (errors > 0 || payouts === 0) })}</section>`;
}
