import type { RunState } from '../../domain/run/run-state.ts';
import { runToCorrect } from '../../input/corrections/correction-sheet.ts';
import { columnOf } from '../../input/header/columns.ts';
import { type Reading, reading } from '../check/reading.ts';

/** The run whose rows a file was made from, to be corrected; null for every other file. */
export function runOfCorrections(file: { name: string; path: string }): Promise<string | null> {
  return runToCorrect(file);
}

/**
 * How a sheet with rows of a run is read: as the run read them, whether the page, a command or a job had chosen that. What
 * headers mean by themselves is left out.
 */
export function readingOfRun({ header, rows }: RunState): Reading {
  if (header === null) return reading.parse({});
  const { header: headers, columns } = header.input;
  const chosen: Record<string, string> = {};
  for (const [at, text] of headers.entries()) {
    const name = text.trim();
    if (name !== '' && columnOf(name) !== (columns[at] ?? null)) chosen[name] = columns[at] ?? '';
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
  return reading.parse({ columns: chosen, rails: Object.fromEntries(only) });
}
