import type { RunInHistory } from '../../app/history/runs-in-history.ts';
import type { PayeeBook } from '../../app/payees/payee-book.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import type { Counts } from '../../domain/entry.ts';
import { formatMajor, type Money } from '../../domain/money.ts';
import { grouped } from '../../messages/text.ts';
import { either, t } from '../../messages/translate.ts';
import { bookFor } from '../payees/payee-books.ts';
import type { WaitingPlan } from '../plans/waiting-plans.ts';
import { entitiesIn, spendChart, spendIn, spendName } from '../reporting/spend.ts';
import { hasBoth, paymentStatus } from '../runs/payment-status.ts';
import { type OpenCounts, openCounts } from '../runs/runs.ts';
import { type Html, html } from '../shell/html.ts';
import { patienceMs } from '../shell/layout.ts';
import { modeBadge } from '../shell/mode.ts';
import { type Column, count, moment, table } from '../shell/parts.ts';
import { minorText, paymentName } from '../shell/words.ts';
import { signedIn, type WebContext } from '../web.ts';
import { balancesOf, type ConnectionBalances } from './balances.ts';
import { needsPart } from './needs.ts';

/** The newest runs that are looked at; older ones are under Payments. */
const RUNS_LOOKED_AT = 200;
const RECENT = 6;
/** The others are folded. */
const BALANCES_AT_ONCE = 6;
/** So long the page waits for what it shows beside the payments. */
const BESIDE_MS = 300;

/** What needs a person, payments under way and recent ones; beside them balances and spend. */
export async function overviewParts(
  context: WebContext,
  plans: readonly WaitingPlan[],
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
  const waiting = plans.flatMap(({ runId, sees }) => (sees === 'all' ? runId : []));
  const changed = await web.waitingPlans.changedAccounts(waiting, patienceMs(context, BESIDE_MS));
  const missed = new Set(plans.flatMap(({ runId, start }) => (start?.isMissed ? [runId] : [])));
  return {
    needs: needsPart(runs, { open, changed, missed }, web.deps.clock.wallMs()),
    payments: html`${under.length > 0 && underPart(under, open)}${recent.length > 0 && recentPart(recent)}`,
    beside: html`${balances.length > 0 && balancesPart(balances, book)}${book && (await spendPart(context, book))}`,
  };
}

function underPart(runs: readonly RunInHistory[], open: OpenCounts): Html {
  const columns: Column<RunInHistory>[] = [
    [t`Payment`, paymentLink, 'head'],
    [t`Progress`, (run) => progressCell(run, open.get(run.summary.run_id) ?? null)],
    [t`Status`, (run) => paymentStatus({ ...run, counts: open.get(run.summary.run_id) ?? null }, hasBoth(runs))],
  ];
  return html`<section class="stack" aria-labelledby="under"><h2 id="under">Under way</h2>${table(t`Payments under way`, columns, runs)}</section>`;
}

function progressCell({ summary }: RunInHistory, counts: Counts | null): Html | null {
  if (counts === null) return null;
  const { payouts } = summary.header;
  const done = counts.completed + counts.failed + counts.rejected;
  return html`<progress aria-label="Final payouts of ${paymentName(summary.header)}" max="${Math.max(1, payouts)}" value="${done}"></progress><span class="small">${count(done)} of ${count(payouts)} final</span>`;
}

function recentPart(runs: readonly RunInHistory[]): Html {
  const columns: Column<RunInHistory>[] = [
    [t`Payment`, paymentLink, 'head'],
    [t`Payouts`, ({ summary }) => count(summary.header.payouts), 'number'],
    [t`Status`, (run) => paymentStatus(run, hasBoth(runs))],
    [t`Created`, ({ summary }) => moment(summary.created_at), 'small'],
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
  return html`<p class="soft small">As of ${moment(at, 'sentence')}</p>${table(t`Balances${of}`, balanceColumns(), first)}
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
