import type { Entry, RunCreated } from '../../domain/entry.ts';
import { assert } from '../../domain/refusal.ts';
import { type EncodedEntry, encodeEntry } from '../entries.ts';
import { RunProjection } from '../projections/run-projection.ts';

/** Entries that a run may be created with: 16 million rows in chunks of 256. */
const FIRST_ENTRIES_MAX = 65_536;

/** What a run begins with: its creation, then its lease, which is taken in the transaction, then the rest. */
export type FirstEntries = { created: EncodedEntry; rest: EncodedEntry[]; projection: RunProjection };

/** Reads `rows` once, and keeps nothing of them but texts. */
export function firstEntries(header: RunCreated, rows: Iterable<Entry>): FirstEntries {
  const projection = new RunProjection(header.run_id);
  let n = 0;
  // When they happen tells nothing of who is paid.
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
