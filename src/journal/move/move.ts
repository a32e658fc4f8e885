import { assert, Refusal } from '../../domain/refusal.ts';
import {
  closeRuns,
  type Move,
  moveOf,
  noteCopied,
  noteMove,
  notHere,
  pauseMove,
  requireMoveFree,
  requireNoneHeld,
} from '../tables/moves.ts';
import type { Store } from '../tables/store.ts';
import { type Copied, type CopyOptions, copyRuns } from './copy.ts';
import { hasAll, proveBeside, proveRun, requireSameChains } from './proof.ts';
import { entriesOf, headsOf, type MovedSide } from './side.ts';

export type MoveOutcome = { outcome: 'moved' | 'interrupted'; runs: number; entries: number } & Copied;

/**
 * Moves all runs of one journal to another one. While they are copied no run can be written in either, and afterwards only in
 * the other: a payout is never paid from both. What was cut off the next call goes on with. Every chain is proven in both.
 * Throws a `Refusal` where a run is held, the other journal has another history of a run, or the runs are elsewhere: then both
 * are as they were.
 */
export async function moveJournal(from: MovedSide, to: MovedSide, options: CopyOptions): Promise<MoveOutcome> {
  const states = await statesOf(from, to);
  if (states.from?.state === 'left' && states.to?.id !== states.from.id) return movedBefore(from, to, states.from);
  const heads = await headsOf(from);
  const [runs, entries] = [heads.length, entriesOf(heads)];
  if (!(await proveSource(from, options))) return { outcome: 'interrupted', runs, entries, added: 0 };
  const id = idOf(states, from.store);
  await close(from, to, { states, id });
  try {
    const { isWhole, ...copied } = await copyRuns(from, to, { id, ...options });
    if (isWhole) await finish(from, to, id);
    return { outcome: isWhole ? 'moved' : 'interrupted', runs, entries, ...copied };
  } finally {
    // Where a journal cannot be written, this process counts as gone when its time is over.
    for (const { store } of [from, to]) await write(store, () => pauseMove(store, id)).catch(() => {});
  }
}

/** Gives a move up that was cut off: the journal is in use as before, and what was copied stays closed. */
export async function keepJournal({ store, name }: MovedSide): Promise<void> {
  const move = await store.tables.read(() => moveOf());
  if (move?.state === 'left' || move?.state === 'arriving') throw notHere(move);
  if (move?.state !== 'leaving') throw new Refusal({ code: 'journal_not_moving', journal: name });
  await write(store, function* () {
    yield* requireMoveFree(store, move);
    yield* noteMove(store, move, { ...move, state: 'kept' });
    yield* noteCopied(store);
  });
}

/** How both journals are before this call. */
type States = { from: Move | null; to: Move | null };

async function statesOf(from: MovedSide, to: MovedSide): Promise<States> {
  if (from.store.copy.identity === to.store.copy.identity)
    throw new Refusal({ code: 'journal_same', journal: from.name });
  const states = { from: await stateOf(from), to: await stateOf(to) };
  if (states.from?.state === 'arriving') throw notHere(states.from);
  if (states.to?.state === 'leaving') throw notHere(states.to);
  // Until the other journal has noted the same move, it is known by its name.
  const isCutOff = states.from?.state === 'leaving' && states.to?.id !== states.from.id;
  if (isCutOff && states.from?.other !== to.name) throw notHere(states.from as Move);
  return states;
}

async function stateOf({ store, name }: MovedSide): Promise<Move | null> {
  return store.tables.snapshot(function* () {
    const move = yield* moveOf();
    yield* requireMoveFree(store, move);
    if (isInUse(move)) yield* requireNoneHeld(store, name);
    return move;
  });
}

function isInUse(move: Move | null): boolean {
  return move === null || move.state === 'kept';
}

/** To this other journal; throws a `Refusal` where its runs are elsewhere. */
async function movedBefore(from: MovedSide, to: MovedSide, left: Move): Promise<MoveOutcome> {
  const heads = await headsOf(from);
  const isThere = isInUse(await to.store.tables.read(() => moveOf())) && (await hasAll(to, heads));
  if (!isThere) throw notHere(left);
  return { outcome: 'moved', runs: heads.length, entries: entriesOf(heads), added: 0 };
}

/** Before anything is noted. What is written meanwhile is proven when it is copied. False where it was stopped. */
async function proveSource(from: MovedSide, { stop, onProgress }: CopyOptions): Promise<boolean> {
  const heads = await headsOf(from);
  const total = entriesOf(heads);
  await proveBeside(from);
  let done = 0;
  for (const head of heads) {
    if (stop.aborted) return false;
    await proveRun(from, head);
    done += head.n;
    onProgress({ step: 'proving_source', done, total });
  }
  return true;
}

/** Both journals note it, and know each other by it. One that was given up is gone on with where it was to the same journal. */
function idOf({ from, to }: States, { randomness }: Store): string {
  const isSame = from !== null && (from.state !== 'kept' || (to?.state === 'arriving' && to.id === from.id));
  return isSame ? from.id : Buffer.from(randomness.bytes(16)).toString('hex');
}

/** Lets nobody write to either journal any more. Where that is refused, both are as they were. */
async function close(from: MovedSide, to: MovedSide, { states, id }: { states: States; id: string }): Promise<void> {
  const isLeft = states.from?.state === 'left';
  const elsewhere = isInUse(states.to) || states.to?.id === id ? null : states.to;
  if (!isLeft) await closeSide(from, states.from, { state: 'leaving', id, other: to.name });
  try {
    await closeSide(to, states.to, { state: 'arriving', id, other: from.name });
    await requireSameChains(from, to, elsewhere);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await putBack(to, states.to, id);
    if (!isLeft) await putBack(from, states.from, id);
    throw error;
  }
}

async function closeSide({ store, name }: MovedSide, before: Move | null, after: Pick<Move, 'state' | 'id' | 'other'>) {
  await write(store, function* () {
    if (isInUse(before)) yield* closeRuns(store, name);
    yield* noteMove(store, before, after);
  });
}

/** As it was before this call, where this call has changed it. */
async function putBack({ store }: MovedSide, before: Move | null, id: string): Promise<void> {
  await write(store, function* () {
    const now = yield* moveOf();
    if (now?.id === id && now.holder === store.holder) yield* noteMove(store, now, before);
    if (before !== null) yield* pauseMove(store, before.id);
  });
}

/** The one is closed for good before the other is opened: cut off in between, neither can be written, and the next call goes on. */
async function finish(from: MovedSide, to: MovedSide, id: string): Promise<void> {
  await write(from.store, function* () {
    const move = yield* moveOf();
    if (move?.state === 'left' && move.id === id) return;
    yield* noteMove(from.store, ours(from, id, move), { state: 'left', id, other: to.name });
  });
  await write(to.store, function* () {
    yield* noteCopied(to.store);
    yield* noteMove(to.store, ours(to, id, yield* moveOf()), null);
  });
}

/** The move as this process has noted it: another process that took over has noted it otherwise. */
function ours({ store }: MovedSide, id: string, move: Move | null): Move {
  assert(move, 'a move that was noted is gone');
  return { ...move, id, holder: store.holder };
}

async function write(store: Store, work: Parameters<Store['tables']['write']>[1]): Promise<void> {
  await store.tables.write('runs', work);
}
