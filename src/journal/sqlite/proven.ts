import type { Entry, PlacedEntry } from '../../domain/entry.ts';
import { genesis, linkHash } from '../chain.ts';
import { decodeEntry } from '../entries.ts';
import { JournalDamaged } from '../journal.ts';
import type { FoundEntry } from './tables/entry-table.ts';

/** One entry out of its run: proven against the hash of the one before it, which is all that can be seen from here. */
export function provenAlone({ runId, stored, previousHash }: FoundEntry): PlacedEntry {
  const before = previousHash ?? genesis(runId).hash;
  if (linkHash(before, runId, stored) !== stored.hash)
    throw new JournalDamaged(`run ${runId}: entry ${stored.n} (${stored.kind}) is not the one that was written`);
  return { n: stored.n, at: stored.at, epoch: stored.epoch, entry: decodedAt(runId, stored.n, stored.data) };
}

function decodedAt(runId: string, n: number, data: string): Entry {
  try {
    return decodeEntry(data);
  } catch (error) {
    if (!(error instanceof JournalDamaged)) throw error;
    throw new JournalDamaged(`run ${runId}: entry ${n} cannot be read: ${error.message}`);
  }
}
