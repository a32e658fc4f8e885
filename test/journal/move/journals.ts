import type { Entry } from '../../../src/domain/entry.ts';
import { Refusal } from '../../../src/domain/refusal.ts';
import type { Journal, RunHead, RunWriter } from '../../../src/journal/journal.ts';
import type { MoveProgress } from '../../../src/journal/move/copy.ts';
import type { MoveOutcome } from '../../../src/journal/move/move.ts';
import { keepJournal, moveJournal } from '../../../src/journal/open.ts';
import type { JournalOptions } from '../../../src/journal/options.ts';
import type { PastPayout } from '../../../src/journal/projections/run-payouts.ts';
import { machineRandomness } from '../../../src/platform/machine.ts';
import { sqlitePlace } from '../open-sqlite.ts';
import { anotherProcess, type OpenOptions, type Place, REAL_CLOCK } from '../place.ts';
import type { PostgresPlace } from '../postgres-place.ts';
import { sampleEnsured, sampleHeader, samplePlan, sampleRows } from '../samples.ts';

/** A place of either kind, with the URL of its journal. */
export type UrlPlace = Place & { url: string };

export function sqliteUrlPlace(): UrlPlace {
  const place = sqlitePlace();
  return { ...place, url: `sqlite:${place.path}` };
}

export function postgresUrlPlace(create: () => PostgresPlace): () => UrlPlace {
  return () => {
    const place = create();
    return { ...place, url: place.database.as('payrun_worker') };
  };
}

/** Real time: a database counts leases by its own clock. */
export const REAL: OpenOptions = { clock: REAL_CLOCK, process: anotherProcess(1), isAlive: () => false };

export function mover(pid = 50, isAlive: (holder: unknown) => boolean = () => false): JournalOptions {
  return { clock: REAL_CLOCK, randomness: machineRandomness, process: anotherProcess(pid), isAlive };
}

type Moving = { stop?: AbortSignal; onProgress?: (progress: MoveProgress) => void; as?: JournalOptions };

export function move(
  from: UrlPlace,
  to: UrlPlace,
  { stop, onProgress, as = mover() }: Moving = {},
): Promise<MoveOutcome> {
  return moveJournal({ from: from.url, to: to.url }, as, {
    stop: stop ?? new AbortController().signal,
    onProgress: onProgress ?? (() => {}),
  });
}

export function keep(from: UrlPlace): Promise<void> {
  return keepJournal(from.url, mover());
}

/** The reason of the refusal with which something ends. */
export async function reasonOf(work: Promise<unknown>): Promise<Refusal['reason']> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Refusal) return error.reason;
  throw new Error('nothing was refused', { cause: error });
}

export async function newRunOf(journal: Journal, runId: string, more: Entry[] = []): Promise<RunWriter> {
  const header = sampleHeader(runId, runId.padEnd(64, '0'));
  const creating = await journal.createRun({ header, rows: [sampleRows(3), ...more], refuseRepeat: false });
  if (creating.outcome !== 'created') throw new Error(creating.outcome);
  return creating.writer;
}

export async function newPlan(journal: Journal, runId: string): Promise<void> {
  const plan = samplePlan(sampleHeader(runId, runId.padEnd(64, '0')));
  await (await newRunOf(journal, runId, [{ kind: 'planned', plan }])).release();
}

/** What two runs that were written by turns know of a recipient: what the newest entry says. */
export async function writeByTurns(journal: Journal): Promise<void> {
  const [first, second] = [await newRunOf(journal, 'R1'), await newRunOf(journal, 'R2')];
  for (const [writer, id] of [
    [second, 'old'],
    [first, 'newer'],
    [second, 'newest'],
  ] as const)
    await writer.append([{ ...sampleEnsured(id), key: 'one key' } as Entry]);
  await first.release();
  await second.release();
}

/** Everything that a journal shows of its runs. */
export async function contentOf(journal: Journal) {
  const heads = await journal.heads();
  const runs = await journal.listRuns(1_000);
  const ensured: string[] = [];
  for await (const page of journal.readKinds(['ensured']))
    for (const { runId, entry } of page) if (entry.kind === 'ensured') ensured.push(`${runId} ${entry.id}`);
  const paid: Record<string, PastPayout[]> = {};
  const asked: Record<string, (string | null)[]> = {};
  for (const { runId } of heads) {
    const pages = (await journal.payoutsOf(runId))?.pages() ?? [];
    paid[runId] = [];
    for await (const page of pages) paid[runId].push(...page);
    asked[runId] = [await journal.cancelAsked(runId), await journal.pauseAsked(runId)];
  }
  return { heads, runs, ensured, paid, asked };
}

/** Every run of the journal as `verifyRun` finds it, and what is wrong beside them. */
export async function soundness(journal: Journal, heads: readonly RunHead[]) {
  const verified = [];
  for (const head of heads) verified.push((await journal.verifyRun(head.runId, head)).ok);
  return { verified, faults: await journal.faults() };
}
