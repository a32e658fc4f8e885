import { createHash } from 'node:crypto';
import type { RunRow } from '../domain/entry.ts';
import type { RowLeft } from '../domain/outcomes/run-outcome.ts';
import { assert } from '../domain/refusal.ts';
import { isLeftOut } from '../domain/run/left-out.ts';
import type { PayoutState } from '../domain/run/payout.ts';
import { isPlannedOnly, type RunState } from '../domain/run/run-state.ts';
import type { Since, SinceOfRun } from '../domain/run/since.ts';
import { type Journal, JournalDamaged, type RunSummary } from '../journal/journal.ts';
import { entriesIn, foldPages } from '../journal/pages.ts';

/** The runs of a journal whose headers are read: what one list has at most. */
const RUNS_MAX = 100_000;

/** The first words of what the hash of a retry is over. */
const RETRY_VERSION = 'payrun-retry-v1';

/** The runs that pay the same rows: the first of them, which is no retry, and every retry of it or of a retry, oldest first. */
export type Family = { first: RunSummary; retries: RunSummary[] };

/** The family that the run belongs to. It is in the journal. */
export async function familyOf(journal: Journal, runId: string): Promise<Family> {
  const family = familiesOf(await journal.listRuns(RUNS_MAX)).get(runId);
  assert(family, `the run that ${runId} is a retry of is not in the journal`);
  return family;
}

/** The family of each run. `runs` are newest first; one whose family began before all of them has none. */
function familiesOf(runs: readonly RunSummary[]): Map<string, Family> {
  const families = new Map<string, Family>();
  // A retry is younger than what it retries.
  for (const run of runs.toReversed()) {
    const { run_id, header } = run;
    const family = header.retries === null ? { first: run, retries: [] } : families.get(header.retries);
    if (family === undefined) continue;
    if (header.retries !== null) family.retries.push(run);
    families.set(run_id, family);
  }
  return families;
}

/** For each run the ones that retry rows of it, planned ones that wait too, oldest first. `runs` are newest first. */
export async function retriesByRun(journal: Journal, runs: readonly RunSummary[]): Promise<Map<string, string[]>> {
  const retries = new Map<string, string[]>();
  const given = runs.filter(({ header }) => header.retries !== null);
  // What was cancelled before anybody started it retries nothing.
  const cancelled = given.some(({ isPlanned }) => isPlanned) ? await cancelledIn(journal) : new Set<string>();
  for (const { run_id, isPlanned, header } of given.toReversed()) {
    if (header.retries === null || (isPlanned && cancelled.has(run_id))) continue;
    const others = retries.get(header.retries);
    if (others) others.push(run_id);
    else retries.set(header.retries, [run_id]);
  }
  return retries;
}

async function cancelledIn(journal: Journal): Promise<Set<string>> {
  return new Set((await entriesIn(journal.readKinds(['cancelled']))).map(({ runId }) => runId));
}

/** The runs that retry rows of this one, planned ones that wait too, oldest first. */
export async function retriedBy(journal: Journal, runId: string): Promise<string[]> {
  return (await retriesByRun(journal, await journal.listRuns(RUNS_MAX))).get(runId) ?? [];
}

/**
 * What stands for the input of a retry: SHA-256 (hex) over the family and those of its retries that were started. Every
 * retry that is planned before the next one starts has the same, whichever rows it takes and whichever run of the family
 * it names; and of one input one run is started. So a person who starts a retry has seen every earlier one.
 */
export function retryHash({ first, retries }: Family): string {
  const started = retries.filter(({ isPlanned }) => !isPlanned).map(({ run_id }) => run_id);
  return createHash('sha256')
    .update([RETRY_VERSION, first.run_id, ...started].join('\n'))
    .digest('hex');
}

/**
 * The planned retries that can be started no more, since another one of their family was started after them: each with the
 * newest that was. `runs` are newest first; a family whose first run is not among them is left out.
 */
export function overtakenRetries(runs: readonly RunSummary[]): Map<string, string> {
  const overtaken = new Map<string, string>();
  for (const [run_id, family] of familiesOf(runs)) {
    const planned = family.retries.find((one) => one.run_id === run_id && one.isPlanned);
    if (planned === undefined || planned.header.input.sha256 === retryHash(family)) continue;
    const last = family.retries.findLast(({ isPlanned }) => !isPlanned);
    if (last !== undefined) overtaken.set(run_id, last.run_id);
  }
  return overtaken;
}

export type Retryable = { rows: RunRow[]; leftOut: RowLeft[] };

/**
 * The rows of a finished run that failed or were rejected, that waited for an approval of their own, or that were not sent
 * when it was cancelled, and that no other run of its family has paid, may have paid or is about to pay. Those that could
 * be taken for such rows and are none are left out with the reason.
 */
export async function retryableRows(journal: Journal, run: RunState, family: Family): Promise<Retryable> {
  const runId = run.header?.run_id;
  const others = [family.first, ...family.retries].filter((one) => !one.isPlanned && one.run_id !== runId);
  const folded: RunState[] = [];
  for (const { run_id } of others) folded.push(await foldPages(journal.readRun(run_id)));
  return retryableAmong(run, folded);
}

/** The same, of the other runs of its family that were started, folded already. */
export function retryableAmong(run: RunState, folded: readonly RunState[]): Retryable {
  const result: Retryable = { rows: [], leftOut: [] };
  // A plan that nobody started paid nobody, and can be made again.
  if (isPlannedOnly(run)) return result;
  for (const row of run.rows) {
    const payout = run.payouts.get(row.row);
    if (row.order === null || payout === undefined) continue;
    const standing = standingOf(run, row.row, payout);
    if (standing === 'paid' || (standing === 'not_submitted' && !isLeftOut(payout))) continue;
    const elsewhere = () => folded.map((other) => leftElsewhere(other, row.row)).find((one) => one !== null);
    const left = leftIn(run, row.row, standing) ?? elsewhere();
    if (left) result.leftOut.push(left);
    else result.rows.push(row);
  }
  return result;
}

/** How a row stands in one run of the family. `unresolved`: perhaps paid. `open`: not final yet. */
export type Standing = 'paid' | 'unpaid' | 'not_submitted' | 'unresolved' | 'open';

function standingOf(run: RunState, row: number, { state }: PayoutState): Standing {
  // Perhaps paid by an attempt that was held for dead.
  if (run.surfaced.some((one) => one.row === row)) return 'unresolved';
  switch (state) {
    case 'completed':
      return 'paid';
    case 'failed':
    case 'rejected':
      return 'unpaid';
    case 'not_submitted':
      return 'not_submitted';
    case 'unresolved':
    case 'suspected':
      return 'unresolved';
    case 'waiting':
    case 'sending':
    case 'in_doubt':
    case 'accepted':
      return 'open';
  }
}

function leftIn({ header }: RunState, row: number, standing: Standing): RowLeft | null {
  const runId = header?.run_id ?? '';
  switch (standing) {
    case 'unresolved':
    case 'paid':
      return { row, how: standing, runId };
    case 'open':
      return { row, how: 'not_final', runId };
    case 'unpaid':
    case 'not_submitted':
      return null;
  }
}

/** Null where the other run does not have the row, or is over and has not paid it. */
function leftElsewhere(other: RunState, row: number): RowLeft | null {
  const payout = other.payouts.get(row);
  if (payout === undefined) return null;
  const left = leftIn(other, row, standingOf(other, row, payout));
  if (left !== null || other.finished !== null) return left;
  return { row, how: 'under_way', runId: other.header?.run_id ?? '' };
}

/** The other runs of a retry's family, when the first of them was created (Unix ms), and the retry's rows. */
export type Relatives = { runs: Set<string>; since: number; rows: Set<number> };

/** Whose payments for the rows of this run may be what it would pay again. None where it is no retry. */
export async function relativesOf(journal: Journal, run: RunState): Promise<Relatives> {
  const { header } = run;
  if (header === null || header.retries === null)
    return { runs: new Set(), since: Number.POSITIVE_INFINITY, rows: new Set() };
  const { first, retries } = await familyOf(journal, header.run_id);
  const runs = new Set([first, ...retries].map(({ run_id }) => run_id));
  runs.delete(header.run_id);
  return { runs, since: first.created_at, rows: new Set(run.rows.values().map(({ row }) => row)) };
}

/** What became since of the payouts that a run did not pay, by the journal. A relative that is damaged is left out. */
export async function readSince(journal: Journal, run: RunState): Promise<SinceOfRun> {
  // Before the runs are read: it claims nothing that was not read.
  const asOf = await journal.newestEntryAt();
  const family = await familyOf(journal, run.header?.run_id ?? '');
  const others: RunState[] = [];
  for (const runId of relativeIds(run, family)) {
    try {
      others.push(await foldPages(journal.readRun(runId)));
    } catch (error) {
      if (!(error instanceof JournalDamaged)) throw error;
    }
  }
  return { rows: sinceOf(run, family, others), asOf };
}

/** The other runs of its family, oldest first. */
export function relativeIds(run: RunState, { first, retries }: Family): string[] {
  return [first, ...retries].map(({ run_id }) => run_id).filter((runId) => runId !== run.header?.run_id);
}

/** The same, of relatives that are folded already. What is paid counts before what is under way, and that before a plan. */
export function sinceOf(run: RunState, family: Family, others: readonly RunState[]): Map<number, Since> {
  const since = new Map<number, Since>();
  // What was cancelled before it began stands in the run that it would have retried.
  if (isPlannedOnly(run)) return since;
  const hash = retryHash(family);
  const living = others.filter((other) => !isPlannedOnly(other) || (!other.cancelled && isCurrent(other, hash)));
  for (const [row, payout] of run.payouts) {
    if (!NOT_PAID.has(payout.state)) continue;
    const all = living.flatMap((other) => sinceIn(other, row) ?? []);
    const [best] = all.sort((one, other) => ORDER.indexOf(one.standing) - ORDER.indexOf(other.standing));
    if (best !== undefined) since.set(row, best);
  }
  return since;
}

const NOT_PAID: ReadonlySet<PayoutState['state']> = new Set(['failed', 'rejected', 'not_submitted']);

const ORDER: readonly Since['standing'][] = ['paid', 'under_way', 'planned'];

/** Of several plans one can be started, and none that was made before another one of the family was. */
function isCurrent({ header }: RunState, hash: string): boolean {
  return header?.retries !== null && header?.input.sha256 === hash;
}

/** Null where the other run does not have the row, or is over and did not pay it. */
function sinceIn(other: RunState, row: number): Since | null {
  const payout = other.payouts.get(row);
  const runId = other.header?.run_id ?? '';
  if (payout === undefined) return null;
  if (isPlannedOnly(other)) return payout.state === 'waiting' ? { runId, standing: 'planned', at: null } : null;
  const standing = standingOf(other, row, payout);
  if (standing === 'paid' && payout.state === 'completed') return { runId, standing, at: payout.finishedAt };
  const isOver = (standing === 'unpaid' || standing === 'not_submitted') && other.finished !== null;
  return isOver ? null : { runId, standing: 'under_way', at: null };
}
