import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import { formatMajor, groupThousands } from '../../domain/money.ts';
import type { PlanFacts } from '../../domain/plan.ts';

/** `46,479.35 AUD`. */
export function minorText(minor: string | bigint, currency: Currency): string {
  return `${groupThousands(formatMajor(BigInt(minor), currency.decimals))} ${currencyLabel(currency)}`;
}

/** Each total as an approver types it, and as a passkey signs it: `46479.35 AUD`. */
export function totalTexts({ totals }: Pick<PlanFacts, 'totals'>): string[] {
  return totals.map(
    ({ currency, planned_minor }) =>
      `${formatMajor(BigInt(planned_minor), currency.decimals)} ${currencyLabel(currency)}`,
  );
}

const GROUPED = /^\d{1,3}(,\d{3})+(?=[. ]|$)/;

/** Whether somebody typed the total of the first currency. Blanks, groups and a currency left out make no other amount. */
export function isFirstTotal(typed: string, facts: Pick<PlanFacts, 'totals'>): boolean {
  const plain = typed.trim().replace(/\s+/g, ' ');
  const [first] = totalTexts(facts);
  const ungrouped = plain.replace(GROUPED, (grouped) => grouped.replaceAll(',', ''));
  return first !== undefined && (ungrouped === first || ungrouped === first.split(' ')[0]);
}

/** The total of the first currency as the page shows it: `46,479.35 AUD`. */
export function shownFirstTotal({ totals }: Pick<PlanFacts, 'totals'>): string {
  const [first] = totals;
  return first === undefined ? '' : minorText(first.planned_minor, first.currency);
}

/** Each total as people read it: `46,479.35 AUD`. */
export function shownTotals({ plan }: { plan: Pick<PlanFacts, 'totals'> | null }): string[] {
  return plan?.totals.map(({ planned_minor, currency }) => minorText(planned_minor, currency)) ?? [];
}

/** Who made a plan: the name of a person, or an account where it was made by command without a key. */
export function preparerName(facts: Pick<PlanFacts, 'approval'> | null): string {
  return facts?.approval?.preparer ?? 'somebody, by command';
}
