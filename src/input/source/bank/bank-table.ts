import { createHash } from 'node:crypto';
import { fault, problemAt } from '../../../domain/problem.ts';
import { changedMeanwhile, type InputSource } from '../file.ts';
import type { BankPart, BankTable, Table, TablePart } from '../table.ts';
import type { BankOutput } from './bank-output.ts';

/** Reads the bytes of a bank file: `push` for each chunk, `end` behind the last. What it finds goes to its output. */
export type BankReader = { readonly output: BankOutput; push(chunk: Uint8Array): void; end(): void };

/** Chunks are read in pieces of this size, so that only the payments of one piece are held. */
const PIECE_BYTES = 4 * 1024;

/** How many payments a file may have: each has so many bytes at least, and the file may state their number. */
type PaymentsEstimate = { bytesLeast: number; stated: number | null };

/**
 * A bank file as a table with columns of ours. Its bytes are read once here, for the hash, and once again for each call
 * of `parts`.
 */
export async function bankTable(
  source: InputSource,
  { payments, ...known }: Omit<BankTable, 'parts' | 'paymentsExpected'> & { payments: PaymentsEstimate },
  reader: () => BankReader,
): Promise<Table> {
  const { sha256, bytes } = await hashOf(source);
  const paymentsExpected = Math.min(bytes / payments.bytesLeast, payments.stated ?? Number.POSITIVE_INFINITY);
  async function* parts(): AsyncGenerator<BankPart> {
    const hash = createHash('sha256');
    const read = reader();
    for await (const chunk of source.open()) {
      hash.update(chunk);
      for (let at = 0; at < chunk.length && !read.output.isStopped; at += PIECE_BYTES) {
        read.push(chunk.subarray(at, at + PIECE_BYTES));
        yield* read.output.take();
      }
    }
    if (hash.digest('hex') !== sha256) throw changedMeanwhile(source);
    if (read.output.isStopped) return;
    read.end();
    yield* read.output.take();
  }
  return { ...NO_TABLE, sha256, bytes, bank: { ...known, paymentsExpected, parts }, parts: () => rowsOf(parts()) };
}

async function* rowsOf(parts: AsyncIterable<BankPart>): AsyncGenerator<TablePart> {
  for await (const part of parts) if (part.kind === 'records') yield part;
}

/** A file that is refused as a whole, by what it is. */
export async function refusedTable(source: InputSource, what: Parameters<typeof problemAt>[1]): Promise<Table> {
  const problems = [problemAt('error', what)];
  return { ...NO_TABLE, ...(await hashOf(source)), problems, isReadable: false, parts: async function* () {} };
}

/** A file with the name of a bank file whose content is none. */
export function unknownTable(source: InputSource): Promise<Table> {
  return refusedTable(source, fault('bank_file_unknown', { root: null }));
}

const NO_TABLE = {
  sheet: null,
  encoding: null,
  delimiter: null,
  faults: [],
  problems: [],
  hiddenColumns: new Set<number>(),
  isReadable: true,
};

async function hashOf(source: InputSource): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of source.open()) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}
