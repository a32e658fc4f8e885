import type { RunInHistory } from '../../app/history/runs-in-history.ts';
import type { Counts } from '../../domain/entry.ts';
import { t } from '../../messages/translate.ts';
import { isOf } from '../page-modes.ts';
import { bookFor } from '../payees/payee-books.ts';
import type { WaitingPlan } from '../plans/waiting-plans.ts';
import { hasBoth, paymentStatus } from '../runs/payment-status.ts';
import { openCounts } from '../runs/runs.ts';
import { outcomeBar } from '../shell/chart.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { patienceMs } from '../shell/layout.ts';
import { rowBadge } from '../shell/mode.ts';
import { firstMoney } from '../shell/money.ts';
import { asksAgain, type Column, count, moment, table } from '../shell/parts.ts';
import { paymentName, periodText } from '../shell/words.ts';
import type { Seen } from '../sights.ts';
import { signedIn, type Web, type WebContext } from '../web.ts';
import { balancesOf } from './balances.ts';
import { type Beside, needsPart } from './needs.ts';
import { balancesPart, comingUpPart, spendPart } from './overview-side.ts';

/** The newest runs that are looked at; older ones are under Payments. */
const RUNS_LOOKED_AT = 200;
const RECENT = 6;
/** So long the page waits for what it shows beside the payments. */
const BESIDE_MS = 300;

/** Plans that wait, whether others are still being read, and files without a plan. */
type Waiting = Pick<Beside, 'plans' | 'isReading' | 'drafts'>;

/** `awaits`: what needs a person, in a few words. `beside`: null if this person may see none of it. */
export type OverviewParts = { isEmpty: boolean; awaits: string; needs: Html; payments: Html; beside: Html | null };

/**
 * What needs a person, payments under way and recent payments, with balances, spend and upcoming starts beside them.
 */
export async function overviewParts(context: WebContext, waiting: Waiting): Promise<OverviewParts> {
  const { web, person } = signedIn(context);
  const seen = web.sight.of(person);
  const all = await seen.history();
  const runs = all.slice(0, RUNS_LOOKED_AT);
  const under = runs.filter(({ state }) => state === 'running');
  const recent = runs.filter(({ state }) => state === 'finished').slice(0, RECENT);
  const stopped = runs.filter(({ state }) => state === 'stopped');
  const open = await openCounts(web, [...under, ...stopped], patienceMs(context, BESIDE_MS));
  const [balances, book] = await Promise.all([
    // What left the balance while a payment was made is its amount.
    balancesOf(
      web,
      (await web.connections.usable()).filter(
        (one) => seen.seesAllOf(one.entity.id) && (person.mode === undefined || isOf(one, person.mode)),
      ),
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
  const isBookOpen = seen.seesDetails && book === null;
  const needs = needsPart(runs, { ...waiting, open, changed, book, isBookOpen, nowMs: web.deps.clock.wallMs() });
  const beside = [
    balances.length > 0 &&
      balancesPart(web, balances, { book, planned: all.filter(({ state }) => state === 'planned') }),
    book && (await spendPart(context, book)),
    await comingUpPart(web, seen, all),
  ].filter((part) => part !== null && part !== false);
  return {
    isEmpty: runs.length + waiting.plans.length + waiting.drafts.length === 0 && !waiting.isReading,
    awaits: needs.awaits,
    needs: html`${await unwatchedPart(web, seen)}${needs.part}`,
    payments: html`${way.length > 0 && underPart(way)}${recent.length > 0 && recentPart(recent)}`,
    beside:
      beside.length === 0 && !isBookOpen
        ? null
        : html`<aside class="side" id="beside" aria-label="Figures"${isBookOpen && asksAgain('/', 'beside')}>${beside}</aside>`,
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
    ...{ runId, name, sent: t`${count(0)} of ${count(payouts)}`, total: firstMoney(totals) },
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
    ...(runs.some(({ summary }) => summary.header.period !== null) ? [periodColumn()] : []),
    [t`Payouts`, ({ summary }) => count(summary.header.payouts), 'number'],
    [t`Total`, ({ planned }) => firstMoney(planned?.totals ?? []), 'number'],
    [t`Status`, (run) => paymentStatus(run, hasBoth(runs))],
    [t`Finished`, ({ finishedAt }) => finishedAt && moment(finishedAt), 'small'],
  ];
  return html`<section class="stack" aria-labelledby="recent"><div class="head"><h2 id="recent">Recent payments</h2><a href="/runs">All payments</a></div>
${table(t`Table of recent payments`, columns, runs)}</section>`;
}

const periodColumn = (): Column<RunInHistory> => [
  t`Period`,
  ({ summary }) => summary.header.period && periodText(summary.header.period),
  'small',
];

function paymentLink({ summary: { run_id, header } }: RunInHistory): Html {
  return html`<a href="/runs/${run_id}">${paymentName(header)}</a>`;
}
