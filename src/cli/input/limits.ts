import { sumIn } from '../../domain/limits.ts';
import type { Limits } from '../../domain/plan.ts';
import { formatDuration } from '../../domain/time.ts';
import { sumText } from '../../messages/problems/check-words.ts';
import { counted } from '../../messages/text.ts';

/** For people: `per payout 20,000.00 AUD; 500 payees`; empty where there are none. */
export function limitsText(limits: Limits | null): string {
  if (limits === null) return '';
  const { per_payout, per_run, per_day, payees, only_payees, failures_percent, cooling_off_ms } = limits;
  const bySum = Object.entries({ 'per payout': per_payout, 'per run': per_run, 'per day': per_day }).map(
    ([name, sums]) =>
      sums && `${name} ${sums.map(({ code, minor }) => sumText(sumIn(BigInt(minor), code))).join(', ')}`,
  );
  const others = [
    payees === null ? null : `at most ${counted(payees, 'payee')}`,
    only_payees === null ? null : `only ${counted(only_payees.length, 'named payee')}`,
    cooling_off_ms === null ? null : `accounts are new for ${formatDuration(cooling_off_ms)}`,
    failures_percent === null ? null : `stops at more than ${failures_percent}% failures`,
  ];
  return [...bySum, ...others].filter((one) => one !== null).join('; ');
}
