import type { Differences } from '../../app/compare/differences.ts';
import { groupThousands } from '../../domain/money.ts';
import { localDay } from '../../messages/local-time.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, count, runLink, table } from '../shell/parts.ts';
import type { PlanExtras } from './plan-view.ts';

type Compared = NonNullable<PlanExtras['compared']>;

/** A plan beside the last payment of its kind: of its job, or of a file with the same header. Counts first, then who. */
export function comparedPart({ compared, differences }: PlanExtras): Html | null {
  if (compared === null) return null;
  const { run_id, started_at, payees_new, payees_missing, amounts_changed, totals } = compared;
  const thenAndNow = table<Compared['totals'][number]>(
    'Totals then and now',
    [
      ['Currency', ({ currency }) => currency, 'head'],
      ['Then', ({ before }) => groupThousands(before), 'number'],
      ['Now', ({ now }) => groupThousands(now), 'number'],
    ],
    totals,
    { frame: 'scroll', className: 'short' },
  );
  const counts: readonly (readonly [words: string, count: number | null])[] = [
    ['Bank details changed', differences?.accounts.count ?? null],
    ['Pay changed', differences?.pay.count ?? amounts_changed],
    ['New', differences?.added.count ?? payees_new],
    ['Missing', differences?.missing.count ?? payees_missing],
  ];
  const shown = counts.flatMap(([words, number], at) => {
    if (number === null) return [];
    return html`<div><dt>${words}</dt><dd${at === 0 && number > 0 && html` class="care"`}>${count(number)}</dd></div>`;
  });
  return html`<section class="card" aria-labelledby="compared"><h2 id="compared">Compared with the last payment of its kind</h2>
<p class="soft">${runLink(run_id)} of ${localDay(Date.parse(started_at))}</p>
<dl class="counts">${shown}</dl>
${differences && lists(differences)}
${thenAndNow}</section>`;
}

function lists({ added, missing, pay, accounts }: Differences): (Html | null)[] {
  return [
    list('Bank details changed', accounts, [
      ['Paid to before', ({ before }) => before],
      ['Now', ({ now }) => now],
    ]),
    list('Pay changed', pay, [
      ['Before', ({ before }) => before, 'number'],
      ['Now', ({ now }) => now, 'number'],
    ]),
    list('New', added, [['Now', ({ now }) => now, 'number']]),
    list('Missing', missing, []),
  ];
}

/** Folded: who reads them opens one. */
function list<Of extends { payee: string }>(
  title: string,
  { count: all, named }: { count: number; named: readonly Of[] },
  columns: readonly Column<Of>[],
): Html | null {
  if (all === 0) return null;
  const more = all - named.length;
  return html`<details><summary>${title}: ${count(all)}</summary>
${table(title, [['Recipient', ({ payee }) => payee, 'head'], ...columns], named)}
${more > 0 && html`<p class="soft">and ${count(more)} more</p>`}</details>`;
}
