import type { ColumnNotes } from '../../app/check/column-knowledge.ts';
import { printable } from '../../messages/text.ts';

/** `column` is null where the header is ignored. */
type Meaning = { header: string; column: string | null };

/** Lines on the columns of an input that was read; empty where nothing about them is news. `job`: that of the input. */
export function columnsText(
  { path, damage, forgotten, layout, mapping, currency, encoding, unsaved }: ColumnNotes,
  job: { file: string } | null,
): string {
  return [
    ...(damage === null
      ? []
      : [`${path} cannot be read, so no columns are remembered: ${printable(damageText(damage))}.\n`]),
    ...(forgotten === null ? [] : [forgottenText(forgotten)]),
    ...(layout === null ? [] : [`Layout: ${layout}.\n`]),
    ...(mapping.length === 0 ? [] : [mappingText(mapping, job)]),
    ...(currency === null ? [] : [currencyText(currency, job)]),
    ...(encoding === null ? [] : [encodingText(encoding, job)]),
    ...(unsaved === null ? [] : [`The meaning of these columns is not remembered: ${unsaved}.\n`]),
  ].join('');
}

function damageText(damage: NonNullable<ColumnNotes['damage']>): string {
  return damage.why === 'too_large' ? 'it is too large' : damage.cause;
}

/** One line: the columns given with this command, then those of the job, then those that are remembered. */
function mappingText(mapping: ColumnNotes['mapping'], job: { file: string } | null): string {
  const of = (source: ColumnNotes['mapping'][number]['source']) => mapping.filter((column) => column.source === source);
  const [given, saved, remembered] = [of('option'), of('job'), of('remembered')];
  const parts = [
    ...(given.length > 0 ? [listOf(given)] : []),
    ...(saved.length > 0 ? [`${listOf(saved)} (${job?.file})`] : []),
    ...(remembered.length > 0 ? [`${listOf(remembered)} (remembered; --forget-columns forgets it)`] : []),
  ];
  return `Columns: ${parts.join('; ')}.\n`;
}

function currencyText({ code, source }: NonNullable<ColumnNotes['currency']>, job: { file: string } | null): string {
  const by = source === 'file' ? ' (as a line above the header says)' : givenBy(source, job);
  return `Rows that name no currency are in ${code}${by}.\n`;
}

function encodingText(
  { encoding, source }: NonNullable<ColumnNotes['encoding']>,
  job: { file: string } | null,
): string {
  return `The text is read as ${encoding}${givenBy(source, job)}.\n`;
}

function givenBy(source: 'option' | 'job' | 'remembered', job: { file: string } | null): string {
  return { option: '', job: ` (${job?.file})`, remembered: ' (remembered; --forget-columns forgets it)' }[source];
}

function forgottenText({ columns, currency, encoding }: NonNullable<ColumnNotes['forgotten']>): string {
  const parts = [
    ...(columns.length === 0 ? [] : [listOf(columns)]),
    ...(currency === undefined ? [] : [`the currency ${currency}`]),
    ...(encoding === undefined ? [] : [`the encoding ${encoding}`]),
  ];
  return parts.length === 0 ? 'Nothing was remembered of these columns.\n' : `Forgotten: ${parts.join(', ')}.\n`;
}

function listOf(columns: readonly Meaning[]): string {
  return columns.map(({ header, column }) => `\`${printable(header)}\` is ${column ?? 'ignored'}`).join(', ');
}
