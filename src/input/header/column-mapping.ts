import { Refusal } from '../../domain/refusal.ts';
import { columnOf, type ExplicitColumn } from './columns.ts';
import { headerIdentity } from './header-key.ts';
import { nearestColumnName } from './near-miss.ts';
import { COLUMN_NAMES, type ColumnName } from './synonyms.ts';

const COLUMNS: ReadonlySet<string> = new Set(COLUMN_NAMES);

const EXAMPLE = 'Write it as in --column "Gross to bank=amount"; nothing behind the = ignores the header.';

/**
 * Reads what `--column "HEADER=column"` says. The last `=` divides, because headers may have one and columns have none.
 * Throws a Refusal (`usage`) for what says nothing, for a column that does not exist, and where two contradict.
 */
export function readExplicitColumns(texts: readonly string[]): ExplicitColumn[] {
  const said = new Map<string, ExplicitColumn>();
  for (const text of texts) {
    const one = readExplicitColumn(text);
    const before = said.get(headerIdentity(one.header));
    if (before !== undefined && before.column !== one.column)
      throw new Refusal(
        'usage',
        `--column says two things of \`${one.header}\`: ${before.column ?? 'ignore it'}, and ${one.column ?? 'ignore it'}.`,
        'Say one of them.',
      );
    said.set(headerIdentity(one.header), one);
  }
  return [...said.values()];
}

/** The columns that a row's cells name, with what was said of them. */
export function columnsOf(cells: readonly string[], said: readonly ExplicitColumn[]): (ColumnName | null)[] {
  if (said.length === 0) return cells.map(columnOf);
  const byHeader = new Map(said.map(({ header, column }) => [headerIdentity(header), column]));
  return cells.map((cell) => {
    const column = byHeader.get(headerIdentity(cell));
    return column === undefined ? columnOf(cell) : column;
  });
}

/** How `--column` is to be given for a header, for a person to type. */
export function columnOption(header: string, column: ColumnName | null): string {
  return `--column "${header.replaceAll(/["\\$`]/g, (sign) => `\\${sign}`)}=${column ?? ''}"`;
}

function readExplicitColumn(text: string): ExplicitColumn {
  const at = text.lastIndexOf('=');
  if (at === -1) throw new Refusal('usage', `--column ${text} has no =.`, EXAMPLE);
  const header = text.slice(0, at).trim();
  const name = text.slice(at + 1).trim();
  if (header === '') throw new Refusal('usage', `--column ${text} names no header.`, EXAMPLE);
  if (name === '') return { header, column: null };
  if (COLUMNS.has(name)) return { header, column: name as ColumnName };
  const nearest = nearestColumnName(name);
  throw new Refusal(
    'usage',
    `--column ${text}: there is no column ${name}.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
    nearest === null ? `The columns are ${COLUMN_NAMES.join(', ')}.` : `Write ${columnOption(header, nearest)}.`,
  );
}
