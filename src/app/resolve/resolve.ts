import type { Actor, Counts } from '../../domain/entry.ts';
import type { NotResolved, NotToResolve, Verdict } from '../../domain/outcomes/resolve-outcome.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import { type Doubt, doubtAt } from '../../report/doubts/doubts.ts';
import { countsOf } from '../../report/model/outcome.ts';
import { Halt } from '../../runner/halt.ts';
import { resolveRow } from '../../runner/reconcile/resolve.ts';
import type { ShownAccount } from '../../runner/reconcile/unknown-payments.ts';
import { openContext } from '../../runner/recorder.ts';
import { holderOf, notStartedOf, openRun, readRun, reportingLoss } from '../runs/known-run.ts';
import { atService, type ServiceDeps, serviceUnusable } from '../service/at-service.ts';

/** What is recorded of a payout. `paidTo`: whose account the service shows, where that is not what the input says. */
export type Resolved = {
  outcome: 'resolved';
  runId: string;
  isRehearsal: boolean;
  isCancelled: boolean;
  doubt: Doubt;
  paidTo: ShownAccount | null;
  /** The rows that still wait for a person. */
  unresolved: number[];
  counts: Counts;
};

export type ResolvePayout = { runId: string; row: number; verdict: Verdict; actor: Actor };

/** The doubt about a row that a person can settle now. */
export async function doubtToResolve(
  journal: Journal,
  { runId, row }: Pick<ResolvePayout, 'runId' | 'row'>,
): Promise<{ outcome: 'unresolved'; run: RunState; doubt: Doubt } | NotToResolve> {
  const held = await holderOf(journal, runId);
  return held ?? (await unresolvedAt(journal, runId, row));
}

/**
 * Records a person's word about a payout in doubt. The service is looked at first, and what it shows counts more than the
 * word.
 */
export function resolvePayout(deps: ServiceDeps, input: ResolvePayout): Promise<Resolved | NotResolved> {
  const { runId, row, actor } = input;
  return reportingLoss<Resolved | NotResolved>(runId, async () => {
    const before = await doubtToResolve(deps.journal, { runId, row });
    if (before.outcome !== 'unresolved') return before;
    const { by: _, ...person } = actor;
    const opened = await openRun(deps.journal, runId, person);
    if (opened.outcome !== 'opened') return opened;
    try {
      return await settle(deps, opened.writer, input);
    } finally {
      await opened.writer.release();
    }
  });
}

async function settle(deps: ServiceDeps, writer: RunWriter, input: ResolvePayout): Promise<Resolved | NotResolved> {
  const { runId, row, verdict, actor } = input;
  const { journal, clock, randomness, log } = deps;
  const found = await unresolvedAt(journal, runId, row);
  if (found.outcome !== 'unresolved') return found;
  const { run, doubt } = found;
  const look = async (): Promise<Resolved | NotResolved> => {
    const way = deps.wayOf(run);
    return atService({ run, writer, way }, deps, async ({ client }) => {
      const stop = new AbortController().signal;
      const context = openContext({ run, writer, journal, client, clock, randomness, log, stop });
      const resolved = await resolveRow(context, row, verdict, actor);
      if (resolved.outcome === 'refused') return { outcome: 'word_refused', runId, refused: resolved.refused };
      log.info({ run: runId, row, verdict, by: actor.by }, 'resolved by a person');
      return resolvedAs(run, doubt, resolved.paidTo ?? null);
    });
  };
  return look().catch((error: unknown) => {
    if (error instanceof Halt) return { outcome: 'not_looked', row, reason: error.reason, message: error.message };
    const unusable = serviceUnusable(error);
    if (unusable === null) throw error;
    return unusable;
  });
}

function resolvedAs(run: RunState, doubt: Doubt, paidTo: ShownAccount | null): Resolved {
  const isParked = ({ state }: PayoutState): boolean => state === 'unresolved' || state === 'suspected';
  const unresolved = Array.from(run.payouts).flatMap(([row, payout]) => (isParked(payout) ? [row] : []));
  return {
    outcome: 'resolved',
    runId: doubt.runId,
    isRehearsal: run.header?.rehearsal === true,
    isCancelled: run.cancelled,
    doubt,
    paidTo,
    unresolved,
    counts: countsOf(run),
  };
}

async function unresolvedAt(
  journal: Journal,
  runId: string,
  number: number,
): Promise<{ outcome: 'unresolved'; run: RunState; doubt: Doubt } | NotToResolve> {
  const read = await readRun(journal, runId);
  if (read.outcome !== 'read') return read;
  const { run } = read;
  const plan = notStartedOf(run);
  if (plan !== null) return plan;
  const row = run.rows.find((found) => found.row === number);
  const payout = run.payouts.get(number);
  if (!row || !payout) return { outcome: 'no_such_row', runId, row: number };
  const doubt = doubtAt(run, row, payout);
  if (doubt !== null && doubt.about !== 'open') return { outcome: 'unresolved', run, doubt };
  return { outcome: 'not_unresolved', runId, row: number, state: payout.state, isOpen: doubt !== null };
}
