import { z } from 'zod';
import { type ModulusCheck, type ModulusRange, WEIGHTS } from '../../domain/rails/fields/gbp-modulus.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ModulusFault } from '../../domain/refusals/file-reasons.ts';

const SORT_CODE = z.string().regex(/^\d{6}$/);

/** A line of `valacdos.txt`, split at its blanks. */
const weightLine = z
  .tuple([SORT_CODE, SORT_CODE, z.enum(['MOD10', 'MOD11', 'DBLAL'])])
  .rest(
    z
      .string()
      .regex(/^-?\d{1,3}$/)
      .transform(Number),
  )
  .refine(({ length }) => length === 3 + WEIGHTS || length === 4 + WEIGHTS)
  .transform(([first, last, method, ...numbers]) => ({
    first: Number(first),
    last: Number(last),
    check: { method, weights: numbers.slice(0, WEIGHTS), exception: numbers[WEIGHTS] ?? 0 },
  }))
  .refine(({ first, last, check }) => first <= last && check.exception >= 0);

const substitutionLine = z.tuple([SORT_CODE, SORT_CODE]);

/** A range may have two checks, and no more. */
const CHECKS_MAX = 2;

type Line = { number: number; words: string[] };

type NumberedRange = ModulusRange & { checks: ModulusCheck[]; line: number };

/**
 * Reads the table of weights, `valacdos.txt`: on each line the first and the last sort code, the method, 14 weights, and
 * perhaps an exception. Throws a Refusal (kind `usage`) that names `path` and the line.
 */
export function parseModulusWeights(text: string, path: string): ModulusRange[] {
  const ranges = new Map<string, NumberedRange>();
  for (const { number, words } of linesOf(text, path)) {
    const line = weightLine.safeParse(words);
    if (!line.success) throw unusable(path, number, { why: 'not_weights' });
    const { first, last, check } = line.data;
    const key = `${first} ${last}`;
    const range = ranges.get(key) ?? { first, last, checks: [], line: number };
    ranges.set(key, range);
    range.checks.push(check);
    if (range.checks.length > CHECKS_MAX)
      throw unusable(path, number, { why: 'too_many_checks', checks: CHECKS_MAX, firstLine: range.line });
  }
  const inOrder = [...ranges.values()].sort((a, b) => a.first - b.first);
  refuseOverlap(inOrder, path);
  return inOrder.map(({ first, last, checks }) => ({ first, last, checks }));
}

/**
 * Reads the table of substitutions, `scsubtab.txt`: on each line a sort code, and the one that is checked in its place.
 * Throws a Refusal (kind `usage`) that names `path` and the line.
 */
export function parseModulusSubstitutions(text: string, path: string): Map<string, string> {
  const substitutions = new Map<string, string>();
  for (const { number, words } of linesOf(text, path)) {
    const line = substitutionLine.safeParse(words);
    if (!line.success) throw unusable(path, number, { why: 'not_substitution' });
    const [sortCode, substitute] = line.data;
    if (substitutions.has(sortCode)) throw unusable(path, number, { why: 'substituted_before', sortCode });
    substitutions.set(sortCode, substitute);
  }
  return substitutions;
}

function linesOf(text: string, path: string): Line[] {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, at) => ({ number: at + 1, words: line.split(/\s+/).filter(Boolean) }));
  const filled = lines.filter(({ words }) => words.length > 0);
  if (filled.length === 0) throw unusable(path, 1, { why: 'empty' });
  return filled;
}

function refuseOverlap(ranges: readonly NumberedRange[], path: string): void {
  for (const [at, range] of ranges.entries()) {
    const next = ranges[at + 1];
    if (next === undefined || next.first > range.last) continue;
    throw unusable(path, next.line, { why: 'overlap', firstLine: range.line });
  }
}

function unusable(path: string, line: number, fault: ModulusFault): Refusal {
  return new Refusal({ code: 'modulus_table_unusable', path, line, ...fault });
}
