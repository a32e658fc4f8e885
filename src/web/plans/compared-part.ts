import type { Differences } from '../../app/compare/differences.ts';
import { localDay } from '../../messages/local-time.ts';
import { grouped } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { type Column, count, runLink, table } from '../shell/parts.ts';
import type { PlanExtras } from './plan-view.ts';

type Compared = NonNullable<PlanExtras['compared']>;

/** A plan beside the last payment of its kind: of its job, or of a file with the same header. Counts first, then who. */
export function comparedPart({ compared, differences }: PlanExtras): Html | null {
  if (compared === null) return null;
  const { run_id, started_at, payees_new, payees_missing, amounts_changed, totals } = compared;
  const thenAndNow = table<Compared['totals'][number]>(
    t`Totals then and now`,
    [
      [t`Currency`, ({ currency }) => currency, 'head'],
      [t`Then`, ({ before }) => grouped(before), 'number'],
      [t`Now`, ({ now }) => grouped(now), 'number'],
    ],
    totals,
    { frame: 'scroll', className: 'short' },
  );
  const counts: readonly (readonly [words: string, count: number | null])[] = [
    [t`Bank details changed`, differences?.accounts.count ?? null],
    [t`Pay changed`, differences?.pay.count ?? amounts_changed],
    [t`New`, differences?.added.count ?? payees_new],
    [t`Missing`, differences?.missing.count ?? payees_missing],
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
    list(t`Bank details changed`, accounts, [
      [t`Paid to before`, ({ before }) => before],
      [t`Now`, ({ now }) => now],
    ]),
    list(t`Pay changed`, pay, [
      [t`Before`, ({ before }) => before, 'number'],
      [t`Now`, ({ now }) => now, 'number'],
    ]),
    list(t`New`, added, [[t`Now`, ({ now }) => now, 'number']]),
    list(t`Missing`, missing, []),
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
${table(title, [[t`Recipient`, ({ payee }) => payee, 'head'], ...columns], named)}
${more > 0 && html`<p class="soft">and ${count(more)} more</p>`}</details>`;
}
