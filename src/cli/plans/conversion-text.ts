import { plannedRate } from '../../app/plan/plan-result.ts';
import { percentOf } from '../../domain/conversion.ts';
import { type Currency, currencyLabel } from '../../domain/currencies.ts';
import { formatForPeople, formatMajor, groupThousands } from '../../domain/money.ts';
import type { PlannedConversions, PlannedPair } from '../../domain/plan.ts';
import { counted } from '../../messages/text.ts';
import { right, textTable } from '../tables.ts';

/** Conversions that are quoted where they are confirmed: one sentence for each pair. */
export function conversionNotes(conversions: PlannedConversions | null): string[] {
  return pairTexts(
    conversions,
    ({ received, sent, most }) =>
      `${received} are paid from ${sent}, by the rate of now, and no payout at a rate more than ${most} worse`,
  );
}

/** The conversions of a plan when it is run: one sentence for each pair, by the quotes of the plan. */
export function plannedNotes(conversions: PlannedConversions | null): string[] {
  return pairTexts(
    conversions,
    ({ received, sent, most }) =>
      `${received} are planned from ${sent}; each is quoted again when it is sent, and is not sent where it costs more than ${most} above the plan`,
  );
}

type PairText = { received: string /** With fees, where they are known. */; sent: string; most: string };

function pairTexts(conversions: PlannedConversions | null, text: (pair: PairText) => string): string[] {
  if (conversions === null) return [];
  const most = percentOf(conversions.ceilings.payout_bps);
  return conversions.pairs.map(({ source, currency, planned_minor, sent_minor, fees_minor }) => {
    const fees = fees_minor === null ? '' : ` and ${inWords(fees_minor, source)} in fees`;
    return text({ received: inWords(planned_minor, currency), sent: `${inWords(sent_minor, source)}${fees}`, most });
  });
}

/** What an approver lets leave: one line for each pair, then how much more it may be. */
export function approvedConversions(conversions: PlannedConversions | null): string[] {
  if (conversions === null) return [];
  const { payout_bps, run_bps } = conversions.ceilings;
  const lines = conversions.pairs.map(({ source, currency, payouts, planned_minor, sent_minor, fees_minor }) => {
    const [received, sent] = [inWords(planned_minor, currency), inWords(sent_minor, source)];
    return `from ${sent}: ${received} in ${counted(payouts, 'payout')}, fees ${feesText(fees_minor, source)}`;
  });
  return [...lines, `at most ${percentOf(payout_bps)} more for a payout, ${percentOf(run_bps)} for all of a pair`];
}

/** The conversions of a plan as a table, with what their ceilings mean; empty where there are none. */
export function conversionsTable(conversions: PlannedConversions | null): string {
  if (conversions === null) return '';
  const rows = conversions.pairs.map((pair) => {
    const { source, currency, payouts, planned_minor, sent_minor, fees_minor } = pair;
    const fees = groupThousands(feesText(fees_minor, source));
    const [sent, received] = [major(sent_minor, source), major(planned_minor, currency)];
    return [currencyLabel(source), currencyLabel(currency), String(payouts), received, sent, fees, rateText(pair)];
  });
  const columns = ['FROM', 'TO', right('PAYOUTS'), right('RECEIVED'), right('SENT'), right('FEES'), 'RATE'];
  const { payout_bps, run_bps } = conversions.ceilings;
  return `\n${textTable(columns, rows)}Each is quoted again when it is sent, and is not sent where it costs more than ${percentOf(payout_bps)} above the plan (all of a pair: ${percentOf(run_bps)}).\n`;
}

function rateText(pair: PlannedPair): string {
  return `1 ${pair.source.code} = ${groupThousands(plannedRate(pair))} ${pair.currency.code}`;
}

/** `1234.50`; `unknown` where the service does not name them before the payout. */
export function feesText(minor: string | null, { decimals }: Currency): string {
  return minor === null ? 'unknown' : formatMajor(BigInt(minor), decimals);
}

function major(minor: string, { decimals }: Currency): string {
  return groupThousands(formatMajor(BigInt(minor), decimals));
}

function inWords(minor: string, currency: Currency): string {
  return formatForPeople({ minor: BigInt(minor), currency });
}
