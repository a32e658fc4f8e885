import type { RunInHistory } from '../../app/history/runs-in-history.ts';
import type { PayeeBook } from '../../app/payees/payee-book.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import type { Counts } from '../../domain/entry.ts';
import { formatMajor, type Money } from '../../domain/money.ts';
import { counted, grouped } from '../../messages/text.ts';
import { either, t } from '../../messages/translate.ts';
import { bookFor } from '../payees/payee-books.ts';
import type { WaitingPlan } from '../plans/waiting-plans.ts';
import { entitiesIn, spendChart, spendIn, spendName } from '../reporting/spend.ts';
import { hasBoth, paymentStatus } from '../runs/payment-status.ts';
import { openCounts } from '../runs/runs.ts';
import { outcomeBar } from '../shell/chart.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { patienceMs } from '../shell/layout.ts';
import { modeBadge, rowBadge } from '../shell/mode.ts';
import { firstMoney } from '../shell/money.ts';
import { type Column, count, moment, table } from '../shell/parts.ts';
import { minorText, paymentName, periodText } from '../shell/words.ts';
import type { Seen } from '../sights.ts';
import { signedIn, type Web, type WebContext } from '../web.ts';
import { balancesOf, type ConnectionBalances } from './balances.ts';
import { type Beside, needsPart } from './needs.ts';

/** The newest runs that are looked at; older ones are under Payments. */
const RUNS_LOOKED_AT = 200;
const RECENT = 6;
/** The others are folded. */
const BALANCES_AT_ONCE = 6;
/** So long the page waits for what it shows beside the payments. */
const BESIDE_MS = 300;

/** Plans that wait, whether others are still being read, and files without a plan. */
type Waiting = Pick<Beside, 'plans' | 'isReading' | 'drafts'>;

/** What needs a person, payments under way and recent ones; beside them balances and spend. */
export async function overviewParts(
  context: WebContext,
  waiting: Waiting,
): Promise<{ needs: Html; payments: Html; beside: Html }> {
  const { web, person } = signedIn(context);
  const seen = web.sight.of(person);
  const runs = (await seen.history()).slice(0, RUNS_LOOKED_AT);
  const under = runs.filter(({ state }) => state === 'running');
  const recent = runs.filter(({ state }) => state === 'finished').slice(0, RECENT);
  const stopped = runs.filter(({ state }) => state === 'stopped');
  const open = await openCounts(web, [...under, ...stopped], patienceMs(context, BESIDE_MS));
  const [balances, book] = await Promise.all([
    // What left the balance while a payment was made is its amount.
    balancesOf(
      web,
      (await web.connections.usable()).filter(({ entity }) => seen.seesAllOf(entity.id)),
      patienceMs(context, BESIDE_MS),
    ),
    seen.seesDetails ? bookFor(web, person, patienceMs(context, BESIDE_MS)) : null,
  ]);
  const seenWhole = waiting.plans.flatMap(({ runId, sees }) => (sees === 'all' ? runId : []));
  const changed = await web.waitingPlans.changedAccounts(seenWhole, patienceMs(context, BESIDE_MS));
  const way = [
    ...under.map((run) => sendingRow(run, open.get(run.summary.run_id) ?? null, hasBoth(under))),
    ...waiting.plans.flatMap((plan) => (plan.isMine ? [] : waitingRow(plan))),
  ];
  return {
    needs: html`${await unwatchedPart(web, seen)}${needsPart(runs, { ...waiting, open, changed, book, nowMs: web.deps.clock.wallMs() })}`,
    payments: html`${way.length > 0 && underPart(way)}${recent.length > 0 && recentPart(recent)}`,
    beside: html`${balances.length > 0 && balancesPart(balances, book)}${book && (await spendPart(context, book))}`,
  };
}

/** Over which connections payouts that came back are not noticed. */
async function unwatchedPart({ connections }: Web, seen: Seen): Promise<Html | null> {
  const unwatched = (await connections.list()).filter(
    (one) => connections.whyUnwatched(one) !== null && seen.seesAllOf(one.entity.id),
  );
  if (unwatched.length === 0) return null;
  const names = unwatched.map(({ name }) => name).join(', ');
  return html`<div class="notice care"><p><strong>Payouts over ${names} that come back are not noticed.</strong> Returns could not be looked for there: the reason is in Settings, for administrators.</p></div>`;
}

/** A payment that is being sent, or waits for somebody else or its time. */
type UnderWay = { runId: string; name: string; progress: Shown; sent: string; total: Html | null; status: Html };

function sendingRow(run: RunInHistory, counts: Counts | null, isMixed: boolean): UnderWay {
  const { run_id: runId, header } = run.summary;
  const done = counts === null ? 0 : counts.completed + counts.failed + counts.rejected;
  return {
    ...{ runId, name: paymentName(header), total: firstMoney(run.planned?.totals ?? []) },
    progress: counts && outcomeBar(t`Final payouts of ${paymentName(header)}`, header.payouts, counts),
    sent: counts === null ? '' : t`${count(done)} of ${count(header.payouts)}`,
    status: paymentStatus({ ...run, counts }, isMixed),
  };
}

function waitingRow({ runId, name, payouts, totals, waitsFor, start, rehearsal }: WaitingPlan): UnderWay {
  const [mark, word] = start === null ? ['waiting', t`Awaiting approval`] : ['accepted', t`Scheduled`];
  return {
    ...{ runId, name, sent: String(counted(payouts, 'payout')), total: firstMoney(totals) },
    progress: html`<span class="soft small">${waitsFor}</span>`,
    status: html`<span class="status ${mark}">${word}</span>${rowBadge(rehearsal)}`,
  };
}

function underPart(rows: readonly UnderWay[]): Html {
  const columns: Column<UnderWay>[] = [
    [t`Payment`, ({ runId, name }) => html`<a href="/runs/${runId}">${name}</a>`, 'head'],
    [t`Progress`, ({ progress }) => progress],
    [t`Final`, ({ sent }) => sent, 'number'],
    [t`Total`, ({ total }) => total, 'number'],
    [t`Status`, ({ status }) => status],
  ];
  return html`<section class="stack" aria-labelledby="under"><h2 id="under">Under way</h2>${table(t`Payments under way`, columns, rows)}</section>`;
}

function recentPart(runs: readonly RunInHistory[]): Html {
  const columns: Column<RunInHistory>[] = [
    [t`Payment`, paymentLink, 'head'],
    [t`Period`, ({ summary }) => summary.header.period && periodText(summary.header.period), 'small'],
    [t`Payouts`, ({ summary }) => count(summary.header.payouts), 'number'],
    [t`Total`, ({ planned }) => firstMoney(planned?.totals ?? []), 'number'],
    [t`Status`, (run) => paymentStatus(run, hasBoth(runs))],
    [t`Finished`, ({ finishedAt }) => finishedAt && moment(finishedAt), 'small'],
  ];
  return html`<section class="stack" aria-labelledby="recent"><div class="head"><h2 id="recent">Recent payments</h2><a href="/runs">All payments</a></div>
${table(t`Table of recent payments`, columns, runs)}</section>`;
}

function paymentLink({ summary: { run_id, header } }: RunInHistory): Html {
  return html`<a href="/runs/${run_id}">${paymentName(header)}</a>`;
}

function balancesPart(all: readonly ConnectionBalances[], book: PayeeBook | null): Html {
  const each = all.map((one) => {
    const heading = html`<h3>${one.connection.name} ${modeBadge(one.connection.isRehearsal)}</h3>`;
    return html`${all.length > 1 && heading}${heldPart(one, book, all.length > 1)}`;
  });
  return html`<section class="stack" aria-labelledby="balances"><h2 id="balances">Balances</h2>${each}</section>`;
}

/** A currency of which nothing is held is left out, unless all are; those that are paid in stand first. */
function heldPart({ connection, balances }: ConnectionBalances, book: PayeeBook | null, isOneOfSome: boolean): Html {
  const { held, at } = balances;
  const some = held.filter(({ minor }) => minor !== 0n);
  const paidIn = new Set(book?.payees.flatMap(({ currencies }) => currencies));
  const isPaidIn = ({ currency }: Money) => Number(paidIn.has(currencyLabel(currency)));
  const sorted = (some.length === 0 ? [...held] : some).sort((one, other) => isPaidIn(other) - isPaidIn(one));
  const [first, others] = [sorted.slice(0, BALANCES_AT_ONCE), sorted.slice(BALANCES_AT_ONCE)];
  const of = isOneOfSome ? t` of ${connection.name}` : '';
  return html`<p class="soft small">As of ${moment(at, 'sentence')}</p>${table(t`Table of the balances${of}`, balanceColumns(), first)}
${others.length > 0 && html`<details><summary>More currencies (${others.length})</summary>${table(t`Other balances${of}`, balanceColumns(), others)}</details>`}`;
}

const balanceColumns = (): readonly Column<Money>[] => [
  [t`Currency`, ({ currency }) => currencyLabel(currency), 'head'],
  [t`Available`, ({ minor, currency }) => grouped(formatMajor(minor, currency.decimals)), 'number'],
];

async function spendPart(context: WebContext, book: PayeeBook): Promise<Html | null> {
  const spend = spendIn(context, book);
  if (spend.length === 0) return null;
  const entities = await entitiesIn(context, book);
  const rows = spend.map((one) => {
    const { currency, months } = one;
    const name = spendName(one, entities);
    const now = months.at(-1);
    return html`<li><b>${name}</b>${spendChart(`overview-${name.replace(/\W+/g, '-')}`, one, name)}<span class="number">${now && minorText(now.minor, currency)}</span></li>`;
  });
  return html`<section class="stack" aria-labelledby="spend"><div class="head"><h2 id="spend">Spend by month</h2><a href="/reports/spend">Report</a></div>
<p class="soft small">${either(book.sumsRehearsals, 'Rehearsals of the', 'The')} last twelve months, each currency on its own scale. Figures are of this month so far.</p>
<ul class="spend">${rows}</ul></section>`;
}
