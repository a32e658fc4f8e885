import { html } from 'hono/html';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import type { Upload } from '../uploads/uploads.ts';
import type { Html } from '../web.ts';
import type { PlanChoices } from './plannings.ts';

/** Rows that are named; the others are counted. */
const NAMED_MAX = 12;

/** What was paid before by `runId`: some rows of the file, or that run was of the same file or period (`rows` is null). */
export type Repeat = {
  runId: string;
  rows: readonly number[] | null;
  /** How many payouts the file has, where that is known. */
  payouts: number | null;
  /** How many that run paid, and of how many, where it has ended. */
  earlier: { paid: number; of: number } | null;
};

/** What a run that has ended paid; null while it goes on. */
export function paidOf(run: RunState | undefined): Repeat['earlier'] {
  const of = run?.header?.payouts;
  return run?.finished && of !== undefined ? { paid: run.finished.completed, of } : null;
}

/** What of a file was paid already, the way to pay only the rest, and how all of it is paid once more after all. */
export function repeatPart(upload: Upload, repeat: Repeat, choices: PlanChoices): Html {
  const { runId } = repeat;
  return html`<section class="card" aria-labelledby="repeat"><h2 id="repeat">It was paid before</h2>
${repeat.rows === null ? ofTheSame(repeat) : ofRows(repeat, repeat.rows)}
<form method="post" action="/uploads/${upload.id}/plan">${choices.onlyValid ? html`<input type="hidden" name="only_valid" value="yes">` : ''}${choices.period === null ? '' : html`<input type="hidden" name="period" value="${choices.period}">`}
<label class="choice"><input type="checkbox" name="allow_repeat" value="${runId}" required> <span>${tickText(repeat)}</span></label>
<button class="danger">Plan it once more</button></form></section>`;
}

function ofRows({ runId, payouts }: Repeat, rows: readonly number[]): Html {
  const named = rows.slice(0, NAMED_MAX).join(', ');
  const more = rows.length - NAMED_MAX;
  const which = `${rows.length === 1 ? 'row' : 'rows'} ${named}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
  return html`<p>${ofText(rows.length, payouts)} ${rows.length === 1 ? 'was' : 'were'} paid already by ${link(runId)}, or wait there, with the same amount to the same account: ${which}.</p>
<p>Remove them from the file and upload it again. Where such a payment is another one, whoever looks after the jobs can change for how long a payment counts as the same.</p>`;
}

function ofTheSame({ runId, earlier }: Repeat): Html {
  if (earlier === null) return html`<p>Look at ${link(runId)}: it pays it.</p>`;
  const { paid, of } = earlier;
  const left = of - paid;
  if (left === 0)
    return html`<p>${link(runId)} paid it: ${of === 1 ? 'its one payout' : `all ${counted(of, 'payout')}`}.</p>`;
  return html`<p>${paid.toLocaleString('en')} of ${counted(of, 'payout')} were paid by ${link(runId)}. Pay the other ${left.toLocaleString('en')} on the page of ${link(runId)}: there they are corrected, and nobody is paid twice.</p>`;
}

/** It says what the tick does, and for whom. */
function tickText({ runId, rows, payouts, earlier }: Repeat): string {
  if (rows === null) {
    const who = earlier === null ? 'everybody' : `also the ${earlier.paid.toLocaleString('en')} whom it paid`;
    return `I know that ${runId} paid it, and ${who} ${earlier === null || earlier.paid === 1 ? 'is' : 'are'} to be paid once more`;
  }
  const rest = payouts === null ? 0 : payouts - rows.length;
  const others = rest > 0 ? `, beside the other ${rest.toLocaleString('en')}` : '';
  return `I know that ${runId} paid ${rows.length === 1 ? 'this row' : `these ${rows.length.toLocaleString('en')} rows`}, and ${rows.length === 1 ? 'it is' : 'they are'} to be paid once more${others}`;
}

function ofText(count: number, payouts: number | null): string {
  const many = count.toLocaleString('en');
  return payouts === null ? `${many} ${count === 1 ? 'row' : 'rows'}` : `${many} of ${counted(payouts, 'row')}`;
}

function link(runId: string): Html {
  return html`<a href="/runs/${runId}">${runId}</a>`;
}
