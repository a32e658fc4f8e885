import type { Reading } from '../../app/check/reading.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { columnOf } from '../../input/header/columns.ts';
import { NOTHING_SAID } from './uploads.ts';

/**
 * How a sheet with rows of a run is read: as the run read them, whoever had said so then, the page, a command or a job. What
 * headers say by themselves is not said again.
 */
export function readingOf({ header, rows }: RunState): Reading {
  if (header === null) return NOTHING_SAID;
  const { header: headers, columns } = header.input;
  const said: Record<string, string> = {};
  for (const [at, text] of headers.entries()) {
    const name = text.trim();
    if (name !== '' && columnOf(name) !== (columns[at] ?? null)) said[name] = columns[at] ?? '';
  }
  const railAt = columns.indexOf('rail');
  const rails = new Map<string, Set<string>>();
  for (const { cells, order } of rows) {
    if (order === null || order.destination.kind !== 'account' || (cells[railAt] ?? '').trim() !== '') continue;
    const { code } = order.currency;
    rails.set(code, (rails.get(code) ?? new Set()).add(order.destination.rail));
  }
  const only = [...rails].flatMap(([code, [rail, ...others]]) =>
    rail === undefined || others.length > 0 ? [] : [[code, rail] as const],
  );
  return { ...NOTHING_SAID, columns: said, rails: Object.fromEntries(only) };
}
