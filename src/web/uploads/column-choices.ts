import type { CheckColumn, CheckResult } from '../../app/check/check-result.ts';
import { type ColumnName, hasHeader, headerIdentity } from '../../app/check/headers.ts';
import type { Reading } from '../../app/check/reading.ts';
import { isColumnName } from './column-words.ts';

type Columns = Reading['columns'];
type Shown = Pick<CheckResult, 'columns' | 'mapping'>;

/** What the form of the columns chooses. `column` and `other` are letters; `means` is empty for what payrun takes it for. */
export type ColumnChoice = { column: string; other: string; means: string };

/** The mapping with a choice, and what of it is new, by letters. */
type Chosen = { columns: Columns; changed: string[] };

/** Columns whose texts are one text together; of others each row fills one. */
const TEXTS: ReadonlySet<string> = new Set<ColumnName>([
  'name',
  'account_name',
  'entity_name',
  'reference',
  'description',
  'address_line1',
  'address_line2',
]);

/**
 * Headers are taken from the check, so that nothing but a choice comes from the form. A sheet without a header has what the
 * first payout holds in their place, which is kept nowhere: its columns are named by their letters, and so is one of two
 * with the same header. Null where there is no such column.
 */
export function withChoice(before: Columns, choice: ColumnChoice, result: Shown): Chosen | null {
  const { columns: shown, mapping = [] } = result;
  const nameOf = namesOf(shown);
  const column = shown.find((one) => one.column === choice.column);
  const other = choice.other === '' ? null : shown.find((one) => one.column === choice.other);
  if (column === undefined || other === undefined || other === column) return null;
  const names = [column, ...(other === null ? [] : [other])].map((one) => nameOf(one.column));
  const isConfirmed = mapping.some(({ header, column: means }) => header === names[0] && means === column.means);
  if (other === null) return withMeaning(before, column, choice.means, { nameOf, isConfirmed });
  if (!isColumnName(choice.means)) return null;
  const rest = Object.entries(before).filter(([name, means]) => means !== choice.means && !isPartOf(names, name));
  const joined = names.join(TEXTS.has(choice.means) ? '+' : '|');
  return {
    columns: { ...Object.fromEntries(rest), [joined]: choice.means },
    changed: [`${column.column} and ${other.column}: ${choice.means}`],
  };
}

/**
 * The same of a form that has what columns mean, by their letters: a column that it leaves out (null) stays as it is, and
 * so does one that is not used already.
 */
export function withEach(
  before: Columns,
  meansOf: (letters: string) => string | null,
  { columns: shown }: Pick<Shown, 'columns'>,
): Chosen {
  const nameOf = namesOf(shown);
  let chosen: Chosen = { columns: before, changed: [] };
  for (const column of shown) {
    const means = meansOf(column.column);
    if (means === null || (means === 'ignore' && column.means === null)) continue;
    const { columns, changed } = withMeaning(chosen.columns, column, means, { nameOf, isConfirmed: true });
    chosen = { columns, changed: [...chosen.changed, ...changed] };
  }
  return chosen;
}

/** The mapping where one of several columns, by its letters, is made `means`: the others that were taken for it are not used. */
export function withOne(before: Columns, means: ColumnName, letters: string, { columns: shown }: Shown): Chosen | null {
  const taken = shown.find(({ column }) => column === letters);
  if (taken === undefined) return null;
  const nameOf = namesOf(shown);
  const others = shown.filter((column) => column !== taken && column.means === means);
  return [taken, ...others].reduce<Chosen>(
    (chosen, column) => {
      const own = withMeaning(chosen.columns, column, column === taken ? means : 'ignore', {
        nameOf,
        isConfirmed: false,
      });
      return { columns: own.columns, changed: [...chosen.changed, ...own.changed] };
    },
    { columns: before, changed: [] },
  );
}

function withMeaning(
  before: Columns,
  column: CheckColumn,
  means: string,
  { nameOf, isConfirmed }: { nameOf: ReturnType<typeof namesOf>; isConfirmed: boolean },
): Chosen {
  const change = changeOf(column, means, isConfirmed);
  if (change === null) return { columns: before, changed: [] };
  const name = nameOf(column.column);
  const columns = Object.fromEntries(Object.entries(before).filter(([known]) => !isPartOf([name], known)));
  if (change === 'mapped') columns[name] = means === 'ignore' ? '' : means;
  return { columns, changed: [`${column.column}: ${means || 'default'}`] };
}

/**
 * Whether a choice gives a column another mapping, or takes the one that it has; null where it changes nothing. To choose
 * what it is taken for already answers a question about it, once.
 */
function changeOf({ means, ignored }: CheckColumn, chosen: string, isConfirmed: boolean): 'mapped' | 'reset' | null {
  if (chosen === '') return means !== null || ignored ? 'reset' : null;
  if (chosen === 'ignore') return ignored ? null : 'mapped';
  return isColumnName(chosen) && (chosen !== means || !isConfirmed) ? 'mapped' : null;
}

/** By letters, how a mapping names each column: by its header, or by its letters where that does not tell it. */
function namesOf(shown: readonly CheckColumn[]): (letters: string) => string {
  const isByHeaders = hasHeader(shown);
  const ofHeader = Map.groupBy(shown, ({ header }) => headerIdentity(header));
  const isAlone = ({ header }: CheckColumn) => isByHeaders && ofHeader.get(headerIdentity(header))?.length === 1;
  const names = new Map(shown.map((column) => [column.column, isAlone(column) ? column.header.trim() : column.column]));
  return (letters) => names.get(letters) ?? letters;
}

/** Whether one of the names is mapped by `mapped`, alone or with another. */
function isPartOf(names: readonly string[], mapped: string): boolean {
  return names.includes(mapped) || mapped.split(/[+|]/).some((part) => names.includes(part));
}
