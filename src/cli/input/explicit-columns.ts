import { join } from 'node:path';
import { ColumnMemory } from '../../input/header/column-memory.ts';
import type { ExplicitColumn, MappedColumn } from '../../input/header/columns.ts';
import type { ReadResult } from '../../input/input.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import type { Job } from '../../job/job.ts';
import { printable } from '../problem-text.ts';
import { readExplicitColumns } from './column-option.ts';

/** What a person says of the headers of an input, and what is kept of it. */
export type ColumnSayings = {
  read: Required<Pick<ReadOptions, 'columns' | 'jobColumns' | 'memory'>>;
  /** Shows what was said of the input's headers, and remembers what is new, once the input is read. */
  keep(result: ReadResult): void;
};

/**
 * What `--column` says, and the job, beside what the data directory remembers. With `--forget-columns` what it remembers of the
 * input's headers is not used, and is forgotten. Throws a Refusal (`usage`) where an option says nothing that can be done.
 */
export function openSayings(
  settings: { dataDir: string; column?: string[] | undefined; forgetColumns: boolean },
  io: { stderr(text: string): void },
  job: Job | null = null,
): ColumnSayings {
  const columns = readExplicitColumns(settings.column ?? []);
  const path = join(settings.dataDir, 'columns.json');
  const memory = ColumnMemory.open(path);
  if (memory.damage !== null)
    io.stderr(`${path} cannot be read, so no columns are remembered: ${printable(memory.damage)}.\n`);
  const forgotten: ExplicitColumn[] = [];
  const forgetting = {
    recall(headers: readonly string[]): ExplicitColumn[] {
      forgotten.push(...memory.recall(headers));
      memory.forget(headers);
      return [];
    },
  };
  return {
    read: { columns, jobColumns: job?.columns ?? [], memory: settings.forgetColumns ? forgetting : memory },
    keep(result) {
      if (settings.forgetColumns) io.stderr(forgottenText(forgotten));
      if (result.mapping.length > 0) io.stderr(mappingText(result.mapping, job));
      if (result.isHeaderClear) memory.remember(result.input.header, mappedBy('option', result.mapping));
      try {
        memory.save();
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        io.stderr(`What was said of the columns is not remembered: ${why}.\n`);
      }
    },
  };
}

function mappedBy(who: MappedColumn['source'], mapping: readonly MappedColumn[]): MappedColumn[] {
  return mapping.filter(({ source }) => source === who);
}

/** One line: what was said with this command, then what the job says, then what is remembered. */
function mappingText(mapping: readonly MappedColumn[], job: Job | null): string {
  const given = mappedBy('option', mapping);
  const saved = mappedBy('job', mapping);
  const remembered = mappedBy('remembered', mapping);
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
