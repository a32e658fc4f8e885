import type { HistoricPayout } from '../../app/history/payouts.ts';
import type { RunInHistory } from '../../app/history/runs-in-history.ts';
import { type PayeeBook, totalsOf } from '../../app/payees/payee-book.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import type { Counts } from '../../domain/entry.ts';
import type { Money } from '../../domain/money.ts';
import { counted, listed } from '../../messages/text.ts';
import { plural, t } from '../../messages/translate.ts';
import { WorkedOut } from '../once.ts';
import type { WaitingPlan } from '../plans/waiting-plans.ts';
import type { OpenCounts } from '../runs/runs.ts';
import { type Html, html } from '../shell/html.ts';
import { isMixed, rowBadge } from '../shell/mode.ts';
import { firstMoney } from '../shell/money.ts';
import { asksAgain, moment } from '../shell/parts.ts';
import { type Todo, todoList } from '../shell/todo.ts';
import { moneyTexts, paymentName } from '../shell/words.ts';

/** A file that was uploaded (Unix ms), perhaps for a job. */
type Draft = { id: string; name: string; at: number; job: string | null };

/**
 * What is known beside the history. `changed` has, of plans that wait, the payouts to changed accounts; `drafts` are files without a
 * plan; `book` is null where amounts are hidden, or nobody has read it yet; `isReading`: plans that are still being read follow.
 */
export type Beside = {
  plans: readonly WaitingPlan[];
  isReading: boolean;
  /** Whether the payee book is still being built. */
  isBookOpen: boolean;
  drafts: readonly Draft[];
  open: OpenCounts;
  changed: ReadonlyMap<string, number>;
  book: PayeeBook | null;
  nowMs: number;
};

/** What failed or was returned longer ago is under Payments. */
const FAILED_MS = 30 * 86_400_000;
const SHOWN_MAX = 12;

/**
 * What needs a person: what they can approve or start, payouts that need a decision, payments that stopped or missed their time,
 * payouts that failed, payouts that were returned, and their own drafts.
 */
export function needsPart(runs: readonly RunInHistory[], beside: Beside): { part: Html; awaits: string } {
  const rehearsals = [
    ...runs.map(({ summary }) => summary.header.rehearsal),
    ...beside.plans.map((plan) => plan.rehearsal),
  ];
  const badge: Badge = (rehearsal) => rowBadge(rehearsal, isMixed(rehearsals));
  const needs = [
    ...beside.plans.flatMap((plan) => planTodo(plan, beside.changed.get(plan.runId) ?? 0, badge) ?? []),
    ...runTodos(runs, beside, badge),
    ...beside.drafts.map(draftTodo),
  ];
  const shown = needs.slice(0, SHOWN_MAX);
  const more = needs.length - shown.length;
  const none = !beside.isReading && html`<p class="soft">Nothing to approve. No payout failed or needs a decision.</p>`;
  const part = html`<section class="stack" id="todo" aria-labelledby="needs"${(beside.isReading || beside.isBookOpen) && asksAgain('/', 'todo')}><h2 id="needs">Needs you${needs.length > 0 && html` <span class="tag">${needs.length}</span>`}</h2>
${beside.isReading && html`<p class="soft small" role="status">Large payments are being read: they follow in a few seconds.</p>`}
${shown.length === 0 ? none : todoList(shown)}
${more > 0 && html`<p class="soft small"><a href="/runs">And ${more} more under Payments</a></p>`}</section>`;
  return { part, awaits: awaitsText(beside, needs.length) };
}

/** A short version of the same. */
function awaitsText({ plans, isReading }: Beside, needs: number): string {
  const approvals = plans.filter(({ isMine, mayApprove }) => isMine && mayApprove).length;
  if (approvals > 0)
    return String(plural(approvals, '# payment awaiting your approval', '# payments awaiting your approval'));
  if (needs > 0) return String(plural(needs, '# item needs you', '# items need you'));
  return isReading ? '' : t`Nothing needs you`;
}

type Badge = (rehearsal: boolean) => Html | null;

/** What waits for this person; null where it waits for others. */
function planTodo(plan: WaitingPlan, changed: number, badge: Badge): Todo | null {
  const { runId, name, payouts, totals, preparer, mayApprove, isMine, rehearsal, start, waitsFor } = plan;
  if (!isMine) return null;
  const page = `/runs/${runId}`;
  const others = totals.slice(1);
  const also = others.length > 0 && others.length < 3 && t`also ${listed(moneyTexts(others))}`;
  const accounts = changed > 0 && html`<b class="care">${counted(changed, 'payout')} to changed accounts</b>`;
  const why = [counted(payouts, 'payout'), also, accounts, t`prepared by ${preparer}`];
  const amount = firstMoney(totals);
  const known = { tone: 'go', amount } as const;
  if (mayApprove)
    return {
      ...known,
      icon: 'approvals',
      what: html`Approve <a href="${page}">${name}</a>${badge(rehearsal)}`,
      why: [...why, waitsFor],
      path: `/runs/${runId}/approve`,
      act: html`Review<span class="hidden"> and approve</span>`,
    };
  const isMissed = start?.isMissed === true;
  return {
    ...known,
    icon: isMissed ? 'clock' : 'start',
    tone: isMissed ? 'warn' : 'go',
    what: isMissed
      ? html`<a href="${page}">${name}</a> missed its time${badge(rehearsal)}`
      : html`Start <a href="${page}">${name}</a>${badge(rehearsal)}`,
    why: [...why, waitsFor],
    path: page,
    act: isMissed ? t`Review` : t`Start`,
  };
}

function runTodos(runs: readonly RunInHistory[], { open, book, nowMs }: Beside, badge: Badge): Todo[] {
  const retried = new Set(runs.flatMap(({ summary }) => (summary.isPlanned ? [] : (summary.header.retries ?? []))));
  const [decide, stopped]: [Todo[], Todo[]] = [[], []];
  const [failed, back]: [Todo[], Todo[]] = [[], []];
  for (const run of runs) {
    const { summary, state, returned } = run;
    const { run_id: id, header } = summary;
    const counts = run.counts ?? open.get(id) ?? null;
    const unresolved = state === 'finished' ? (counts?.unresolved ?? 0) : 0;
    const name = html`${paymentName(header)}${badge(header.rehearsal)}`;
    const path = `/runs/${id}`;
    const amountOf = (...states: readonly State[]) => sumOf(book, id, states);
    const act = (word: string) => actText(word, paymentName(header));
    if (unresolved > 0)
      decide.push({
        ...{ icon: 'decide', tone: 'warn', path, act: act(t`Decide`) },
        what: t`${counted(unresolved, 'payout')} ${plural(unresolved, 'needs', 'need')} a decision`,
        why: [name, t`outcome unknown`],
        amount: amountOf('unresolved'),
      });
    if (state === 'stopped')
      stopped.push({
        ...{ icon: 'stopped', tone: 'warn', path, act: act(t`Look at it`), why: [name] },
        what: stoppedText(counts),
        amount: amountOf('not_submitted'),
      });
    const bad = state === 'finished' ? (counts?.failed ?? 0) + (counts?.rejected ?? 0) : 0;
    if (bad > 0 && !retried.has(id) && summary.created_at > nowMs - FAILED_MS)
      failed.push({
        ...{
          icon: 'failed',
          tone: 'bad',
          path,
          act: act(t`Fix`),
          why: [name, run.finishedAt && moment(run.finishedAt)],
        },
        what: t`${counted(bad, 'payout')} failed`,
        amount: amountOf('failed', 'rejected'),
      });
    if (returned !== null && returned.at > nowMs - FAILED_MS)
      back.push({
        ...{ icon: 'returned', tone: 'bad', path, act: act(t`Review`), why: [name, moment(returned.at)] },
        what: t`${counted(returned.count, 'payout')} returned`,
        amount: amountOf('returned'),
      });
  }
  return [...decide, ...stopped, ...failed, ...back];
}

/** The label of the button, with the name of the row for screen readers. */
function actText(word: string, name: string): Html {
  return html`${word}<span class="hidden">: ${name}</span>`;
}

type State = HistoricPayout['status'] | 'returned';
type Sums = ReadonlyMap<string, readonly Money[]>;

const SUMS = new WorkedOut<PayeeBook, Sums>();

/** Totals by run, state and currency, computed once per book. */
function sumsIn(book: PayeeBook): Sums {
  return SUMS.of(book, 0, () => {
    const keyed = Map.groupBy(book.payouts, ({ payment, status, returned }) =>
      keyOf(payment.run_id, returned === null ? status : 'returned'),
    );
    return new Map(Array.from(keyed, ([key, payouts]) => [key, totalsOf(payouts)]));
  });
}

function keyOf(runId: string, state: State): string {
  return `${runId} ${state}`;
}

/** The total of a run's payouts in these states, in the first currency. */
function sumOf(book: PayeeBook | null, runId: string, states: readonly State[]): Html | null {
  if (book === null) return null;
  const sums = new Map<string, Money>();
  for (const { minor, currency } of states.flatMap((state) => sumsIn(book).get(keyOf(runId, state)) ?? [])) {
    const label = currencyLabel(currency);
    sums.set(label, { minor: (sums.get(label)?.minor ?? 0n) + minor, currency });
  }
  return firstMoney([...sums.values()]);
}

function stoppedText(counts: Counts | null): string {
  const left = counts?.not_submitted ?? 0;
  const doubtful = counts?.unresolved ?? 0;
  const parts = [
    ...(left > 0 ? [t`${counted(left, 'payout')} not sent`] : []),
    ...(doubtful > 0 ? [t`${counted(doubtful, 'payout')} not final`] : []),
  ];
  return [t`Stopped`, ...parts].join(', ');
}

function draftTodo({ id, name, at, job }: Draft): Todo {
  return {
    ...{ icon: 'draft', tone: 'idle', amount: null, path: `/uploads/${id}` },
    what: name,
    why: [t`Draft`, job, moment(at)],
    act: actText(t`Continue`, name),
  };
}
