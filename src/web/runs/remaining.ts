import type { RunRow } from '../../domain/entry.ts';
import type { RowLeft } from '../../domain/outcomes/run-outcome.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import { offeredStart, type TypedStart } from '../plans/start-fields.ts';
import { orderAccount } from '../shell/account.ts';
import { type Html, html } from '../shell/html.ts';
import { answer, errorPage } from '../shell/layout.ts';
import { type Column, choice, count, runLinks, table } from '../shell/parts.ts';
import { minorText, payoutsText } from '../shell/words.ts';
import { timePart } from '../uploads/upload-parts.ts';
import { signedIn, type WebContext } from '../web.ts';
import type { FollowedRun, WatchSnapshot } from './followed-run.ts';
import { type Found, pageOf, toRun } from './found-run.ts';
import { type Remaining, remainingOf, sumsOf } from './result-figures.ts';
import { rowStateOf, stateLabel } from './rows/row-index.ts';
import { pageProof, runHead } from './run-head.ts';

/** Rows that can be left out one by one; of more only the kind can be chosen. A hundred take more than 60 KB. */
const ROWS_SHOWN = 75;

/** Which of the remaining rows are to be paid: all, those that were never sent, or those that were refused or failed. */
export const KINDS = ['all', 'not_sent', 'failed'] as const;
type Kind = (typeof KINDS)[number];

/** Of the rows that can be paid again, those of another kind than the one that is chosen. */
export function rowsOfOtherKind({ payouts }: Pick<RunState, 'payouts'>, rows: readonly number[], kind: Kind): number[] {
  if (kind === 'all') return [];
  const isNotSent = (row: number) => payouts.get(row)?.state === 'not_submitted';
  return rows.filter((row) => isNotSent(row) !== (kind === 'not_sent'));
}

/** What the button says that leads there: `Pay the remaining 157`, or `Retry 2 failed`. */
export function remainingText(rows: number, hasUnsent: boolean): string {
  return hasUnsent ? t`Pay the remaining ${count(rows)}` : t`Retry ${count(rows)} failed`;
}

/** Asks whether the rest is to be paid: what will be sent, and what not and why. Nothing is sent by looking. */
export async function askRemaining(context: WebContext, { followed, snapshot }: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const { run, runId } = followed;
  const head = runHead(run, await pageProof(web, run));
  if (snapshot.phase === 'finished') {
    const mayPlan = person.roles.includes('preparer') && snapshot.isStarted && !snapshot.isHeld;
    if (!mayPlan) return toRun(context, runId);
    const related = await web.deps.reads.related(run);
    const remaining = await remainingOf(web, followed, related).catch((error: unknown) => {
      web.deps.log.warn({ error, run: runId }, 'what remains of a run could not be looked for');
      return null;
    });
    if (remaining === null) return errorPage(context, { status: 503, ...NOT_LOOKED });
    if (!remaining.isWhole) return toRun(context, runId);
    const leaveOut = context.req.query('leave_out') ?? '';
    const start = offeredStart(web, run.header?.job ?? null);
    const shown = { remaining, retriedBy: related.retriedBy, leaveOut, start };
    return answer(context, { ...pageOf(run), body: html`${head}${retryPart(followed, shown)}` });
  }
  const isStopped = snapshot.isStarted && snapshot.phase === 'stopped' && !snapshot.isHeld && !snapshot.isCancelled;
  if (!isStopped || snapshot.counts.waiting === 0 || (await web.runTasks.going(runId)) !== null)
    return toRun(context, runId);
  return answer(context, { ...pageOf(run), body: html`${head}${resumePart(runId, snapshot)}` });
}

const NOT_LOOKED = textTable({
  message: 'What remains could not be compared with payments made since.',
  remedy: 'Try again. Nothing was sent. See the log file in the data directory.',
});

/** A run that stopped goes on: its approvals hold, and what is in doubt is looked for before anything is sent. */
function resumePart(runId: string, { counts }: WatchSnapshot): Html {
  const under = counts.sending + counts.accepted + counts.in_doubt;
  const facts = [
    [counts.waiting, t`will be sent: nothing of them has left yet.`],
    [
      under,
      t`may already have left. Their outcome is looked up at the service first. None is resent unless it provably took no effect.`,
    ],
    [counts.unresolved, t`will not be sent: a person has to decide whether they were paid.`],
    [
      counts.completed + counts.failed + counts.rejected + counts.not_submitted,
      t`will not be sent: their outcome is final.`,
    ],
  ] as const;
  return html`<section class="card narrow" aria-labelledby="remaining"><h2 id="remaining">Pay the remaining ${count(counts.waiting)}?</h2>
<ul class="points">${facts.flatMap(([number, words]) => (number === 0 ? [] : html`<li><strong>${count(number)}</strong> ${words}</li>`))}</ul>
<p>It needs no new approval.</p>
<div class="row"><form method="post" action="/runs/${runId}/resume"><button class="primary">Pay the remaining ${count(counts.waiting)}</button></form><a class="button" href="/runs/${runId}">Not yet</a></div>
</section>`;
}

/** `leaveOut`: the row whose box is ticked already. `start`: the time that is offered. */
type RetryShown = { remaining: Remaining; retriedBy: readonly string[]; leaveOut: string; start: TypedStart };

/** A run that is over: its remaining rows become a payment of their own, which is approved like any other. */
function retryPart(followed: FollowedRun, { remaining, retriedBy, leaveOut, start }: RetryShown): Html {
  const { run, runId } = followed;
  const { rows, notSent, codes } = remaining;
  if (rows.length === 0)
    return html`<section class="card narrow" aria-labelledby="remaining"><h2 id="remaining">Nothing is left to pay</h2>${leftOutPart(followed, remaining)}
<p class="row"><a class="button" href="/runs/${runId}">Back to the payment</a></p></section>`;
  return html`<section class="stack" aria-labelledby="remaining"><h2 id="remaining">${remainingText(rows.length, notSent > 0)}?</h2>
<p>This creates a new payment of these rows and sends nothing; it needs approval like any other. No row is paid twice: before it starts, the journal is checked again for what was paid since.</p>
${retriedBy.length > 0 && html`<p class="notice care">Rows of it were planned again in ${runLinks(retriedBy)}. Only one of both can be started.</p>`}
${inVain(codes).map((words) => html`<p class="notice care">${words}</p>`)}
<form method="post" action="/runs/${runId}/retry">
${kindField(rows.length, notSent)}
<h3>Will be paid: ${payoutsText(rows.length, sumsOf(rows))}</h3>
${table(t`Payouts that remain`, columnsOf(run, leaveOut), firstOf(rows, leaveOut))}
${rows.length > ROWS_SHOWN && html`<p class="soft">and ${count(rows.length - ROWS_SHOWN)} more</p>`}
${timePart(start, choice('any_day', 'yes', t`On non-business days too`))}
<div class="row"><button class="primary">Prepare this payment</button><a class="button" href="/runs/${runId}">Not now</a></div>
</form>
<h3>Will not be paid</h3>
${leftOutPart(followed, remaining)}</section>`;
}

/** The row that is to be left out is among those that are shown, wherever it is. */
function firstOf(rows: readonly RunRow[], leaveOut: string): RunRow[] {
  const out = leaveOut === '' ? undefined : rows.find(({ row }) => String(row) === leaveOut);
  const first = rows.slice(0, ROWS_SHOWN);
  return out === undefined ? first : [out, ...first.filter((row) => row !== out)].slice(0, ROWS_SHOWN);
}

function kindField(rows: number, notSent: number): Html | null {
  const failed = rows - notSent;
  if (notSent === 0 || failed === 0) return null;
  const words = [t`All ${count(rows)}`, t`Only the ${count(notSent)} not sent`, t`Only the ${count(failed)} failed`];
  const radios = KINDS.map(
    (kind, at) =>
      html`<label class="choice"><input type="radio" name="only" value="${kind}"${at === 0 && html` checked`}> <span>${words[at]}</span></label>`,
  );
  return html`<fieldset><legend>Which</legend>${radios}</fieldset>`;
}

function columnsOf(run: RunState, leaveOut: string): Column<RunRow>[] {
  return [
    [
      t`Recipient`,
      ({ order }) => order && `${order.payee.name}${order.payee.payee_id === null ? '' : ` (${order.payee.payee_id})`}`,
      'head',
    ],
    [t`Amount`, ({ order }) => order && minorText(order.amount_minor, order.currency), 'number'],
    [t`To`, ({ order }) => orderAccount(order), 'small'],
    [t`State`, ({ row }) => stateOf(run, row)],
    [
      t`Leave out`,
      ({ row }) => choice('leave_out', row, t`Leave row ${row} out`, { isTicked: String(row) === leaveOut }),
    ],
  ];
}

function stateOf({ payouts }: RunState, row: number): Html | null {
  const payout = payouts.get(row);
  if (payout === undefined) return null;
  const state = rowStateOf(payout);
  return html`<span class="status ${state}">${stateLabel(state)}</span>`;
}

/** What is not paid again, and why; a few words for each reason. */
function leftOutPart({ run, rows: { counts } }: FollowedRun, { leftOut }: Remaining): Html {
  const { completed } = counts;
  const reasons = Array.from(
    leftOut,
    ([how, { rows, runIds }]) =>
      html`<li><strong>${count(rows)}</strong> ${WHY[how]} <span class="soft">${runLinks(runIds)}</span></li>`,
  );
  return html`<ul class="points">${completed > 0 && html`<li><strong>${count(completed)}</strong> completed</li>`}${reasons}
${completed + leftOut.size === 0 && html`<li>Nothing: all ${counted(run.payouts.size, 'payout')} remain.</li>`}</ul>`;
}

const WHY: Readonly<Record<RowLeft['how'], string>> = textTable({
  unresolved: 'need a decision: perhaps they were paid in',
  not_final: 'have no final outcome yet in',
  paid: 'were paid since in',
  under_way: 'are being paid in',
  paid_otherwise: 'went with the same amount to the same account in',
  perhaps_paid_otherwise: 'perhaps went with the same amount to the same account in',
  to_be_paid_otherwise: 'are about to be paid, the same amount to the same account, in',
});

/** What the same rows again cannot repair, by the codes of why they were not paid. */
export function inVain(codes: Iterable<string>): string[] {
  const words = [...codes].flatMap((code) => (Object.hasOwn(IN_VAIN, code) ? (IN_VAIN[code] ?? []) : []));
  return [...new Set(words)];
}

const IN_VAIN: Readonly<Record<string, string>> = textTable({
  ACCOUNT_CLOSED: 'A closed account stays closed: correct those rows instead.',
  REJECTED_BY_BANK: 'The bank will reject these again unless the account is right: correct those rows instead.',
  SANCTIONS_SCREENING: 'Sanctions screening will stop these again: ask the service first.',
});
