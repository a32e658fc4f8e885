import type { Entry, RunCreated } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import { type EncodedEntry, encodeEntry } from '../entries.ts';
import type { CreateRun, JobHolder, NotStarted } from '../journal.ts';
import { RunProjection } from '../projections/run-projection.ts';
import { payingOf } from '../run-record.ts';
import { livingHolder } from './leases.ts';
import type { Steps } from './steps.ts';
import type { Store } from './store.ts';

type Start = Pick<CreateRun, 'header' | 'refuseRepeat'> & { seen?: number | undefined };

/**
 * Why a run may not begin now; null where it may. To be asked in the transaction that writes it. `inTheWay`: which held runs
 * of its job are; a plan that is made has none.
 */
export function* whyNotStarted(
  store: Store,
  { header, refuseRepeat, seen }: Start,
  inTheWay: 'any' | 'started' | 'none',
): Steps<NotStarted | null> {
  const { job } = header;
  const held = job === null || inTheWay === 'none' ? null : yield* jobHolderOf(store, job, inTheWay === 'started');
  if (held !== null) return { outcome: 'job_held', ...held };
  const repeated = refuseRepeat ? yield* store.runs.lastRepeated(payingOf(header)) : null;
  if (repeated !== null) return { outcome: 'repeats', runId: repeated };
  return seen !== undefined && seen !== (yield* store.runs.started()) ? { outcome: 'moved' } : null;
}

/** The newest run of a job that a living process holds, with `isStarted` of those that are no plans. */
export function* jobHolderOf(store: Store, job: string, isStarted = false): Steps<JobHolder | null> {
  for (const record of yield* store.runs.held()) {
    const { header, isPlanned } = yield* store.runs.summary(record);
    if (header.job !== job || (isStarted && isPlanned)) continue;
    const holder = yield* livingHolder(store, record.run);
    if (holder !== null) return { runId: record.id, holder };
  }
  return null;
}

/** Entries that a run may be created with: 16 million rows in chunks of 256. */
const FIRST_ENTRIES_MAX = 65_536;

/** What a run begins with: its creation, then its lease, which is taken in the transaction, then the rest. */
export type FirstEntries = { created: EncodedEntry; rest: EncodedEntry[]; projection: RunProjection };

/** Reads `rows` once, and keeps nothing of them but texts. */
export function firstEntries(header: RunCreated, rows: Iterable<Entry>): FirstEntries {
  const projection = new RunProjection(header.run_id);
  let n = 0;
  // Who is paid does not depend on when they happen.
  const follow = (entry: Entry) => projection.follow({ n: ++n, at: 0, entry });
  const encode = (entry: Entry): EncodedEntry => {
    const encoded = encodeEntry(entry);
    follow(entry);
    return encoded;
  };
  const created = encode(header);
  follow({ kind: 'lease_taken', epoch: 1, holder: '' });
  const rest = Array.from(rows, encode);
  assert(rest.length <= FIRST_ENTRIES_MAX, `a run is created with at most ${FIRST_ENTRIES_MAX} entries`);
  return { created, rest, projection };
}
