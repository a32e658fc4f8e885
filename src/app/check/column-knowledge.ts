import { join } from 'node:path';
import { ColumnMemory, type MemoryDamage, type Remembered } from '../../input/header/column-memory.ts';
import type { ExplicitColumn, GivenCurrency, GivenEncoding, MappedColumn } from '../../input/header/columns.ts';
import { layoutOf } from '../../input/header/layout-of.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import type { ReadResult } from '../../input/read-result.ts';
import type { Encoding } from '../../input/source/encoding/encodings.ts';
import type { Job } from '../../job/job.ts';

/** What a person says of the headers of an input. */
export type ColumnsGiven = {
  job: Pick<Job, 'columns' | 'settings'> | null;
  columns: readonly ExplicitColumn[];
  /** The currency of rows that name none, and the encoding of a text that does not show it: by the option or the job. */
  settings: { currency?: string | undefined; encoding?: Encoding | undefined };
  /** Whether what is remembered of these headers is forgotten, and not used. */
  forgetColumns: boolean;
  /** The file in which mappings are remembered, where that is not the one of the data directory. */
  memory?: string | null;
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
  /** The encoding that was given, where the text does not show it. */
  encoding: GivenEncoding | null;
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
  { job, columns, settings: { currency, encoding }, forgetColumns, memory: file = null }: ColumnsGiven,
): {
  read: Required<Pick<ReadOptions, 'columns' | 'jobColumns' | 'memory'>> &
    Pick<ReadOptions, 'currency' | 'jobCurrency' | 'encodingSource'>;
  keep(result: ReadResult): ColumnNotes;
} {
  const path = file ?? join(dataDir, 'columns.json');
  const memory = ColumnMemory.open(path);
  let forgotten: Remembered = { columns: [] };
  const forgetting = {
    recall(headers: readonly string[]): Remembered {
      const known = memory.recall(headers);
      const columns = [...forgotten.columns, ...known.columns];
      const { currency = forgotten.currency, encoding = forgotten.encoding } = known;
      forgotten = { columns, currency, encoding };
      memory.forget(headers);
      return { columns: [] };
    },
  };
  const isOfJob = currency !== undefined && job?.settings.get('currency')?.value === currency;
  const isJobEncoding = encoding !== undefined && job?.settings.get('encoding')?.value === encoding;
  return {
    read: {
      columns,
      jobColumns: job?.columns ?? [],
      ...(isOfJob ? { jobCurrency: currency } : { currency }),
      encodingSource: isJobEncoding ? 'job' : 'option',
      memory: forgetColumns ? forgetting : memory,
    },
    keep({ mapping, givenCurrency, givenEncoding, isHeaderClear, headerRow, input }) {
      const given = mapping.filter(({ source }) => source === 'option');
      const ofCommand = {
        columns: given,
        currency: givenCurrency?.source === 'option' ? givenCurrency.code : undefined,
        encoding: givenEncoding?.source === 'option' ? givenEncoding.encoding : undefined,
      };
      // Letters are the same in every file: they say nothing of the next one without a header.
      if (isHeaderClear && headerRow !== null) memory.remember(input.header, ofCommand);
      const notes = {
        path,
        damage: memory.damage,
        mapping,
        layout: layoutOf(input.header)?.name ?? null,
        currency: givenCurrency,
        encoding: givenEncoding,
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
