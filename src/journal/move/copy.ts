import { assert } from '../../domain/refusal.ts';
import type { RunHead } from '../journal.ts';
import { Grant } from '../tables/grant.ts';
import { allHolds, takeHolds } from '../tables/holds.ts';
import {
  AllEntries,
  addAnnouncements,
  addPage,
  announcementsAfter,
  askedBeside,
  completeRun,
  isProjectedAt,
} from '../tables/moved-runs.ts';
import { stayAtMove } from '../tables/moves.ts';
import { proveBeside, proveRun } from './proof.ts';
import { entriesOf, headsOf, type MovedSide } from './side.ts';

/** `done` of `total` entries; each step begins anew. */
export type MoveProgress = { step: 'proving_source' | 'copying' | 'proving_target'; done: number; total: number };

export type CopyOptions = {
  /** Stops between two pages; the next call goes on. */
  stop: AbortSignal;
  onProgress(progress: MoveProgress): void;
};

/** `added`: entries that were not there yet. */
export type Copied = { added: number };

/** Copies what the other journal lacks, while nobody writes to either, and proves every run there. */
export async function copyRuns(
  from: MovedSide,
  to: MovedSide,
  { id, stop, onProgress }: CopyOptions & { id: string },
): Promise<Copied & { isWhole: boolean }> {
  const heads = await headsOf(from);
  const total = entriesOf(heads);
  const there = new Map((await headsOf(to)).map(({ runId, n }) => [runId, n]));
  let added = 0;
  let done = 0;
  const entries = new AllEntries();
  for (;;) {
    if (stop.aborted) return { isWhole: false, added };
    const page = await from.store.tables.read(() => entries.next());
    if (page.length === 0) break;
    done += page.length;
    const missing = page.filter(({ runId, stored }) => stored.n > (there.get(runId) ?? 0));
    if (missing.length > 0) added += await to.store.tables.write('runs', () => addPage(to.store, id, missing));
    onProgress({ step: 'copying', done, total });
  }
  assert(done === total, 'a journal that nobody writes to has other entries than its runs');
  await copyAnnouncements(from, to);
  const holds = await from.store.tables.read(() => allHolds());
  if (holds.length > 0) await to.store.tables.write('runs', () => takeHolds(holds));
  const isWhole = await completeAll(from, to, { id, heads, stop, onProgress });
  if (isWhole) await proveBeside(to);
  return { isWhole, added };
}

async function copyAnnouncements(from: MovedSide, to: MovedSide): Promise<void> {
  for (let after = ''; ; ) {
    const page = await from.store.tables.read(() => announcementsAfter(after));
    const last = page.at(-1);
    if (last === undefined) return;
    await to.store.tables.write('runs', () => addAnnouncements(page));
    after = last.id;
  }
}

/** What stands beside the entries of each run, and the proof that it ends as in the other journal. False where it was stopped. */
async function completeAll(
  from: MovedSide,
  to: MovedSide,
  { id, heads, stop, onProgress }: CopyOptions & { id: string; heads: readonly RunHead[] },
): Promise<boolean> {
  const { store } = to;
  const total = entriesOf(heads);
  let stayed = Grant.from(store.clock, store.leaseMs);
  let done = 0;
  for (const head of heads) {
    if (stop.aborted) return false;
    if (stayed.leftMs(store.clock) * 3 < store.leaseMs * 2) {
      stayed = Grant.from(store.clock, store.leaseMs);
      await store.tables.write('runs', () => stayAtMove(store, id));
    }
    await complete(from, to, { id, head });
    await proveRun(to, head);
    done += head.n;
    onProgress({ step: 'proving_target', done, total });
  }
  return true;
}

async function complete(
  from: MovedSide,
  { store }: MovedSide,
  { id, head }: { id: string; head: RunHead },
): Promise<void> {
  const { runId } = head;
  const asked = await from.store.tables.read(() => askedBeside(runId));
  const isStored = await store.tables.read(() => isProjectedAt(runId, head));
  if (isStored && asked.cancel === null && asked.pause === null) return;
  const folded = isStored ? null : await store.tables.snapshot(() => store.projections.fold(runId));
  await store.tables.write('runs', () => completeRun(store, { moveId: id, runId, asked }, folded?.projection ?? null));
}
