import { type Currency, chainsOf, crypto, fiat } from '../../domain/currencies.ts';
import { formatMajor, groupThousands, parseMajor } from '../../domain/money.ts';
import type { Problem } from '../../domain/problem.ts';

/** The sum of a currency's payouts. */
export type CurrencyTotal = { currency: Currency; count: number; minor: bigint };

/** What a person says that the file pays, known from elsewhere: it must agree with what the file pays. */
export type ControlFigures = {
  /** How many payouts; null where nothing is said of it. */
  count: number | null;
  /** The sum of a currency in minor units, by code, a crypto asset's over all its chains. Empty where nothing is said. */
  totals: ReadonlyMap<string, bigint>;
};

export type ExpectedTotal = { ok: true; code: string; minor: bigint } | { ok: false; message: string };

/** Reads `AUD=1234.50`: the code of a currency, and a plain decimal with a point. */
export function parseExpectedTotal(text: string): ExpectedTotal {
  const [, code = '', amount = ''] = /^([A-Za-z]+)=(.*)$/s.exec(text) ?? [];
  if (code === '') return { ok: false, message: `write ${text} as a currency and its sum, such as AUD=1234.50` };
  const decimals = decimalsOf(code.toUpperCase());
  if (decimals === null) return { ok: false, message: `${code} is not the code of a currency that payrun knows` };
  if (!/^\d+(?:\.\d+)?$/.test(amount))
    return { ok: false, message: `write the sum of ${code} as digits with a point alone, such as ${code}=1234.50` };
  const parsed = parseMajor(amount, decimals);
  if (parsed.ok) return { ok: true, code: code.toUpperCase(), minor: parsed.minor };
  const isTooLong = parsed.code === 'amount_too_long';
  return {
    ok: false,
    message: `the sum of ${code} ${isTooLong ? 'is too large' : `has more than ${decimals} decimals`}`,
  };
}

/** An error for each figure that does not agree, and for each currency that is paid and not named. */
export function controlProblems(
  { count, totals: expected }: ControlFigures,
  payouts: number,
  totals: readonly CurrencyTotal[],
  sheet: string | null,
): Problem[] {
  const problems: Problem[] = [];
  if (count !== null && count !== payouts)
    problems.push(problem(sheet, 'expected_count', countMessage(count, payouts)));
  if (expected.size === 0) return problems;
  const sums = new Map<string, bigint>();
  for (const { currency, minor } of totals) sums.set(currency.code, (sums.get(currency.code) ?? 0n) + minor);
  for (const code of new Set([...expected.keys(), ...sums.keys()])) {
    const message = totalMessage(code, expected.get(code), sums.get(code) ?? 0n);
    if (message !== null) problems.push(problem(sheet, 'expected_total', message));
  }
  return problems;
}

function countMessage(expected: number, payouts: number): string {
  const difference = payouts - expected;
  const words = difference > 0 ? `${difference} more` : `${-difference} fewer`;
  return `The file has ${payouts} ${payouts === 1 ? 'row' : 'rows'} that can be paid, ${words} than the ${expected} expected.`;
}

function totalMessage(code: string, expected: bigint | undefined, sum: bigint): string | null {
  if (expected === undefined) return `The file pays ${shown(sum, code)}, and no total was expected in ${code}.`;
  if (expected === sum) return null;
  const difference = sum > expected ? `${shown(sum - expected, code)} more` : `${shown(expected - sum, code)} less`;
  return `The file pays ${shown(sum, code)}, ${difference} than the ${shown(expected, code)} expected.`;
}

function shown(minor: bigint, code: string): string {
  return `${groupThousands(formatMajor(minor, decimalsOf(code) ?? 0))} ${code}`;
}

/** A crypto asset has the same decimals on each of its chains. */
function decimalsOf(code: string): number | null {
  return (fiat(code) ?? crypto(code, chainsOf(code)[0] ?? ''))?.decimals ?? null;
}

function problem(sheet: string | null, code: 'expected_count' | 'expected_total', message: string): Problem {
  const remedy = 'Find out which is right, the file or the figure; rows with errors are not among what can be paid.';
  return { severity: 'error', code, sheet, row: null, column: null, cell: null, value: null, message, remedy };
}
