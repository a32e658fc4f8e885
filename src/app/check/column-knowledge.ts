import { join } from 'node:path';
import { ColumnMemory } from '../../input/header/column-memory.ts';
import type { ExplicitColumn, MappedColumn } from '../../input/header/columns.ts';
import type { ReadResult } from '../../input/input.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import type { Job } from '../../job/job.ts';

/** What a person says of the headers of an input. */
export type ColumnsGiven = {
  job: Pick<Job, 'columns'> | null;
  columns: readonly ExplicitColumn[];
  /** Whether what is remembered of these headers is forgotten, and not used. */
  forgetColumns: boolean;
};

/** What is known of the headers of an input that was read, and what became of what is remembered. */
export type ColumnNotes = {
  /** The file in which mappings are remembered. */
  path: string;
  /** Why what the file remembers was not used; null where it was. */
  damage: string | null;
  mapping: readonly MappedColumn[];
  /** Null where nothing was to be forgotten. */
  forgotten: readonly ExplicitColumn[] | null;
  /** Why the file could not be written; null where it was, or did not change. */
  unsaved: string | null;
};

/**
 * The columns that the person names and the job, beside what the data directory remembers. `keep` remembers what is new, once
 * the input is read.
 */
export function openColumns(
  dataDir: string,
  { job, columns, forgetColumns }: ColumnsGiven,
): { read: Required<Pick<ReadOptions, 'columns' | 'jobColumns' | 'memory'>>; keep(result: ReadResult): ColumnNotes } {
  const path = join(dataDir, 'columns.json');
  const memory = ColumnMemory.open(path);
  const forgotten: ExplicitColumn[] = [];
  const forgetting = {
    recall(headers: readonly string[]): ExplicitColumn[] {
      forgotten.push(...memory.recall(headers));
      memory.forget(headers);
      return [];
    },
  };
  return {
    read: { columns, jobColumns: job?.columns ?? [], memory: forgetColumns ? forgetting : memory },
    keep({ mapping, isHeaderClear, input }) {
      const given = mapping.filter(({ source }) => source === 'option');
      if (isHeaderClear) memory.remember(input.header, given);
      const notes = { path, damage: memory.damage, mapping, forgotten: forgetColumns ? forgotten : null };
      try {
        memory.save();
        return { ...notes, unsaved: null };
      } catch (error) {
        return { ...notes, unsaved: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
