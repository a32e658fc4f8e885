import { join } from 'node:path';
import { ColumnMemory, type MemoryDamage, type Remembered } from '../../input/header/column-memory.ts';
import type { ExplicitColumn, GivenCurrency, MappedColumn } from '../../input/header/columns.ts';
import { layoutOf } from '../../input/header/layout-of.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import type { ReadResult } from '../../input/read-result.ts';
import type { Job } from '../../job/job.ts';

/** What a person says of the headers of an input. */
export type ColumnsGiven = {
  job: Pick<Job, 'columns' | 'settings'> | null;
  columns: readonly ExplicitColumn[];
  /** `currency`: of rows that name none, by the option or the job. */
  settings: { currency?: string | undefined };
  /** Whether what is remembered of these headers is forgotten, and not used. */
  forgetColumns: boolean;
};

/** What is known of the headers of an input that was read, and what became of what is remembered. */
export type ColumnNotes = {
  /** The file in which mappings are remembered. */
  path: string;
  /** Why what the file remembers was not used; null where it was. */
  damage: MemoryDamage | null;
  mapping: readonly MappedColumn[];
  /** The name of the known layout that the header line has. */
  layout: string | null;
  /** The currency of rows that name none. */
  currency: GivenCurrency | null;
  /** Null where nothing was to be forgotten. */
  forgotten: Remembered | null;
  /** Why the file could not be written; null where it was, or did not change. */
  unsaved: string | null;
};

/**
 * The columns that the person names and the job, beside what the data directory remembers. `keep` remembers what is new, once
 * the input is read.
 */
export function openColumns(
  dataDir: string,
  { job, columns, settings: { currency }, forgetColumns }: ColumnsGiven,
): {
  read: Required<Pick<ReadOptions, 'columns' | 'jobColumns' | 'memory'>> &
    Pick<ReadOptions, 'currency' | 'jobCurrency'>;
  keep(result: ReadResult): ColumnNotes;
} {
  const path = join(dataDir, 'columns.json');
  const memory = ColumnMemory.open(path);
  let forgotten: Remembered = { columns: [] };
  const forgetting = {
    recall(headers: readonly string[]): Remembered {
      const known = memory.recall(headers);
      const columns = [...forgotten.columns, ...known.columns];
      forgotten = { columns, currency: known.currency ?? forgotten.currency };
      memory.forget(headers);
      return { columns: [] };
    },
  };
  const isOfJob = currency !== undefined && job?.settings.get('currency')?.value === currency;
  return {
    read: {
      columns,
      jobColumns: job?.columns ?? [],
      ...(isOfJob ? { jobCurrency: currency } : { currency }),
      memory: forgetColumns ? forgetting : memory,
    },
    keep({ mapping, givenCurrency, isHeaderClear, headerRow, input }) {
      const given = mapping.filter(({ source }) => source === 'option');
      const code = givenCurrency?.source === 'option' ? givenCurrency.code : undefined;
      // Letters are the same in every file: they say nothing of the next one without a header.
      if (isHeaderClear && headerRow !== null) memory.remember(input.header, { columns: given, currency: code });
      const notes = {
        path,
        damage: memory.damage,
        mapping,
        layout: layoutOf(input.header)?.name ?? null,
        currency: givenCurrency,
        forgotten: forgetColumns ? forgotten : null,
      };
      try {
        memory.save();
        return { ...notes, unsaved: null };
      } catch (error) {
        return { ...notes, unsaved: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}
