import type { ColumnNotes } from '../../app/check/column-knowledge.ts';
import type { ExplicitColumn, MappedColumn } from '../../input/header/columns.ts';
import type { Job } from '../../job/job.ts';
import { printable } from '../problem-text.ts';

/** Lines on the columns of an input that was read; empty where there is nothing to say. */
export function columnsText({ path, damage, forgotten, mapping, unsaved }: ColumnNotes, job: Job | null): string {
  return [
    ...(damage === null ? [] : [`${path} cannot be read, so no columns are remembered: ${printable(damage)}.\n`]),
    ...(forgotten === null ? [] : [forgottenText(forgotten)]),
    ...(mapping.length === 0 ? [] : [mappingText(mapping, job)]),
    ...(unsaved === null ? [] : [`What was said of the columns is not remembered: ${unsaved}.\n`]),
  ].join('');
}

/** One line: what was said with this command, then what the job says, then what is remembered. */
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
  if (forgotten.length === 0) return 'Nothing was remembered of these columns.\n';
  return `Forgotten: ${listOf(forgotten)}.\n`;
}

function listOf(said: readonly ExplicitColumn[]): string {
  return said.map(({ header, column }) => `\`${printable(header)}\` is ${column ?? 'ignored'}`).join(', ');
}
