import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import type { Counts, RunCreated } from '../../domain/entry.ts';
import { formatMajor, type Money } from '../../domain/money.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import { counted, grouped, listed, STATUS_COUNTS, separatorsOf } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import { type Language, viewer } from '../../messages/viewer.ts';

/** `46,479.35 AUD`. */
export function amountText(amount: string, currency: string): string {
  return `${grouped(amount)} ${currency}`;
}

/** The same of minor units. */
export function minorText(minor: string | bigint, currency: Currency): string {
  return amountText(formatMajor(BigInt(minor), currency.decimals), currencyLabel(currency));
}

/** With a capital at its begin. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `AN` of Anna Novak. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const first = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return first
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

/** Each sum as people read it. */
export function moneyTexts(sums: readonly Money[]): string[] {
  return sums.map(({ minor, currency }) => minorText(minor, currency));
}

/** Each total of a plan as people read it: `46,479.35 AUD`. */
export function shownTotals({ plan }: { plan: Pick<PlanFacts, 'totals'> | null }): string[] {
  return plan?.totals.map(({ planned_minor, currency }) => minorText(planned_minor, currency)) ?? [];
}

/** Each total as an approver types it, and as a passkey signs it: `46479.35 AUD`. */
export function plainTotals({ totals }: Pick<PlanFacts, 'totals'>): string[] {
  return totals.map(
    ({ currency, planned_minor }) =>
      `${formatMajor(BigInt(planned_minor), currency.decimals)} ${currencyLabel(currency)}`,
  );
}

/**
 * What a payment is called: after its job and period (`Salaries, November 2026`), or after its file (`July pay`). The file's own
 * name stands beside it, and in the activity.
 */
export function paymentName({
  job,
  period,
  input,
}: Pick<RunCreated, 'job' | 'period'> & { input: { name: string } }): string {
  const stem = job ?? input.name.replace(/\.[A-Za-z0-9]{1,5}$/, '');
  const words = stem.replace(/[-_\s]+/g, ' ').trim() || input.name;
  const name = words.charAt(0).toUpperCase() + words.slice(1);
  return job === null || period === null ? name : `${name}, ${periodText(period)}`;
}

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/** `November 2026` for `2026-11`, in the viewer's language; any other period as it is written. */
export function periodText(period: string): string {
  if (!MONTH.test(period)) return period;
  const first = new Date(`${period}-01T00:00:00Z`);
  return first.toLocaleString(viewer().language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/**
 * Whether somebody typed a plain total: as it is shown in the viewer's language, or plain where that is no other amount there
 * (`1.234` in German is 1234). Blanks, groups and a currency left out make no other amount.
 */
export function isTotal(typed: string, total: string): boolean {
  const [amount = '', ...label] = total.split(' ');
  const text = typed.trim().replace(/\s+/g, ' ');
  const currency = ` ${label.join(' ')}`;
  const number = text.endsWith(currency) ? text.slice(0, -currency.length) : text;
  return (plainIn(viewer().language, number) ?? number) === amount;
}

/** What a number in a language is as a plain decimal; null where it is none there. */
function plainIn(language: Language, text: string): string | null {
  const [point, group] = separatorsOf(language).map((sign) => RegExp.escape(sign.replace(/\s/, ' ')));
  const [, whole, decimals] = new RegExp(`^(\\d+|\\d{1,3}(?:${group}\\d{3})+)(?:${point}(\\d+))?$`).exec(text) ?? [];
  if (whole === undefined) return null;
  return `${whole.replace(/\D/g, '')}${decimals === undefined ? '' : `.${decimals}`}`;
}

/** `45 payouts of 46,479.35 AUD`, `45 payouts in 7 currencies`. */
export function payoutsText(payouts: number, sums: readonly string[]): string {
  const of = sums.length > 2 ? t` in ${sums.length} currencies` : sums.length === 0 ? '' : t` of ${listed(sums)}`;
  return `${counted(payouts, 'payout')}${of}`;
}

/** The same of a whole plan. */
export function planText({ plan }: { plan: Pick<PlanFacts, 'totals' | 'payouts'> | null }): string {
  return payoutsText(plan?.payouts ?? 0, shownTotals({ plan }));
}

/** `38 completed, 2 failed`. */
export function countWords(counts: Counts): string {
  const parts = Object.entries(counts).filter(([, payouts]) => payouts > 0);
  const words = parts.map(([status, payouts]) => String(STATUS_COUNTS[status]?.(payouts) ?? ''));
  return words.length === 0 ? t`none` : words.join(', ');
}

/** `3.4 MB`, `812 KB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return String(counted(bytes, 'byte'));
  const [size, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KB'] : [bytes / 1_048_576, 'MB'];
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** Where the command line names a command, the page names the button that does the same. */
export const pageCommand: CommandLine = (word) => BUTTONS[word ?? ''] ?? '';

const BUTTONS: Readonly<Record<string, string>> = textTable({
  resume: '“Go on”',
  retry: '“Pay again unchanged”',
});
