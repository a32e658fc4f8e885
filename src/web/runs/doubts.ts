import { Hono } from 'hono';
import type { RunRow } from '../../domain/entry.ts';
import type { Choice, DoubtAbout } from '../../domain/outcomes/doubt.ts';
import { type Doubt, isLookedFor } from '../../domain/outcomes/doubt.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { plainCommand } from '../../messages/command-line.ts';
import { messages } from '../../messages/messages.ts';
import type { ChoiceText, ChoiceWords } from '../../messages/report/doubt-words.ts';
import { counted } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import { doubtAt, surfacedDoubts } from '../../report/model/doubts.ts';
import { ACTING, requireRole, SEEING } from '../require-role.ts';
import { orderAccount } from '../shell/account.ts';
import { readForm, text } from '../shell/form.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { facts, hiddenField, moment, type Problem, problemNotice } from '../shell/parts.ts';
import { amountText, pageCommand } from '../shell/words.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import type { FollowedRun } from './followed-run.ts';
import { begin, type Found, mayAct, onRun, pageOf, toRun, whenRead } from './found-run.ts';
import type { RowState } from './rows/row-index.ts';
import { pageProof, runHead } from './run-head.ts';

/** As the service gives them out; a word that begins with a hyphen would be an option. */
const TRANSACTION = /^[\w.:][\w.:-]{0,127}$/;

/** A payout in doubt, and a person's decision about it. */
export function doubtRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  app.get('/runs/:run/doubts/:row', requireRole(...SEEING), whenRead, onRun(show));
  app.post('/runs/:run/doubts/:row', requireRole(...ACTING), onRun(decide));
  return app;
}

/** What a person can do about a doubt on the page. */
type DoubtAct = { act: Exclude<Choice['act'], 'resubmit_absent'>; transaction: string | null } & ChoiceWords;

/** Doubts that one page lists. */
const SHOWN_MAX = 100;

/** The first doubts, and how many there are. */
export type Doubts = { shown: ShownDoubt[]; total: number };

/** With the account as people recognise it. */
type ShownDoubt = Doubt & { to: Html | null };

/** The states of rows that are in doubt. */
const DOUBTFUL: ReadonlySet<RowState> = new Set(['sending', 'in_doubt', 'unresolved']);

/** The first doubts of a run, those that were perhaps paid twice first. */
export function shownDoubts({ run, rows }: Pick<FollowedRun, 'run' | 'rows'>): Doubts {
  const surfaced = surfacedDoubts(run)
    .take(SHOWN_MAX)
    .map((doubt) => ({ ...doubt, to: orderAccount(run.rows[rows.placeOf(doubt.row) ?? -1]?.order) }))
    .toArray();
  const others = rows
    .placesIn(DOUBTFUL)
    .map((place) => shownDoubt(run.rows[place], run))
    .filter((doubt) => doubt !== null)
    .take(SHOWN_MAX - surfaced.length);
  const { sending, in_doubt, unresolved } = rows.counts;
  return { shown: [...surfaced, ...others], total: run.surfaced.length + sending + in_doubt + unresolved };
}

function shownDoubt(row: RunRow | undefined, run: RunState): ShownDoubt | null {
  const doubt = doubtIn(row, run);
  return doubt && { ...doubt, to: orderAccount(row?.order) };
}

/** The doubt about a row, or null where there is none. */
export function doubtOfRow({ run, rows }: FollowedRun, number: number): Doubt | null {
  const surfaced = surfacedDoubts(run).find(({ row }) => row === number);
  return surfaced ?? doubtIn(run.rows[rows.placeOf(number) ?? -1], run);
}

function doubtIn(row: RunRow | undefined, run: RunState): Doubt | null {
  const payout = row === undefined ? undefined : run.payouts.get(row.row);
  return row === undefined || payout === undefined ? null : doubtAt(run, row, payout);
}

/** What can be done here about a doubt, the harmless first. */
function doubtActs(doubt: Doubt): DoubtAct[] {
  return doubt.choices.flatMap((choice) => {
    const { act, transaction } = choice;
    if (act === 'resubmit_absent') return [];
    return [{ act, transaction, ...messages.doubts.choiceWords(doubt, choice, pageCommand('resume')) }];
  });
}

/** What can be done by command only: it sends all that is not listed of the run, and not this payout alone. */
function wholeRunActs(doubt: Doubt): ChoiceText[] {
  const choices = doubt.choices.filter(({ act }) => act === 'resubmit_absent');
  return messages.doubts.choiceTexts({ ...doubt, choices }, plainCommand);
}

/** What has to be typed before a doubt is decided: what would be paid twice, or not at all. */
function confirmationOf({ amount, currency }: Doubt): string {
  return `${amount} ${currency}`;
}

/** Blanks, thousands and capitals make no difference. */
function isConfirmed(doubt: Doubt, typed: string): boolean {
  const plain = (text: string) => text.replace(/[\s,]/g, '').toUpperCase();
  return plain(typed) === plain(confirmationOf(doubt));
}

/** What is in doubt, before anything else: by kind, why, and where a person decides it. */
export function doubtsPart(
  runId: string,
  { shown, total }: Doubts,
  { mayAct: isActor }: { mayAct: boolean },
): Html | null {
  if (total === 0) return null;
  const kinds = Map.groupBy(shown, ({ about }) => about);
  const left = total - shown.length;
  return html`<section class="stack" aria-labelledby="doubts">
<h2 id="doubts">Needs you</h2>
<p>Do not pay any of these by other means until their outcome is known.</p>
${Array.from(kinds, ([about, doubts]) => kindPart(runId, about, doubts, isActor))}
${left > 0 && html`<p class="soft">${counted(left, 'more payout')} unconfirmed: they follow when these are resolved.</p>`}
</section>`;
}

function kindPart(runId: string, about: DoubtAbout, doubts: readonly ShownDoubt[], isActor: boolean): Html {
  return html`<div class="card need">
<h3>${messages.doubts.DOUBT_KINDS[about].heading} <span class="tag">${counted(doubts.length, 'payout')}</span></h3>
${whyPart(about)}
<ul class="entries">${doubts.map((doubt) => doubtItem(runId, doubt, isActor))}</ul>
</div>`;
}

function whyPart(about: DoubtAbout): Html {
  const ask = messages.doubts.DOUBT_KINDS[about].ask;
  return html`<p>${messages.doubts.DOUBT_KINDS[about].why}</p>${ask && html`<p>${ask}</p>`}`;
}

function doubtItem(runId: string, doubt: ShownDoubt, isActor: boolean): Html {
  const { row, payee, amount, currency, to } = doubt;
  const isSettled = doubtActs(doubt).some(({ act }) => act !== 'resume');
  const label = isActor && isSettled ? t`Decide …` : t`Look at it`;
  return html`<li class="split"><span><strong>${payee}</strong> <span class="soft small">row ${row}, to ${to}</span></span><span class="number">${amountText(amount, currency)}</span><a class="button" href="/runs/${runId}/doubts/${row}" aria-label="${label} row ${row}">${label}</a></li>`;
}

/** Shows one payout in doubt: everything that is known of it, and what can be decided, with what that risks. */
async function show(
  context: WebContext,
  { followed, snapshot }: Found,
  refused: Problem | null = null,
): Promise<Response> {
  const { run, runId } = followed;
  const doubt = doubtOfRow(followed, Number(context.req.param('row')));
  if (doubt === null) return toRun(context, runId);
  const { row, payee, amount, currency, about, sent_at, token, answer: answered, candidates } = doubt;
  const known = facts([
    [t`Payee`, payee],
    [t`Amount`, amountText(amount, currency)],
    [t`To`, orderAccount(followed.rowOf(row)?.order)],
    [t`Sent`, sent_at && moment(Date.parse(sent_at), 'exact')],
    [t`Token in its description`, token && html`<span class="id">${token}</span>`],
    [t`The answer`, answered && messages.doubts.answerText(doubt)],
    [t`Looked up`, isLookedFor(about) ? messages.doubts.lookedText(doubt) : null],
    [t`Found at the service`, candidates.length === 0 ? null : html`<span class="id">${candidates.join(', ')}</span>`],
  ]);
  const body = html`${runHead(run, await pageProof(context.var.web, run))}
${problemNotice(refused)}
<section class="card" aria-labelledby="doubt">
<h2 id="doubt">Row ${row}: ${messages.doubts.DOUBT_KINDS[about].heading}</h2>
${known}
${whyPart(about)}
</section>
${mayAct(context) && actsPart(runId, doubt, snapshot.isHeld)}
<p><a href="/runs/${runId}">Back to the run</a></p>`;
  return answer(context, { ...pageOf(run), body }, refused === null ? 200 : 422);
}

function actsPart(runId: string, doubt: Doubt, isHeld: boolean): Html {
  if (isHeld) return html`<p class="notice">A program is working on this run. You can decide here when it is done.</p>`;
  return html`<section class="stack" aria-labelledby="choices"><h2 id="choices">What you can do</h2>
<div class="columns">${doubtActs(doubt).map((act, at) => actForm(runId, doubt, act, at))}</div>
${wholeRunActs(doubt).map(
  ({ command, does, risk }) => html`<div class="card"><h3>Send again what is not listed</h3>
<p>${does} <strong>${risk}</strong></p>
<p>It affects every unconfirmed payout of this run. Your administrator can do it with this command: <span class="id">${command}</span></p></div>`,
)}</section>`;
}

const ACT_LABELS: Readonly<Record<DoubtAct['act'], string>> = textTable({
  resume: 'Look again',
  sent: 'It was sent',
  not_sent: 'It was not sent',
});

function actForm(runId: string, doubt: Doubt, { act, transaction, does, risk }: DoubtAct, at: number): Html {
  const isHarmless = act === 'resume';
  const named =
    transaction === null
      ? html`<label>Transaction <input name="transaction" required maxlength="128" autocomplete="off" spellcheck="false"></label>`
      : html`${hiddenField('transaction', transaction)}<p>As <span class="id">${transaction}</span>.</p>`;
  const typed = html`<label><span>Type <strong>${confirmationOf(doubt)}</strong> to confirm</span> <input name="typed" required autocomplete="off" id="typed-${at}"></label>`;
  return html`<form class="card" method="post" action="/runs/${runId}/doubts/${doubt.row}">
<h3>${ACT_LABELS[act]}</h3>
<p>${does} <strong>${risk}</strong></p>
${hiddenField('act', act)}${act === 'sent' && named}${!isHarmless && typed}
<button class="${isHarmless ? 'primary' : 'danger'}">${ACT_LABELS[act]}</button>
</form>`;
}

const decision = { act: text, transaction: text.transform((typed) => typed.trim()), typed: text };

/** Records what a person decided about the payout, or lets the run go on. */
async function decide(context: WebContext, found: Found): Promise<Response> {
  const { web, person } = signedIn(context);
  const { followed } = found;
  const { runId } = followed;
  const row = Number(context.req.param('row'));
  const doubt = doubtOfRow(followed, row);
  if (doubt === null) return toRun(context, runId);
  const { act, transaction, typed } = await readForm(context, decision);
  const chosen = doubtActs(doubt).find(
    (one) => one.act === act && (one.transaction === null || one.transaction === transaction),
  );
  if (chosen === undefined) return show(context, found, NO_SUCH_ACT);
  const wrong = wrongWith(chosen, transaction, isConfirmed(doubt, typed));
  if (wrong !== null) return show(context, found, wrong);
  if (chosen.act === 'resume') {
    const task = { name: 'resume' } as const;
    return begin(context, { runId, act: 'resumed', task, person: person.id, details: { row } });
  }
  const verdict = chosen.act === 'sent' ? { kind: chosen.act, transactionId: transaction } : { kind: chosen.act };
  const refused = await web.runTasks.resolve({ runId, row, verdict }, person.id);
  return refused === null ? toRun(context, runId) : onRun((_, now) => show(context, now, refused))(context);
}

function wrongWith({ act }: DoubtAct, transaction: string, isTyped: boolean): Problem | null {
  if (act === 'resume') return null;
  if (act === 'sent' && !TRANSACTION.test(transaction))
    return { message: t`That is not a transaction ID.`, remedy: t`Copy it from where the service shows it.` };
  if (isTyped) return null;
  return {
    message: t`The amount you typed does not match this payout. Nothing was recorded.`,
    remedy: t`Type it exactly as shown.`,
  };
}

const NO_SUCH_ACT: Problem = textTable({
  message: 'This payout is already resolved. Nothing was recorded.',
  remedy: 'Look at its current state.',
});
