import { Hono } from 'hono';
import { type CurrencySpend, lastMonths, type MonthSpend, spendOf } from '../../app/history/spend.ts';
import type { PayeeBook } from '../../app/payees/payee-book.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import { isoUtc } from '../../domain/time.ts';
import { t, textTable } from '../../messages/translate.ts';
import type { FileColumn } from '../../report/table-file.ts';
import { WorkedOut } from '../once.ts';
import { onBook, readWords } from '../payees/payee-books.ts';
import { requireRole, SEEING } from '../require-role.ts';
import { barChart } from '../shell/chart.ts';
import { type Html, html } from '../shell/html.ts';
import { answer } from '../shell/layout.ts';
import { type Column, count, table } from '../shell/parts.ts';
import { FILE_KINDS, fileLinks, sendTable } from '../shell/table-files.ts';
import { minorText, periodText } from '../shell/words.ts';
import type { WebContext, WebEnv } from '../web.ts';

const MONTHS = 12;

const PAGE = textTable({ title: 'Spend', here: 'reports' }, ['here']);

/** What left the balance by month and currency. */
export function spendRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const sees = requireRole(...SEEING);
  app.get('/reports/spend', sees, onBook(PAGE, showSpend));
  for (const kind of FILE_KINDS) {
    const take = async (context: WebContext, book: PayeeBook) => {
      const rows = spendIn(context, book).flatMap(({ months }) => months.filter(({ payouts }) => payouts > 0));
      const columns = [
        ...SPEND_FILE,
        ...entityColumns(await entitiesIn(context, book), ({ entity }: MonthSpend) => entity),
      ];
      return sendTable(context, { name: 'spend-by-month', title: t`Spend by month`, columns, rows }, kind);
    };
    app.get(`/reports/spend.${kind}`, sees, onBook(PAGE, take));
  }
  return app;
}

/** The parts of the reports, as links. */
export function reportTabs(here: 'payouts' | 'spend'): Html {
  const tabs = [
    ['payouts', '/reports', t`Payouts`],
    ['spend', '/reports/spend', t`Spend by month`],
  ] as const;
  const links = tabs.map(
    ([name, path, label]) => html`<a href="${path}"${name === here && html` aria-current="page"`}>${label}</a>`,
  );
  return html`<nav class="tabs" aria-label="Reports">${links}</nav>`;
}

export type Entity = { id: string; name: string };

/** The entities that paid what is in the book; a page with one of them has nothing to choose. */
export async function entitiesIn({ var: { web } }: WebContext, { entities: paid }: PayeeBook): Promise<Entity[]> {
  if (paid.length < 2) return [];
  const names = new Map((await web.entities.list()).map(({ id, name }) => [id, name]));
  return Array.from(paid, (id) => ({ id, name: names.get(id) ?? id })).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
}

/** A column with the name of the entity, where there are several. */
export function entityColumns<Row>(entities: readonly Entity[], of: (row: Row) => string): FileColumn<Row>[] {
  if (entities.length === 0) return [];
  const names = new Map(entities.map(({ id, name }) => [id, name]));
  return [{ name: 'entity', kind: 'text', of: (row) => names.get(of(row)) ?? null }];
}

/** What it is the spend of: `GBP`, or `GBP, Northwind Ltd` where several entities paid. */
export function spendName({ entity, currency }: CurrencySpend, entities: readonly Entity[]): string {
  const named = entities.find(({ id }) => id === entity);
  return named === undefined ? currencyLabel(currency) : `${currencyLabel(currency)}, ${named.name}`;
}

const SPEND = new WorkedOut<PayeeBook, CurrencySpend[]>();
const BEFORE = new WorkedOut<PayeeBook, CurrencySpend[]>();
const MINUTE_MS = 60_000;

/** Of the last twelve months, by the calendar of UTC. */
export function spendIn({ var: { web } }: WebContext, book: PayeeBook): CurrencySpend[] {
  const months = lastMonths(MONTHS, monthOf(web.deps.clock.wallMs()));
  const { payouts, sumsRehearsals: rehearsals } = book;
  return SPEND.of(book, months.join(' '), () => spendOf(payouts, { months, monthOf, rehearsals }));
}

/** Spend of last month, up to the same day and minute as now. */
export function spendBefore({ var: { web } }: WebContext, book: PayeeBook): CurrencySpend[] {
  const minute = Math.floor(web.deps.clock.wallMs() / MINUTE_MS);
  return BEFORE.of(book, minute, () => spentBefore(book, minute * MINUTE_MS));
}

function spentBefore({ payouts, sumsRehearsals }: PayeeBook, nowMs: number): CurrencySpend[] {
  const [before = '', now = ''] = lastMonths(2, monthOf(nowMs));
  const [from, to] = [Date.parse(`${before}-01`), Date.parse(`${now}-01`)];
  const until = Math.min(from + (nowMs - to), to);
  const some = payouts.filter(({ finishedAt }) => finishedAt !== null && finishedAt >= from && finishedAt < until);
  return spendOf(some, { months: [before], monthOf, rehearsals: sumsRehearsals });
}

const MONTHS_OF_DAYS = new Map<number, string>();
const DAY_MS = 86_400_000;

/** Many payouts share a day, so the month of each day is formatted once. */
function monthOf(at: number): string {
  const day = Math.floor(at / DAY_MS);
  const month = MONTHS_OF_DAYS.get(day) ?? isoUtc(at).slice(0, 7);
  MONTHS_OF_DAYS.set(day, month);
  return month;
}

async function showSpend(context: WebContext, book: PayeeBook) {
  const spend = spendIn(context, book);
  const entities = await entitiesIn(context, book);
  const what = book.sumsRehearsals ? t`What rehearsals sent` : t`Debited`;
  const body = html`<div class="head"><h1>Reports</h1>${fileLinks('/reports/spend', {})}</div>
${reportTabs('spend')}
<p class="soft small crumbs">${what} in the last twelve months, by the month (UTC) in which payouts were completed, without fees. Each currency is on its own scale. ${readWords(book)}</p>
${spend.length === 0 ? html`<p class="empty">Nothing was completed in these months.</p>` : spend.map((one) => currencyPart(one, spendName(one, entities)))}`;
  return answer(context, { ...PAGE, body });
}

function currencyPart(spend: CurrencySpend, name: string): Html {
  const { months, currency } = spend;
  const sum = months.reduce((total, { minor }) => total + minor, 0n);
  const id = `spend-${name.replace(/\W+/g, '-')}`;
  const paid = months.filter(({ payouts }) => payouts > 0).toReversed();
  return html`<section class="stack spending" aria-labelledby="${id}"><div class="head"><h2 id="${id}">${name}</h2><p>Twelve months: <strong>${minorText(sum, currency)}</strong></p></div>
${spendChart(`${id}-chart`, spend, name)}
<p class="chart-ends soft small" aria-hidden="true"><span>${periodText(months[0]?.month ?? '')}</span><span>${periodText(months.at(-1)?.month ?? '')}</span></p>
${table(t`Spend in ${name}`, spendColumns(), paid)}</section>`;
}

/** One currency's months as bars, the present one last. `name` as `spendName` has it. */
export function spendChart(id: string, { currency, months }: CurrencySpend, name: string): Html {
  const bars = months.map(({ month, minor }) => {
    return { label: periodText(month), figure: minorText(minor, currency), value: minor };
  });
  return barChart(id, t`Spend by month in ${name}`, bars);
}

const spendColumns = (): readonly Column<MonthSpend>[] => [
  [t`Month`, ({ month }) => periodText(month), 'head'],
  [t`Payouts`, ({ payouts }) => count(payouts), 'number'],
  [t`Sent`, ({ minor, currency }) => minorText(minor, currency), 'number'],
  [t`Fees`, ({ feesMinor, currency }) => minorText(feesMinor, currency), 'number'],
];

const major = (minor: bigint, { currency }: MonthSpend) => formatMajor(minor, currency.decimals);

const SPEND_FILE: readonly FileColumn<MonthSpend>[] = [
  { name: 'month', kind: 'text', of: ({ month }) => month },
  { name: 'currency', kind: 'text', of: ({ currency }) => currencyLabel(currency) },
  { name: 'payouts', kind: 'count', of: ({ payouts }) => payouts },
  { name: 'sent', kind: 'amount', of: (spend) => major(spend.minor, spend) },
  { name: 'fees', kind: 'amount', of: (spend) => major(spend.feesMinor, spend) },
];
