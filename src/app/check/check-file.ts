import { extname } from 'node:path';
import type { InputEdit } from '../../domain/entries/edits.ts';
import { LimitCount } from '../../domain/limits.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RetryReason } from '../../domain/refusals/run-reasons.ts';
import type { Payer } from '../../domain/run/entity.ts';
import { readInput } from '../../input/input.ts';
import type { ReadOptions } from '../../input/read-options.ts';
import type { ReadResult } from '../../input/read-result.ts';
import { bankKindOf } from '../../input/source/bank/bank-kind.ts';
import { headOf, type InputSource, openFile } from '../../input/source/file.ts';
import { isTextName, misnamedFault, workbookKindOf } from '../../input/source/file-kinds.ts';
import { HEAD_BYTES } from '../../input/source/sniff.ts';
import type { Job } from '../../job/job.ts';
import type { Audience } from '../../messages/problems/words.ts';
import type { Viewer } from '../../messages/viewer.ts';
import type { Clock } from '../../platform/clock.ts';
import { REPEAT_WINDOW_DEFAULT_MS, readHistory } from '../compare/past-payouts.ts';
import { limitsOf } from '../limits/limits.ts';
import type { Retriable } from '../retry/retriable.ts';
import { type ColumnNotes, type ColumnsGiven, openColumns } from './column-knowledge.ts';
import { ROWS_LOOKED_AT } from './column-map.ts';
import type { Copied, Copy } from './copies.ts';
import { type ReadSettings, readOptions } from './read-settings.ts';
import type { WholeAnswer } from './whole-answers.ts';

/**
 * `reader` reads the copy, as one of `audience`. `cells` writes an SQLite file to `path`, from which any hundred rows
 * are read at once.
 */
export type CopyWanted =
  | { kind: 'annotated' | 'fixed'; audience: Audience; reader: Viewer }
  | { kind: 'cells'; path: string };

export type CheckInput = ColumnsGiven & {
  path: string;
  /** What people call the file, where that is not its name. */
  name: string | null;
  /** What people changed in its rows. */
  edits?: readonly InputEdit[] | undefined;
  /** The job of which it is the input. */
  job: Job | null;
  /** The company that pays it, by its id, where one is named. */
  entity?: string | undefined;
  settings: ReadSettings;
  /** What can be corrected of the run whose rows it corrects, or why nothing can; null where it corrects none. */
  corrects: Retriable | RetryReason | null;
  copy: CopyWanted | null;
};

export type CheckDeps = {
  /** Where the journal is, unless it is in a database, and what is remembered of columns. */
  dataDir: string;
  database: string | undefined;
  clock: Pick<Clock, 'wallMs'>;
};

export type FileChecked = {
  source: InputSource;
  read: ReadResult;
  /** The first rows under the header. */
  rows: readonly (readonly string[])[];
  columns: ColumnNotes;
  copied: Copied | null;
  /** What would answer all that the file leaves open, where that is several things. */
  answers(): Promise<WholeAnswer[]>;
};

/** Parses and validates a file without any network. Throws a `Refusal` (`usage`) for one that cannot be opened. */
export async function checkFile(deps: CheckDeps, input: CheckInput): Promise<FileChecked> {
  const { job, settings, copy: wanted } = input;
  const source = await openNamed(input.path, input.name, input.edits);
  const columns = openColumns(deps.dataDir, input);
  const limits = limitsOf(job);
  const copy = wanted === null ? null : await copyOf(source, wanted);
  const rows: (readonly string[])[] = [];
  const corrections = await correctionsOf(input);
  const read = await readInput(source, {
    ...readOptions(settings),
    ...columns.read,
    ...(limits !== null && { limits: new LimitCount(limits) }),
    history: await readHistory(deps, payerOf(input), null, paidSinceMs(deps, input)),
    ...corrections,
    onRow(row) {
      if (rows.length < ROWS_LOOKED_AT) rows.push(row.cells);
      return corrections.onRow?.(row);
    },
    ...(copy !== null && { onProblem: copy.onProblem }),
  });
  const answers = async () => {
    const { wholeAnswers } = await import('./whole-answers.ts');
    return wholeAnswers(source, { ...readOptions(settings), ...columns.read }, read);
  };
  return {
    source,
    read,
    rows,
    columns: columns.keep(read),
    copied: copy === null ? null : await copy.make(read),
    answers,
  };
}

/** The file at `path`, under the name that people know it by, where there is one, and as they edited it. */
export async function openNamed(
  path: string,
  name: string | null,
  edits: readonly InputEdit[] = [],
): Promise<InputSource> {
  const source = await openFile(path);
  return { ...source, ...(name !== null && { name }), edits };
}

/** Corrected rows have the payer of the run that they correct. */
function payerOf({ job, entity, corrects }: CheckInput): Payer {
  const corrected = corrects !== null && 'run' in corrects ? corrects.run.header : null;
  return corrected ?? { entity, job: job?.name ?? null };
}

/** Rows that correct those of a run are compared with that one. */
function paidSinceMs({ clock }: CheckDeps, { job, corrects }: CheckInput): number | null {
  return corrects === null ? clock.wallMs() - (job?.repeatWindowMs ?? REPEAT_WINDOW_DEFAULT_MS) : null;
}

/** Only where a file corrects a run is what knows of runs loaded. */
async function correctionsOf({ corrects }: CheckInput): Promise<ReadOptions> {
  if (corrects === null) return {};
  const { correctionProblems } = await import('../retry/corrections.ts');
  return correctionProblems(corrects);
}

async function copyOf(source: InputSource, wanted: CopyWanted): Promise<Copy> {
  if (wanted.kind === 'cells') return (await import('./cells-file.ts')).cellsCopy(source, wanted.path);
  const { annotatedCopy, fixedCopy } = await import('./copies.ts');
  return wanted.kind === 'fixed' ? fixedCopy(source) : annotatedCopy(source, wanted.audience, wanted.reader);
}

/**
 * How the name of a corrected copy of the file may end. Copies of all workbooks are .xlsx, those of text are as the file,
 * whatever its name says. Refuses (kind `usage`) a file that cannot be an input, and a bank file.
 */
export async function endingsOfCopy(path: string): Promise<[string, ...string[]]> {
  const source = await openFile(path);
  const head = await headOf(source, HEAD_BYTES);
  if (workbookKindOf(head, source.name) !== null) return ['.xlsx'];
  if (misnamedFault(head) === null && bankKindOf(head) !== null)
    throw new Refusal({ code: 'bank_file_not_copied', name: source.name });
  return isTextName(path) ? [extname(path).toLowerCase()] : ['.csv', '.tsv', '.txt'];
}
