import type { Actor, Counts } from '../../domain/entry.ts';
import type { Doubt } from '../../domain/outcomes/doubt.ts';
import type { Decision } from '../../domain/outcomes/resolve-outcome.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import { rowNumbered } from '../../domain/run/run-rows.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import { doubtAt } from '../../report/model/doubts.ts';
import { countsOf } from '../../report/model/outcome.ts';
import { Halt } from '../../runner/halt.ts';
import { resolveRow } from '../../runner/reconcile/resolve.ts';
import type { ShownAccount } from '../../runner/reconcile/unknown-payments.ts';
import { openContext } from '../../runner/recorder.ts';
import { holdingRun, readKnownRun, requireFree, requireStarted } from '../runs/known-run.ts';
import { atService, type ServiceDeps } from '../service/at-service.ts';

/** What is recorded of a payout. `paidTo`: whose account the service shows, where that is not what the input says. */
export type Resolved = {
  runId: string;
  isRehearsal: boolean;
  isCancelled: boolean;
  doubt: Doubt;
  paidTo: ShownAccount | null;
  /** The rows that still wait for a person. */
  unresolved: number[];
  counts: Counts;
};

type RowOfRun = { runId: string; row: number };

export type ResolvePayout = RowOfRun & { verdict: Decision; actor: Actor };

/** The doubt about a row that a person can resolve now. Throws a `Refusal` where there is none. */
export async function doubtToResolve(journal: Journal, of: RowOfRun): Promise<Doubt> {
  await requireFree(journal, of.runId);
  return (await unresolvedAt(journal, of)).doubt;
}

/**
 * Records a person's word about a payout in doubt. The service is looked at first, and what it shows counts more than the
 * word. Throws a `Refusal` where nothing is recorded.
 */
export async function resolvePayout(deps: ServiceDeps, input: ResolvePayout): Promise<Resolved> {
  const { by: _, ...person } = input.actor;
  await doubtToResolve(deps.journal, input);
  return holdingRun(deps.journal, { runId: input.runId, person }, (writer) => resolveHeld(deps, writer, input));
}

async function resolveHeld(deps: ServiceDeps, writer: RunWriter, input: ResolvePayout): Promise<Resolved> {
  const { runId, row, verdict, actor } = input;
  const { run, doubt } = await unresolvedAt(deps.journal, input);
  try {
    return await atService(deps, { run, writer }, async ({ client }) => {
      const { journal, clock, randomness, log } = deps;
      const stop = new AbortController().signal;
      const context = openContext({ journal, clock, randomness, log, run, writer, client, stop });
      const resolved = await resolveRow(context, row, verdict, actor);
      if (resolved.outcome === 'refused') throw new Refusal({ code: 'word_refused', runId, refused: resolved.refused });
      context.logOf(row).info({ verdict, by: actor.by }, 'resolved by a person');
      return resolvedAs(run, doubt, resolved.paidTo ?? null);
    });
  } catch (error) {
    if (!(error instanceof Halt)) throw error;
    throw new Refusal({ code: 'not_looked', row, isOutage: error.reason === 'outage', why: error.why });
  }
}

function resolvedAs(run: RunState, doubt: Doubt, paidTo: ShownAccount | null): Resolved {
  const isParked = ({ state }: PayoutState): boolean => state === 'unresolved' || state === 'suspected';
  const unresolved = Array.from(run.payouts).flatMap(([row, payout]) => (isParked(payout) ? [row] : []));
  return {
    runId: doubt.runId,
    isRehearsal: run.header?.rehearsal === true,
    isCancelled: run.cancelled,
    doubt,
    paidTo,
    unresolved,
    counts: countsOf(run),
  };
}

async function unresolvedAt(journal: Journal, { runId, row }: RowOfRun): Promise<{ run: RunState; doubt: Doubt }> {
  const run = await readKnownRun(journal, runId);
  requireStarted(run);
  const found = rowNumbered(run.rows, row);
  const payout = run.payouts.get(row);
  if (!found || !payout) throw new Refusal({ code: 'no_such_row', runId, row });
  const doubt = doubtAt(run, found, payout);
  if (doubt !== null && doubt.about !== 'open') return { run, doubt };
  throw new Refusal({ code: 'not_unresolved', runId, row, state: payout.state, isOpen: doubt !== null });
}
