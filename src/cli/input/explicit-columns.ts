import type { ColumnNotes } from '../../app/check/column-knowledge.ts';
import type { ExplicitColumn, MappedColumn } from '../../input/header/columns.ts';
import type { Job } from '../../job/job.ts';
import { printable } from '../../messages/text.ts';

/** Lines on the columns of an input that was read; empty where there is nothing to say. */
export function columnsText({ path, damage, forgotten, mapping, unsaved }: ColumnNotes, job: Job | null): string {
  return [
    ...(damage === null ? [] : [`${path} cannot be read, so no columns are remembered: ${printable(damage)}.\n`]),
    ...(forgotten === null ? [] : [forgottenText(forgotten)]),
    ...(mapping.length === 0 ? [] : [mappingText(mapping, job)]),
    ...(unsaved === null ? [] : [`The meaning of these columns is not remembered: ${unsaved}.\n`]),
  ].join('');
}

/** One line: the columns given with this command, then those of the job, then those that are remembered. */
function mappingText(mapping: readonly MappedColumn[], job: Job | null): string {
  const of = (source: MappedColumn['source']) => mapping.filter((column) => column.source === source);
  const [given, saved, remembered] = [of('option'), of('job'), of('remembered')];
  const parts = [
    ...(given.length > 0 ? [listOf(given)] : []),
    ...(saved.length > 0 ? [`${listOf(saved)} (${job?.file})`] : []),
    ...(remembered.length > 0 ? [`${listOf(remembered)} (remembered; --forget-columns forgets it)`] : []),
  ];
  return `Columns: ${parts.join('; ')}.\n`;
}

function forgottenText(forgotten: readonly ExplicitColumn[]): string {
  return forgotten.length === 0 ? 'Nothing was remembered of these columns.\n' : `Forgotten: ${listOf(forgotten)}.\n`;
}

function listOf(columns: readonly ExplicitColumn[]): string {
  return columns.map(({ header, column }) => `\`${printable(header)}\` is ${column ?? 'ignored'}`).join(', ');
}
