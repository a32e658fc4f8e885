import type { Differences } from '../../app/compare/differences.ts';
import { shownDay } from '../../messages/local-time.ts';
import { grouped } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, count, runLink, table } from '../shell/parts.ts';
import { listPath } from './plan-parts.ts';
import type { PlanExtras } from './plan-view.ts';

type Compared = NonNullable<PlanExtras['compared']>;

/** So many of each list stand on the page itself. */
const NAMED = 20;

/** How a plan differs from the last payment of its kind: the same job, or a file with the same header. */
export function comparedCounts({
  compared,
  differences,
  counts: found,
}: Pick<PlanExtras, 'compared' | 'differences' | 'counts'>): Html | null {
  if (compared === null) return null;
  const { run_id, started_at, payees_new, payees_missing, amounts_changed } = compared;
  const counts: readonly (readonly [words: string, count: number | null])[] = [
    [t`New`, differences?.added.count ?? payees_new],
    [t`Missing`, differences?.missing.count ?? payees_missing],
    [t`Pay changed`, differences?.pay.count ?? amounts_changed],
    [t`Bank details changed`, differences?.accounts.count ?? found.account_changed ?? 0],
  ];
  const shown = counts.flatMap(([words, number], at) => {
    if (number === null) return [];
    const isGrave = at === counts.length - 1 && number > 0;
    return html`<dt>${words}</dt><dd class="${isGrave ? 'care' : ''}">${count(number)}</dd>`;
  });
  return html`<section aria-labelledby="compared"><h2 id="compared">Compared with the last payment of its kind</h2>
<p class="soft small">${runLink(run_id)} of ${shownDay(Date.parse(started_at))}</p>
<dl class="kv">${shown}</dl></section>`;
}

/** The payees that differ, and both totals; null if there is nothing to compare with. */
export function comparedPart(runId: string, { compared, differences }: PlanExtras): Html | null {
  if (compared === null) return null;
  const thenAndNow = table<Compared['totals'][number]>(
    t`Totals then and now`,
    [
      [t`Currency`, ({ currency }) => currency, 'head'],
      [t`Then`, ({ before }) => grouped(before), 'number'],
      [t`Now`, ({ now }) => grouped(now), 'number'],
    ],
    compared.totals,
    { frame: 'scroll', className: 'short' },
  );
  return html`<section class="stack" aria-labelledby="differs"><h2 id="differs">Different from last time</h2>
${differences && listsOf(differences).map((each) => folded(runId, each))}
${thenAndNow}</section>`;
}

/** One of the lists, with all that are named; null where there is no such list, or nobody is on it. */
export function comparedList({ differences = null }: Partial<PlanExtras>, name: string): Html | null {
  const list = differences && listsOf(differences).find((each) => each.name === name);
  if (!list || list.all === 0) return null;
  return html`<section class="card" aria-labelledby="list"><h2 id="list">${list.title}: ${count(list.all)}</h2>
${list.table(list.named)}${moreText(list.all - list.named)}</section>`;
}

/** `table` shows the first of those that are named. */
type List = { name: string; title: string; all: number; named: number; table(first: number): Html };

function listsOf({ added, missing, pay, accounts }: Differences): List[] {
  return [
    listOf('compared_accounts', t`Bank details changed`, accounts, [
      [t`Paid to before`, ({ before }) => before],
      [t`Now`, ({ now }) => now],
    ]),
    listOf('compared_pay', t`Pay changed`, pay, [
      [t`Before`, ({ before }) => before, 'number'],
      [t`Now`, ({ now }) => now, 'number'],
    ]),
    listOf('compared_new', t`New`, added, [[t`Now`, ({ now }) => now, 'number']]),
    listOf('compared_missing', t`Missing`, missing, []),
  ];
}

function listOf<Of extends { payee: string }>(
  name: string,
  title: string,
  { count: all, named }: { count: number; named: readonly Of[] },
  columns: readonly Column<Of>[],
): List {
  const allColumns: Column<Of>[] = [[t`Recipient`, ({ payee }) => payee, 'head'], ...columns];
  return { name, title, all, named: named.length, table: (first) => table(title, allColumns, named.slice(0, first)) };
}

/** Who reads them opens one. */
function folded(runId: string, { name, title, all, named, table: tableOf }: List): Html | null {
  if (all === 0) return null;
  const more = named - NAMED;
  const link = html`<p><a href="${listPath(runId, { list: name, page: 1 })}">${count(more)} more</a></p>`;
  return html`<details><summary>${title}: ${count(all)}</summary>
${tableOf(NAMED)}
${more > 0 ? link : moreText(all - named)}</details>`;
}

function moreText(more: number): Html | null {
  return more > 0 ? html`<p class="soft">and ${count(more)} more</p>` : null;
}
