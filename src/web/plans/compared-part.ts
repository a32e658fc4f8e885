import type { Differences, PayDifference } from '../../app/compare/differences.ts';
import { shownDay } from '../../messages/local-time.ts';
import { t, textTable } from '../../messages/translate.ts';
import { shortAccount } from '../shell/account.ts';
import { type Html, html } from '../shell/html.ts';
import { differenceMoney, plainMoney } from '../shell/money.ts';
import { type Column, count, table } from '../shell/parts.ts';
import { paymentLink } from './payment-link.ts';
import type { PlanExtras } from './plan-view.ts';
import { listPath } from './warnings-part.ts';

/** So many of each list stand on the page itself. */
const NAMED = 10;

/** How a plan differs from the last payment of its kind: the same job, or a file with the same header. */
export function comparedCounts({
  compared,
  differences,
  counts: found,
  names,
}: Pick<PlanExtras, 'compared' | 'differences' | 'counts'> & Partial<Pick<PlanExtras, 'names'>>): Html | null {
  if (compared === null) return null;
  const { run_id, started_at, payees_new, payees_missing, amounts_changed } = compared;
  const counts: readonly (readonly [words: string, count: number | null])[] = [
    [t`New`, differences?.added.count ?? payees_new],
    [t`Missing`, differences?.missing.count ?? payees_missing],
    [t`Pay changed`, differences?.pay.count ?? amounts_changed],
    [t`Account details changed`, differences?.accounts.count ?? found.account_changed ?? 0],
  ];
  const shown = counts.flatMap(([words, number], at) => {
    if (number === null) return [];
    const isGrave = at === counts.length - 1 && number > 0;
    return html`<dt>${words}</dt><dd class="${isGrave ? 'care' : ''}">${count(number)}</dd>`;
  });
  return html`<section aria-labelledby="compared"><h2 id="compared">Compared with last time</h2>
<p class="soft small">${paymentLink(run_id, names)}, ${shownDay(Date.parse(started_at))}</p>
<dl class="kv">${shown}</dl></section>`;
}

/** Who is new, gets something else, or nothing, than in the last payment of its kind; null where nobody differs. */
export function comparedPart(runId: string, { compared, differences, names }: PlanExtras): Html | null {
  if (compared === null || differences === null) return null;
  const lists = listsOf(differences).filter(({ name, all }) => name !== ACCOUNTS && all > 0);
  const all = lists.reduce((sum, list) => sum + list.all, 0);
  const rows = lists.flatMap(({ pays, change }) => pays.slice(0, NAMED).map((pay) => ({ ...pay, change })));
  const more = lists.flatMap(({ name, title, all: of }) =>
    of <= NAMED
      ? []
      : html`<a href="${listPath(runId, { list: name, page: 1 })}">${count(of - NAMED)} more: ${title}</a>`,
  );
  const { same } = differences;
  const last = html`${shownDay(Date.parse(compared.started_at))}, ${paymentLink(compared.run_id, names)}`;
  return html`<section class="titled" aria-labelledby="differs"><div class="part-head"><h2 id="differs">Different from last time <span class="tag">${count(all)}</span></h2><span class="soft small">${last}${same > 0 && html` · ${count(same)} are the same`}</span></div>
${rows.length > 0 && table(t`Payouts that differ`, payColumns(compared.started_at), rows, { className: 'rows checks' })}
${more.length > 0 && html`<p class="row">${more}</p>`}</section>`;
}

type Change = 'added' | 'pay' | 'missing';

/** As status pills; the class gives the shape. */
const CHANGES = textTable(
  {
    added: { label: 'New', look: 'added' },
    pay: { label: 'Pay changed', look: 'edited' },
    missing: { label: 'Missing', look: 'missing' },
  },
  ['look'],
) satisfies Record<Change, { label: string; look: string }>;

type PayRow = PayDifference & { change: Change };

function payColumns(startedAt: string): Column<PayRow>[] {
  return [
    [t`Recipient`, payeeCell, 'head'],
    [t`Change`, ({ change }) => html`<span class="status ${CHANGES[change].look}">${CHANGES[change].label}</span>`],
    [shownDay(Date.parse(startedAt)), ({ before }) => (before === null ? '–' : plainMoney(before)), 'number soft'],
    [t`Now`, ({ now }) => (now === null ? '–' : plainMoney(now)), 'number soft'],
    [t`Difference`, ({ by }) => differenceMoney(by), 'number'],
  ];
}

function payeeCell({ payee: { name, payee_id } }: Pick<PayDifference, 'payee'>): Html {
  return html`<span>${name}</span>${payee_id && html` <span class="soft small">${payee_id}</span>`}`;
}

/** One of the lists, with all that are named; null where there is no such list, or nobody is on it. */
export function comparedList({ compared = null, differences = null }: Partial<PlanExtras>, name: string): Html | null {
  const list = differences && listsOf(differences).find((each) => each.name === name);
  if (!list || list.all === 0) return null;
  const { title, all, pays, change, accounts } = list;
  const rows = pays.map((pay) => ({ ...pay, change }));
  const body =
    name === ACCOUNTS
      ? table(title, ACCOUNT_COLUMNS(), accounts, { className: 'rows checks' })
      : table(title, payColumns(compared?.started_at ?? ''), rows, { className: 'rows checks' });
  const left = all - Math.max(pays.length, accounts.length);
  return html`<section class="titled" aria-labelledby="list"><div class="part-head"><h2 id="list">${title} <span class="tag">${count(all)}</span></h2></div>
${body}${left > 0 && html`<p class="soft">and ${count(left)} more</p>`}</section>`;
}

const ACCOUNT_COLUMNS = (): Column<Differences['accounts']['named'][number]>[] => [
  [t`Recipient`, payeeCell, 'head'],
  [t`Paid to before`, ({ before }) => shortAccount(before)],
  [t`Now`, ({ now }) => shortAccount(now)],
];

/** In the address of its page. */
const ACCOUNTS = 'compared_accounts';

type List = {
  name: string;
  title: string;
  all: number;
  change: Change;
  pays: readonly PayDifference[];
  accounts: Differences['accounts']['named'];
};

function listsOf({ added, missing, pay, accounts }: Differences): List[] {
  const of = (name: string, change: Change, { count: all, named }: Differences['pay']): List => ({
    ...{ name, title: CHANGES[change].label, all, change, pays: named, accounts: [] },
  });
  return [
    of('compared_new', 'added', added),
    of('compared_pay', 'pay', pay),
    of('compared_missing', 'missing', missing),
    {
      ...{ name: ACCOUNTS, title: t`Account details changed`, all: accounts.count },
      ...{ change: 'pay', pays: [], accounts: accounts.named },
    },
  ];
}
