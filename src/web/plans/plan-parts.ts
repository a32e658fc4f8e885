import type { ShownCheck } from '../../app/check/check-result.ts';
import type { PlanBalance } from '../../app/plan/plan-result.ts';
import { currencyLabel } from '../../domain/currencies.ts';
import { formatMajor } from '../../domain/money.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { shownDay } from '../../messages/local-time.ts';
import { counted, grouped, number } from '../../messages/text.ts';
import { t } from '../../messages/translate.ts';
import { type Html, html } from '../shell/html.ts';
import { signed } from '../shell/money.ts';
import { type Column, facts, runLink, table } from '../shell/parts.ts';
import { minorText } from '../shell/words.ts';
import { PAID_BEFORE } from './paid-before.ts';
import type { PlanExtras } from './plan-view.ts';
import type { ApproverWarning } from './standing.ts';

/** What proves that a plan is the one that was approved, folded: people look at it where something is doubtful. */
export function verificationPart({ header }: Pick<RunState, 'header'>): Html {
  const proofs = [
    [t`Payment`, header?.run_id],
    [t`SHA-256 of the file`, header?.input.file_sha256 ?? header?.input.sha256],
    [t`SHA-256 of the file with its changes`, header?.input.file_sha256 === undefined ? null : header.input.sha256],
    [t`Digest of the plan`, header?.digest],
  ] as const;
  return html`<details><summary>Verification</summary>${facts(proofs, 'id')}</details>`;
}

/** What is never paid comes behind everything that is. */
export const EXAMPLE_ROW = 'example_row';

/** Who made a plan: the name of a person, or an account where it was made by command without a key. */
export function preparerName(facts: Pick<PlanFacts, 'approval'> | null): string {
  return facts?.approval?.preparer ?? t`someone, by command`;
}

/**
 * A line of the money that is paid: a currency that is received; or (`total` is null) one that is only sent, or was received only
 * last time. `before`: the total of the last payment of its kind, a plain decimal; null where there is none.
 */
type MoneyLine = { label: string; total: PlanFacts['totals'][number] | null; before: string | null };

/** Payouts, costs, balances, conversions and last payment's totals per currency. `head` replaces the title, and has the ID `money`. */
export function moneyPart(
  { plan }: RunState,
  { balances, compared }: PlanExtras,
  head: Html | null = null,
): Html | null {
  if (plan === null) return null;
  const last = new Map(compared?.totals.map(({ currency, before }) => [currency, before]));
  const received = plan.totals.map((total) => ({ label: currencyLabel(total.currency), total }));
  const known = new Set(received.map(({ label }) => label));
  const others = [...last.keys(), ...balances.map(({ currency }) => currency)].filter((label) => !known.has(label));
  const lines = [...received, ...Array.from(new Set(others), (label) => ({ label, total: null }))].map(
    (line): MoneyLine => ({ ...line, before: last.get(line.label) ?? null }),
  );
  const columns: Column<MoneyLine>[] = [
    [t`Currency`, ({ label }) => label, 'head'],
    [t`Payouts`, ({ total }) => total && number(total.payouts), 'number'],
    [t`Total`, (line) => line.total && html`<span class="final">${major('planned_minor', line)}</span>`, 'number'],
    ...(compared === null ? [] : lastColumns(compared.started_at)),
    [t`Fees`, (line) => line.total && (major('fees_minor', line) ?? t`unknown`), 'number soft'],
    ...(balances.length === 0 ? [] : [afterColumn(balances)]),
  ];
  const pairs = plan.conversions?.pairs.map(
    ({ source, currency, payouts, planned_minor, sent_minor, fees_minor }) =>
      html`<li>${counted(payouts, 'payout')} of ${minorText(planned_minor, currency)} from ${minorText(sent_minor, source)}${fees_minor !== null && t`, fees ${minorText(fees_minor, source)}`}</li>`,
  );
  return html`<section class="${head === null ? 'titled' : 'totals'}" aria-labelledby="money">${head ?? html`<div class="part-head"><h2 id="money">Totals by currency</h2></div>`}
${table(t`Payouts, fees and balances per currency`, columns, lines, { frame: 'scroll', className: 'rows money' })}
${balances.length > 0 && html`<p class="soft small">Balances as of planning.</p>`}
${pairs && html`<h3>From other currencies</h3><ul class="entries">${pairs}</ul>`}</section>`;
}

function major(what: 'planned_minor' | 'fees_minor', { total }: MoneyLine): string | null {
  const minor = total?.[what] ?? null;
  return minor === null ? null : grouped(formatMajor(BigInt(minor), total?.currency.decimals ?? 0));
}

/** What the last payment of its kind came to, and how much more or less that is now. */
function lastColumns(startedAt: string): Column<MoneyLine>[] {
  return [
    [shownDay(Date.parse(startedAt)), ({ before }) => before && grouped(before), 'number soft'],
    [t`Difference`, (line) => differenceText(line), 'number'],
  ];
}

function differenceText({ total, before }: MoneyLine): string | null {
  if (before === null) return null;
  const decimals = before.split('.')[1]?.length ?? 0;
  const by = BigInt(total?.planned_minor ?? 0) - BigInt(before.replace('.', ''));
  return signed(grouped(formatMajor(by, decimals)));
}

function afterColumn(balances: readonly PlanBalance[]): Column<MoneyLine> {
  const held = new Map(balances.map((balance) => [balance.currency, balance]));
  return [t`Balance after`, ({ label }) => afterText(held.get(label)), 'number'];
}

function afterText(balance: PlanBalance | undefined): Html | string | null {
  if (balance === undefined) return null;
  const { after, short } = balance;
  return after === null ? html`<strong class="bad">${grouped(short)} short</strong>` : grouped(after);
}

/** What to know of the approvers: who could be in the hand of the person who made the plan, and in red who was reset. */
export function approversPart(warnings: readonly ApproverWarning[]): Html | null {
  if (warnings.length === 0) return null;
  const isReset = warnings.some((warning) => warning.isReset);
  const ask = warnings.some((warning) => warning.isReset && !warning.isViewer);
  return html`<div class="notice ${isReset ? 'wrong' : 'care'}">${warnings.map(({ words }) => html`<p>${words}</p>`)}
${ask && html`<p>Check with each approver that they are the one approving.</p>`}</div>`;
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
