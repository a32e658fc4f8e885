import type { CurrencySpend } from '../../app/history/spend.ts';
import type { PayeeBook } from '../../app/payees/payee-book.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { currencyKey, formatMajor, type Money } from '../../domain/money.ts';
import { counted, grouped } from '../../messages/text.ts';
import { either, t } from '../../messages/translate.ts';
import { entitiesIn, spendBefore, spendChart, spendIn, spendName } from '../reporting/spend.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { icon } from '../shell/icon.ts';
import { modeBadge, rowBadge } from '../shell/mode.ts';
import { type Column, moment, momentAgo, table } from '../shell/parts.ts';
import { paymentName } from '../shell/words.ts';
import type { Seen, SeenRun } from '../sights.ts';
import type { Web, WebContext } from '../web.ts';
import type { ConnectionBalances } from './balances.ts';

/** Other balances are collapsed; further currencies are in the report, and later starts on Schedules. */
const BALANCES_AT_ONCE = 6;
const SPEND_SHOWN = 6;
const COMING_SHOWN = 5;

/** Context for balances: `book` has the currencies paid in, `planned` the plans not started yet. */
type BesideBalances = { book: PayeeBook | null; planned: readonly SeenRun[] };

/** A balance, and the cost of plans not started yet. */
type Balance = Money & { planned: bigint };

export function balancesPart(web: Web, all: readonly ConnectionBalances[], beside: BesideBalances): Html {
  const nowMs = web.deps.clock.wallMs();
  const [only] = all.length === 1 ? all : [];
  const ago = ({ balances: { at } }: ConnectionBalances) =>
    html`<span class="soft small">${momentAgo(at, nowMs)}</span>`;
  const each = all.map((one) => {
    const { name, isRehearsal } = one.connection;
    const heading = html`<div class="head"><h3>${name} ${modeBadge(isRehearsal)}</h3>${ago(one)}</div>`;
    const of = only === undefined ? t` of ${name}` : '';
    return html`${only === undefined ? heading : html`<p class="soft small">${name}</p>`}${heldPart(balancesWith(web, one, beside), of)}`;
  });
  return html`<section class="stack" aria-labelledby="balances"><div class="head"><h2 id="balances">Balances</h2>${only && ago(only)}</div>${each}</section>`;
}

/**
 * Leaves out currencies with no balance and no plans, unless that is all of them. Planned currencies come first, then
 * paid ones.
 */
function balancesWith(
  web: Web,
  { connection, balances }: ConnectionBalances,
  { book, planned }: BesideBalances,
): Balance[] {
  const all = new Map<string, Balance>();
  const add = (currency: Money['currency'], minor: bigint, more: bigint) => {
    const known = all.get(currencyKey(currency)) ?? { currency, minor: 0n, planned: 0n };
    all.set(currencyKey(currency), { currency, minor: known.minor + minor, planned: known.planned + more });
  };
  for (const { minor, currency } of balances.held) add(currency, minor, 0n);
  for (const run of planned)
    if (web.connections.idOfRun(run.summary.header) === connection.id)
      for (const { minor, currency } of run.planned?.costs ?? []) add(currency, 0n, minor);
  const some = [...all.values()].filter((one) => one.minor !== 0n || one.planned !== 0n);
  const paidIn = new Set(book?.currencies);
  const rank = (one: Balance) => (one.planned !== 0n ? 2 : Number(paidIn.has(currencyLabel(one.currency))));
  return (some.length === 0 ? [...all.values()] : some).sort((one, other) => rank(other) - rank(one));
}

function heldPart(balances: readonly Balance[], of: string): Html {
  const [first, others] = [balances.slice(0, BALANCES_AT_ONCE), balances.slice(BALANCES_AT_ONCE)];
  const columns = balanceColumns(balances.some(({ planned }) => planned !== 0n));
  // A phone has room for what is there and what is left.
  const look = { className: 'rows fit' };
  return html`${table(t`Table of the balances${of}`, columns, first, look)}
${others.length > 0 && html`<details><summary>More currencies (${others.length})</summary>${table(t`Other balances${of}`, columns, others, look)}</details>`}`;
}

function balanceColumns(isPlanned: boolean): readonly Column<Balance>[] {
  const columns: Column<Balance>[] = [
    [t`Currency`, ({ currency }) => currencyLabel(currency), 'head'],
    [t`Available`, ({ minor, currency }) => figure(minor, currency), 'number'],
  ];
  if (!isPlanned) return columns;
  return [
    ...columns,
    [t`To approve`, ({ planned, currency }) => figure(-planned, currency), 'number soft'],
    [t`After`, afterText, 'number'],
  ];
}

/** What would be left. An icon and a word mark a shortfall. */
function afterText({ minor, planned, currency }: Balance): Shown {
  const after = minor - planned;
  if (after >= 0n) return html`<b>${figure(after, currency)}</b>`;
  return html`<b class="short">${icon('warning')}<span class="hidden">short: </span>${figure(after, currency)}</b>`;
}

function figure(minor: bigint, { decimals }: Money['currency']): string {
  return grouped(formatMajor(minor, decimals)).replace('-', '−');
}

/** Null if nothing was spent. */
export async function spendPart(context: WebContext, book: PayeeBook): Promise<Html | null> {
  const spend = spendIn(context, book);
  if (spend.length === 0) return null;
  const entities = await entitiesIn(context, book);
  const before = spendBefore(context, book);
  const rows = spend.slice(0, SPEND_SHOWN).map((one) => {
    const { currency } = one;
    const name = spendName(one, entities);
    return html`<li><b>${name}</b>${spendChart(`overview-${name.replace(/\W+/g, '-')}`, one, name)}<span class="number strong">${figure(nowOf(one), currency)}</span><span class="number soft small">${changeOf(nowOf(one), sameIn(before, one))}</span></li>`;
  });
  const others = spend.length - SPEND_SHOWN;
  return html`<section class="stack" aria-labelledby="spend"><div class="head"><h2 id="spend">Spend by month</h2><a href="/reports/spend">Report</a></div>
<p class="soft small">${either(book.sumsRehearsals, 'Rehearsals of the', 'The')} last twelve months, each currency on its own scale. Amounts are for this month so far, compared with the same day last month.</p>
<ul class="spend">${rows}</ul>${others > 0 && html`<p class="soft small"><a href="/reports/spend">And ${counted(others, 'other')} in the report</a></p>`}</section>`;
}

function nowOf({ months }: CurrencySpend): bigint {
  return months.at(-1)?.minor ?? 0n;
}

function sameIn(spend: readonly CurrencySpend[], { entity, currency }: CurrencySpend): CurrencySpend | undefined {
  return spend.find((one) => one.entity === entity && currencyKey(one.currency) === currencyKey(currency));
}

/** `+6%` compared with the same day of last month; empty if nothing was spent then. */
function changeOf(now: bigint, before: CurrencySpend | undefined): string {
  const then = before === undefined ? 0n : nowOf(before);
  if (then <= 0n) return '';
  const percent = Math.round((Number(now - then) / Number(then)) * 100);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '';
  return `${sign}${grouped(String(Math.abs(percent)))}%`;
}

/** A scheduled start of a payment or a job. */
type Coming = { at: number; what: Html; note: string };

/** The next scheduled starts this person may see; null if there are none. */
export async function comingUpPart(web: Web, seen: Seen, runs: readonly SeenRun[]): Promise<Html | null> {
  const nowMs = web.deps.clock.wallMs();
  const scheduled = runs.filter(({ state, start }) => state === 'planned' && start !== null && start.at > nowMs);
  const approved = scheduled.length === 0 ? new Set<string>() : await web.waitingPlans.approved();
  const coming: Coming[] = scheduled.map(({ summary: { run_id: id, header }, start }) => ({
    at: start?.at ?? 0,
    what: html`<a href="/runs/${id}">${paymentName(header)}</a>${rowBadge(header.rehearsal)}`,
    note: approved.has(id) ? '' : t`if approved`,
  }));
  for (const job of web.deps.jobs()) {
    const next = seen.ofRun({ job: job.name, entity: job.entity }).sees === 'nothing' ? [] : job.nextTimes(nowMs, 1);
    for (const { due } of next) coming.push({ at: due, what: html`<a href="/jobs">${job.name}</a>`, note: t`job` });
  }
  if (coming.length === 0) return null;
  const rows = coming
    .sort((one, other) => one.at - other.at)
    .slice(0, COMING_SHOWN)
    .map(
      ({ at, what, note }) =>
        html`<li><span class="soft">${moment(at)}</span><span>${what} <span class="soft">${note}</span></span></li>`,
    );
  return html`<section class="stack" aria-labelledby="coming"><div class="head"><h2 id="coming">Coming up</h2><a href="/jobs">All schedules</a></div>
<ul class="coming">${rows}</ul></section>`;
}
