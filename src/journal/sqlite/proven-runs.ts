import type { Entry } from '../../domain/entry.ts';
import { countsFor, type KindOfPayment } from '../../domain/kind-of-payment.ts';
import { genesis, type Head, linkHash, type StoredEntry } from '../chain.ts';
import { decodeEntry } from '../entries.ts';
import { JournalDamaged, type RunSummary } from '../journal.ts';
import type { EntryTable } from './tables/entry-table.ts';
import { jobPeriod, type NewRun, type RunRecord, type RunTable } from './tables/run-table.ts';

/** The newest runs of one input, or of one period of a job, that are listed. */
const RUNS_OF_ONE_MAX = 1_000;

/**
 * What decides about paying is read from entries, and proven by their hashes: which input a run pays, of which job and
 * period, when it was created, and whether it was started. The columns that repeat it can be edited, and are not asked.
 * Only who rewrites a run's every entry and hash goes unseen here; what is kept outside of the journal finds that out.
 *
 * To be asked inside one snapshot or transaction: each proof compares what several statements read.
 */
export class ProvenRuns {
  readonly #entries: EntryTable;
  readonly #runs: RunTable;
  /** The plans that were proven, by their ends, which say all that went before. */
  readonly #plans = new Set<string>();

  constructor(entries: EntryTable, runs: RunTable) {
    this.#entries = entries;
    this.#runs = runs;
  }

  /** Throws `JournalDamaged`. */
  summary(record: RunRecord): RunSummary {
    const { first, header } = provenStart(record);
    const isPlanned = record.looksPlanned && this.#provePlan(record);
    return { run_id: record.id, created_at: first.at, entries: record.head.n, isPlanned, header };
  }

  /**
   * The run as it stands, or null. Throws `JournalDamaged` where its end was cut off: it would be resumed without the
   * intents that were cut, and pay them again.
   */
  end(runId: string): RunRecord | null {
    const record = this.#runs.find(runId);
    const last = record === null ? null : this.#entries.last(record.run);
    if (record !== null && (last?.n !== record.head.n || last.hash !== record.head.hash)) throw endOf(record);
    return record;
  }

  /** Newest first. */
  *newest(limit: number, { startedOnly = false }: { startedOnly?: boolean } = {}): Iterable<RunSummary> {
    let left = limit;
    for (const record of this.#runs.newest()) {
      const summary = this.summary(record);
      if (startedOnly && summary.isPlanned) continue;
      yield summary;
      if (--left === 0) return;
    }
  }

  /** Oldest first; where there are more, the newest. */
  ofInput(sha256: string): RunSummary[] {
    return this.#newestWhere(({ header }) => header.input.sha256 === sha256);
  }

  /** Started ones, oldest first; where there are more, the newest. */
  ofPeriod(job: string, period: string): RunSummary[] {
    const isMeant = ({ header }: RunSummary) => header.job === job && header.period === period;
    return this.#newestWhere((run) => !run.isPlanned && isMeant(run));
  }

  /** The newest started run, other than `id`, that pays the same input or the same period of a job, and counts for `kind`. */
  lastStartedLike(
    { id, inputSha256, jobPeriod: wanted }: Pick<NewRun, 'id' | 'inputSha256' | 'jobPeriod'>,
    kind: KindOfPayment,
  ): string | null {
    for (const { run_id, isPlanned, header } of this.newest(Number.POSITIVE_INFINITY)) {
      const period = jobPeriod(header.job, header.period);
      const isLike = header.input.sha256 === inputSha256 || (wanted !== null && period === wanted);
      if (isLike && !isPlanned && run_id !== id && countsFor(kind, header)) return run_id;
    }
    return null;
  }

  #newestWhere(isMeant: (run: RunSummary) => boolean): RunSummary[] {
    const found: RunSummary[] = [];
    for (const run of this.newest(Number.POSITIVE_INFINITY)) {
      if (isMeant(run)) found.push(run);
      if (found.length === RUNS_OF_ONE_MAX) break;
    }
    return found.reverse();
  }

  /**
   * That nobody has started it is only true where no entry is gone: what stands after `planned` is proven, up to the end
   * that was written. Before it nothing can be started.
   */
  #provePlan(record: RunRecord): true {
    const proof = `${record.run} ${record.head.hash}`;
    if (this.#plans.has(proof)) return true;
    let previous: Head | null = null;
    for (const stored of this.#entries.readFromPlan(record.run)) {
      if (previous !== null) proveNext(record.id, previous, stored);
      previous = stored;
    }
    if (previous?.n !== record.head.n || previous.hash !== record.head.hash) throw endOf(record);
    this.#plans.add(proof);
    return true;
  }
}

function endOf({ id, head }: RunRecord): JournalDamaged {
  return new JournalDamaged(`run ${id}: entry ${head.n} is not its last one; see what verify says`);
}

/** The entry that created the run. An edit of it with its hash is seen in the entry after it, whose hash is over both. */
export function provenStart({ id, first, second }: RunRecord) {
  if (first === null) throw new JournalDamaged(`run ${id}: entry 1, which creates it, is missing`);
  proveNext(id, genesis(id), first);
  if (second !== null) proveNext(id, first, second);
  const header = decodedAt(id, first);
  if (header.kind !== 'run_created' || header.run_id !== id)
    throw new JournalDamaged(`run ${id}: entry 1 does not create it`);
  return { first, header };
}

/** Throws `JournalDamaged` where the entry is not the one that was written after `previous`. */
function proveNext(runId: string, previous: Head, stored: StoredEntry): void {
  if (stored.n !== previous.n + 1)
    throw new JournalDamaged(`run ${runId}: entry ${previous.n + 1} is missing: after ${previous.n} comes ${stored.n}`);
  if (linkHash(previous.hash, runId, stored) !== stored.hash)
    throw new JournalDamaged(`run ${runId}: entry ${stored.n} (${stored.kind}) is not the one that was written`);
}

function decodedAt(runId: string, { n, data }: StoredEntry): Entry {
  try {
    return decodeEntry(data);
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    throw new JournalDamaged(`run ${runId}: entry ${n} cannot be read: ${error.message}`);
  }
}
