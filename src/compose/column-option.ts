import type { ExplicitColumn } from '../input/header/columns.ts';
import { headerIdentity } from '../input/header/header-key.ts';
import { nearestColumnName } from '../input/header/near-miss.ts';
import { COLUMN_NAMES, type ColumnName } from '../input/header/synonyms.ts';
import { columnOption } from '../messages/problems/header-words.ts';
import { wrongSetting } from './wrong-setting.ts';

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
      throw wrongSetting(
        'columns',
        `--column says two things of \`${one.header}\`: ${before.column ?? 'ignore it'}, and ${one.column ?? 'ignore it'}.`,
        'Say one of them.',
      );
    said.set(headerIdentity(one.header), one);
  }
  return [...said.values()];
}

function readExplicitColumn(text: string): ExplicitColumn {
  const at = text.lastIndexOf('=');
  if (at === -1) throw wrongSetting('columns', `--column ${text} has no =.`, EXAMPLE);
  const header = text.slice(0, at).trim();
  const name = text.slice(at + 1).trim();
  if (header === '') throw wrongSetting('columns', `--column ${text} names no header.`, EXAMPLE);
  if (name === '') return { header, column: null };
  if (COLUMNS.has(name)) return { header, column: name as ColumnName };
  const nearest = nearestColumnName(name);
  throw wrongSetting(
    'columns',
    `--column ${text}: there is no column ${name}.${nearest === null ? '' : ` Did you mean ${nearest}?`}`,
    nearest === null ? `The columns are ${COLUMN_NAMES.join(', ')}.` : `Write ${columnOption(header, nearest)}.`,
  );
}
