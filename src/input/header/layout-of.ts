import { onFirstUse } from '../../domain/lazy/on-first-use.ts';
import { headerKey, keysOf } from './header-key.ts';
import { LAYOUTS, type Layout } from './layouts.ts';
import { type ColumnName, wordsIn } from './synonyms.ts';

type Keys = ReadonlySet<string>;

/** A layout as header lines are compared with it. Each of `tells` and `others` is one header by its possible keys. */
type KnownLayout = {
  layout: Layout;
  tells: readonly Keys[];
  others(): readonly Keys[];
  /** What a header means by its key; null for no column of ours. */
  means(): ReadonlyMap<string, ColumnName | null>;
};

const knownLayouts = onFirstUse((): readonly KnownLayout[] => LAYOUTS.map(compared));

/**
 * The known layout of a header line: the line has all headers by which the layout is recognised. Of several, the layout with
 * the most of its headers in the line. Null where no layout fits, and where two fit equally.
 */
export function layoutOf(cells: readonly string[]): Layout | null {
  return bestOf(cells)?.layout ?? null;
}

/** What the layout of a header line makes of a header; undefined where it says nothing, or there is none. */
export function meaningIn(cells: readonly string[]): (header: string) => ColumnName | null | undefined {
  const means = bestOf(cells)?.means();
  return means === undefined ? () => undefined : (header) => means.get(headerKey(header));
}

/** A layout is offered for a header line that has so many of its headers. */
const SHARED_MIN = 3;

/** The names of the layouts that share headers with a line, those with the most first. */
export function layoutsLike(cells: readonly string[]): string[] {
  const keys = new Set(cells.map(headerKey));
  const has = (header: Keys) => header.values().some((key) => keys.has(key));
  return knownLayouts()
    .map(({ layout, tells, others }) => ({ name: layout.name, shared: [...tells, ...others()].filter(has).length }))
    .filter(({ shared }) => shared >= SHARED_MIN)
    .toSorted((one, other) => other.shared - one.shared)
    .map(({ name }) => name);
}

/** What the layout of this name makes of a header; undefined where it says nothing, or there is no such layout. */
export function meaningInLayout(name: string): (header: string) => ColumnName | null | undefined {
  const means = knownLayouts()
    .find(({ layout }) => layout.name === name)
    ?.means();
  return (header) => means?.get(headerKey(header));
}

function bestOf(cells: readonly string[]): KnownLayout | null {
  const keys = new Set(cells.map(headerKey));
  const has = (header: Keys) => header.values().some((key) => keys.has(key));
  let best: KnownLayout | null = null;
  let most = 0;
  for (const candidate of knownLayouts()) {
    if (!candidate.tells.every(has)) continue;
    const count = candidate.tells.length + candidate.others().filter(has).length;
    if (count < most) continue;
    best = count === most ? null : candidate;
    most = count;
  }
  return best;
}

function compared(layout: Layout): KnownLayout {
  const { tells, others, columns = {}, ignored = '' } = layout;
  const meaning = (text: string, column: ColumnName | null) =>
    wordsIn(text).flatMap((word) => keysOf(word).map((key) => [key, column] as const));
  const named = () =>
    (Object.keys(columns) as ColumnName[]).flatMap((column) => meaning(columns[column] ?? '', column));
  return {
    layout,
    tells: headersIn(tells),
    others: onFirstUse(() => headersIn(others)),
    means: onFirstUse(() => new Map([...meaning(ignored, null), ...named()])),
  };
}

/** Each header of a text of a layout, by the keys that it may have. */
function headersIn(text: string): Keys[] {
  const headers = text.split(',').filter((word) => word.trim() !== '');
  return headers.map((word) => new Set(wordsIn(word).flatMap(keysOf)));
}
