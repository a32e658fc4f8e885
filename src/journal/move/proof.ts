import type { JournalDamage } from '../../domain/outcomes/journal-damage.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunHead } from '../journal.ts';
import { faultsIn, verifyRunIn } from '../tables/audit.ts';
import { type Move, notHere } from '../tables/moves.ts';
import { entriesOf, hashAt, headsOf, type MovedSide } from './side.ts';

/** Proves that a run is as it was written and ends so. Throws a `Refusal` where it is not. */
export async function proveRun({ store, name }: MovedSide, head: RunHead): Promise<void> {
  const { runId } = head;
  const verification = await store.tables.snapshot(() => verifyRunIn(store, runId, head));
  if (!verification.ok) throw damaged(name, { ...verification.damage, of: runId });
  if (verification.head !== head.hash) throw damaged(name, { code: 'head_moved', of: runId });
}

/** Proves that nothing is wrong beside the runs. Throws a `Refusal` where something is. */
export async function proveBeside({ store, name }: MovedSide): Promise<void> {
  const [fault] = await store.tables.snapshot(() => faultsIn(store));
  if (fault !== undefined) throw damaged(name, fault);
}

/** Proves every run, and that nothing is wrong beside them. Throws a `Refusal` where something is. */
export async function proveAll(side: MovedSide): Promise<{ runs: number; entries: number }> {
  const heads = await headsOf(side);
  for (const head of heads) await proveRun(side, head);
  await proveBeside(side);
  return { runs: heads.length, entries: entriesOf(heads) };
}

function damaged(journal: string, cause: JournalDamage): Refusal {
  return new Refusal({ code: 'journal_not_sound', journal, cause });
}

/**
 * Throws a `Refusal` where a run is in both journals with different entries, or goes further in the one that is to receive it.
 * `elsewhere`: the runs of that one are in another journal (by this move): it takes only a journal that has them all.
 */
export async function requireSameChains(from: MovedSide, to: MovedSide, elsewhere: Move | null): Promise<void> {
  const ends = new Map((await headsOf(from)).map((head) => [head.runId, head]));
  for (const there of await headsOf(to)) {
    const { runId } = there;
    const here = ends.get(runId);
    if (here === undefined && elsewhere !== null) throw notHere(elsewhere);
    if (here === undefined) continue;
    const isBehind = there.n <= here.n;
    const isSame = isBehind
      ? (await hashAt(from, runId, there.n)) === there.hash
      : (await hashAt(to, runId, here.n)) === here.hash;
    if (isSame && isBehind) continue;
    throw new Refusal({ code: 'journal_other_chain', journal: to.name, runId, isNewer: isSame });
  }
}

/** Whether the journal has every run as it ends in the other one, or goes on from there. */
export async function hasAll(side: MovedSide, heads: readonly RunHead[]): Promise<boolean> {
  for (const { runId, n, hash } of heads) if ((await hashAt(side, runId, n)) !== hash) return false;
  return true;
}
