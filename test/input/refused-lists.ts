import { expect } from 'vitest';
import type { ExplicitColumn } from '../../src/input/header/columns.ts';
import { readAll } from './reading.ts';

export const IBAN = 'DE89370400440532013000';
export const OTHER_IBAN = 'DE75512108001245126199';

/** The only problem of a file of which nothing is paid. */
export async function kindOf(lines: readonly string[], columns: ExplicitColumn[] = []): Promise<string | undefined> {
  const result = await readAll(`${lines.join('\n')}\n`, { columns });
  expect([result.isWhole, result.payouts, result.runRows]).toEqual([false, 0, []]);
  expect(result.problems).toHaveLength(1);
  return result.problems[0]?.code;
}
