import type { ShownCheck } from '../../app/check/check-result.ts';
import type { PlanBalance } from '../../app/plan/plan-result.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { counted, grouped, number } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { type Html, html, type Shown } from '../shell/html.ts';
import { type Column, facts, pageOf, pager, pathWith, runLink, table } from '../shell/parts.ts';
import { minorText } from '../shell/words.ts';
import { PAID_BEFORE } from './paid-before.ts';
import type { PlanExtras, ShownWarning } from './plan-view.ts';
import type { ApproverWarning } from './standing.ts';

/** Kinds of warnings, the most important first; what has no words here comes last. */
const KINDS: readonly (readonly [code: string, words: (count: string) => string, isGrave: boolean])[] = [
  ['payee_on_hold', (count) => t`On hold, left out: ${count}`, true],
  ['paid_before', (count) => t`Paid before: ${count}`, true],
  ['account_changed', (count) => t`Bank details changed: ${count}`, true],
  ['cooling_off', (count) => t`To be approved one by one: ${count} to new or changed accounts`, true],
  ['possible_duplicate', (count) => t`Possible duplicates in the file: ${count}`, true],
  ['unknown_payment', (count) => t`At the service but not in this journal: ${count}`, true],
  ['balance_short', () => t`The balance is short`, true],
  ['payee_first_time', (count) => t`New payees: ${count}`, false],
  ['account_first_time', (count) => t`Known payees on new accounts: ${count}`, false],
  ['amount_changed', (count) => t`Amount changed since last time: ${count}`, false],
  ['payee_missing', () => t`Not paid this time`, false],
];

/** What proves that a plan is the one that was approved, folded: people look at it where something is doubtful. */
export function verificationPart({ header }: Pick<RunState, 'header'>): Html {
  const proofs = [
    [t`SHA-256 of the file`, header?.input.file_sha256 ?? header?.input.sha256],
    [t`SHA-256 of the file with its changes`, header?.input.file_sha256 === undefined ? null : header.input.sha256],
    [t`Digest of the plan`, header?.digest],
  ] as const;
  return html`<details><summary>Verification</summary>${facts(proofs, 'id')}</details>`;
}

/** What is never paid comes behind everything that is. */
export const EXAMPLE_ROW = 'example_row';

/** More of one kind are in a list that is opened; of more than these in all, each kind has pages of its own. */
const SHOWN_AT_ONCE = 5;
const FOLDED_MAX = 50;
const OF_A_PAGE = 100;

/** In the address of its pages, the kind of what has no words here. */
const OTHER_KINDS = 'other';

/** Who made a plan: the name of a person, or an account where it was made by command without a key. */
export function preparerName(facts: Pick<PlanFacts, 'approval'> | null): string {
  return facts?.approval?.preparer ?? t`someone, by command`;
}

type WarningsShown = Pick<PlanExtras, 'warnings' | 'counts' | 'isKnown'>;

/** What is to be looked at before anybody approves: who is paid once more, then changed bank details. */
export function warningsPart({ header }: Pick<RunState, 'header'>, extras: WarningsShown): Html {
  const repeats = header?.repeats ?? null;
  const repeated =
    repeats !== null &&
    html`<div class="card grave" role="alert"><h3>It pays everyone in ${runLink(repeats)} again</h3>
<p>The preparer confirmed this. Approve it only if you know that all of them should be paid again.</p></div>`;
  return html`${repeated}${lookPart(header?.run_id ?? '', extras, repeats === null)}`;
}

function lookPart(runId: string, { warnings, counts, isKnown }: WarningsShown, isFirst: boolean): Html | null {
  if (!isKnown)
    return html`<p class="notice care" role="alert">It could not be compared with earlier payments, so changed bank details would not show here. Reload the page before you approve.</p>`;
  if (warnings.length === 0 && !isFirst) return null;
  if (warnings.length === 0) return html`<p class="notice done">No changed bank details and no repeated payments.</p>`;
  const isFolded = warnings.length <= FOLDED_MAX;
  const parts = kindsOf({ warnings, counts }).map((kind) => {
    const [first, rest] = [kind.found.slice(0, SHOWN_AT_ONCE), kind.found.slice(SHOWN_AT_ONCE)];
    if (rest.length === 0) return kindPart(kind, first);
    const more = t`${number(rest.length)} more`;
    if (!isFolded)
      return kindPart(kind, first, html`<p><a href="${listPath(runId, { list: kind.code, page: 1 })}">${more}</a></p>`);
    const folded = html`<details><summary>${more}</summary><ul class="points">${rest.map(itemOf(kind))}</ul></details>`;
    return kindPart(kind, first, folded);
  });
  return html`<section class="stack" aria-labelledby="look"><h2 id="look">Warnings</h2>
${parts}</section>`;
}

/** The address of a list that is too long for the page of a payment. */
export function listPath(runId: string, asked: { list: string; page: number }): string {
  return pathWith(`/runs/${runId}/warnings`, asked);
}

/** A page of the warnings of one kind; null where there are none of it. */
export function warningsOfKind(
  runId: string,
  extras: WarningsShown,
  asked: { list: string; page: number },
): Html | null {
  const kind = kindsOf(extras).find(({ code }) => code === asked.list);
  if (kind === undefined) return null;
  const { shown, ...pages } = pageOf(kind.found, asked.page, OF_A_PAGE);
  const left = (extras.counts[kind.code] ?? 0) - kind.found.length;
  const isLast = pages.page === pages.pages;
  return html`${kindPart(kind, shown, isLast && left > 0 && html`<p class="soft">and ${number(left)} more</p>`)}
${pager(t`Pages of warnings`, pages, (page) => listPath(runId, { ...asked, page }))}`;
}

type Kind = { code: string; title: string; isGrave: boolean; found: readonly ShownWarning[] };

/** The kinds of warnings that there are, the most important first. */
function kindsOf({ warnings, counts }: Pick<WarningsShown, 'warnings' | 'counts'>): Kind[] {
  const by = Map.groupBy(warnings, ({ code }) => code);
  const kinds = KINDS.flatMap(([code, words, isGrave]): Kind[] => {
    const found = by.get(code);
    by.delete(code);
    if (found === undefined) return [];
    const title = words(String(counted(Math.max(counts[code] ?? 0, found.length), 'payout')));
    return [{ code, title, isGrave, found }];
  });
  const examples = by.get(EXAMPLE_ROW) ?? [];
  by.delete(EXAMPLE_ROW);
  const found = [...by.values(), examples].flat();
  if (found.length === 0) return kinds;
  return [
    ...kinds,
    { code: OTHER_KINDS, title: t`About the file: ${counted(found.length, 'note')}`, isGrave: false, found },
  ];
}

function kindPart(kind: Kind, shown: readonly ShownWarning[], more: Shown = null): Html {
  const { title, isGrave } = kind;
  const remedy = remedyOf(kind);
  return html`<div class="card ${isGrave && 'grave'}"><h3>${title}</h3>
<ul class="points">${shown.map(itemOf(kind))}</ul>
${more}
${remedy && html`<p class="soft">${remedy}</p>`}</div>`;
}

/** What all of a kind have in common is said once; null where they differ. */
function remedyOf({ found }: Kind): string | null {
  const [first] = found;
  return first !== undefined && found.every(({ remedy }) => remedy === first.remedy) ? first.remedy : null;
}

function itemOf(kind: Kind): (warning: ShownWarning) => Html {
  const isOneRemedy = remedyOf(kind) !== null;
  return ({ message, remedy, row }) =>
    html`<li>${row !== null && html`<span class="soft">Row ${row}.</span> `}${message}${!isOneRemedy && html` <span class="soft">${remedy}</span>`}</li>`;
}

/** A line of the money that is paid: a currency that is received, or one that is only sent (`total` is null). */
type MoneyLine = { label: string; total: PlanFacts['totals'][number] | null };

/** Payouts, costs, balances and conversions per currency. `head` replaces the title, and has the ID `money`. */
export function moneyPart({ plan }: RunState, { balances }: PlanExtras, head: Html | null = null): Html | null {
  if (plan === null) return null;
  const received = plan.totals.map((total) => ({ label: currencyLabel(total.currency), total }));
  const known = new Set(received.map(({ label }) => label));
  const sentOnly = balances.flatMap(({ currency }) => (known.has(currency) ? [] : [{ label: currency, total: null }]));
  const major = (minor: string, { total }: MoneyLine) =>
    grouped(formatMajor(BigInt(minor), total?.currency.decimals ?? 0));
  const columns: Column<MoneyLine>[] = [
    [t`Currency`, ({ label }) => label, 'head'],
    [t`Payouts`, ({ total }) => total && number(total.payouts), 'number'],
    [
      t`Total`,
      (line) => line.total && html`<span class="final">${major(line.total.planned_minor, line)}</span>`,
      'number',
    ],
    [
      t`Fees`,
      (line) => line.total && (line.total.fees_minor === null ? 'unknown' : major(line.total.fees_minor, line)),
      'number',
    ],
  ];
  if (balances.length > 0) columns.push(...balanceColumns(balances));
  const pairs = plan.conversions?.pairs.map(
    ({ source, currency, payouts, planned_minor, sent_minor, fees_minor }) =>
      html`<li>${counted(payouts, 'payout')} of ${minorText(planned_minor, currency)} from ${minorText(sent_minor, source)}${fees_minor !== null && t`, fees ${minorText(fees_minor, source)}`}</li>`,
  );
  return html`<section class="${head === null ? 'stack' : 'totals'}" aria-labelledby="money">${head ?? html`<h2 id="money">Totals by currency</h2>`}
${table(t`Payouts, fees and balances per currency`, columns, [...received, ...sentOnly], { frame: 'scroll', className: 'rows money' })}
${balances.length > 0 && html`<p class="soft small">Balances as of planning.</p>`}
${pairs && html`<h3>From other currencies</h3><ul class="entries">${pairs}</ul>`}</section>`;
}

function balanceColumns(balances: readonly PlanBalance[]): Column<MoneyLine>[] {
  const held = new Map(balances.map((balance) => [balance.currency, balance]));
  return [
    [t`Balance`, ({ label }) => grouped(held.get(label)?.before ?? ''), 'number'],
    [t`Balance after`, ({ label }) => afterText(held.get(label)), 'number'],
  ];
}

function afterText(balance: PlanBalance | undefined): Html | string | null {
  if (balance === undefined) return null;
  const { after, short } = balance;
  return after === null ? html`<strong class="bad">${grouped(short)} short</strong>` : grouped(after);
}

/** What to know of the approvers: who could be in the hand of the person who made the plan, and in red who was reset. */
export function approversPart(warnings: readonly ApproverWarning[]): Html | null {
  if (warnings.length === 0) return null;
  const others = warnings.some(({ isViewer }) => !isViewer);
  const isReset = warnings.some((warning) => warning.isReset);
  const ask = isReset ? t`it is the approver who approves: ask them.` : t`it was the approver who opened it: ask them.`;
  return html`<div class="notice ${isReset ? 'wrong' : 'care'}">${warnings.map(({ words }) => html`<p>${words}</p>`)}
<p>${others ? t`Make sure that ${ask}` : t`Approve it only after you have checked it yourself.`}</p></div>`;
}

/** In front of everything: what of the file was paid already, and by which runs. */
export function paidBeforePart({ problems }: Pick<ShownCheck, 'problems'>): Html | null {
  const found = problems.filter(({ code }) => code === PAID_BEFORE);
  if (found.length === 0) return null;
  const remedy = found.findLast((one) => one.remedy !== '')?.remedy;
  return html`<div class="card grave" role="alert"><h2>Paid before</h2>
${found.map(({ message }) => html`<p>${linkedRuns(message)}</p>`)}
<p class="soft">${remedy}</p></div>`;
}

/** A text with a link at each run that it names. */
export function linkedRuns(text: string): Html {
  const parts = text.split(/\b(R\d{8}-[0-9A-Z]{8})\b/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : runLink(part)))}`;
}
