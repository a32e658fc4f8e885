import { Refusal } from '../../domain/refusal.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { wasAnythingSent } from '../../domain/run/tally.ts';
import type { RunWriter } from '../../journal/journal.ts';
import { packedRows } from '../../journal/packed-rows.ts';
import { holdingRun, readKnownRun, requireStarted } from '../runs/known-run.ts';
import { atService } from '../service/at-service.ts';
import { executeRun } from './execute-run.ts';
import type { ExecutedRun, RunDeps } from './run-deps.ts';

/**
 * `resubmitAbsent`: a person accepts what the service lists as proof, where it promises no expiry. `leavesPaused`: no person
 * asks for it, so that a run that one has paused is refused.
 */
export type ResumeRun = { runId: string; resubmitAbsent: boolean; leavesPaused?: boolean };

/** The run goes on from its journal alone. Throws a `Refusal` where it does not. */
export function resumeRun(
  deps: RunDeps,
  { runId, resubmitAbsent, leavesPaused = false }: ResumeRun,
): Promise<ExecutedRun> {
  const { by: _, ...person } = deps.actor;
  return holdingRun(deps.journal, { runId, person }, async (writer) => {
    const run = await readKnownRun(deps.journal, runId, packedRows());
    requireStarted(run);
    if (run.paused && leavesPaused) throw new Refusal({ code: 'run_paused', runId });
    await unpause(deps, run, writer);
    const way = await deps.wayOf(run);
    return deps.whileReceiving(way.profile, async (hints) => {
      try {
        return await atService(deps, { run, writer, way }, (connection) =>
          executeRun(deps, { run, writer, connection, hints, resubmitAbsent }),
        );
      } catch (error) {
        throw isAway(error, run) ? new Refusal({ code: 'service_away', runId, why: error.reason }) : error;
      }
    });
  });
}

/** Only a person resumes what a person paused: what goes on with runs on its own leaves it alone. */
export async function unpause({ actor }: Pick<RunDeps, 'actor'>, run: RunState, writer: RunWriter): Promise<void> {
  if (!run.paused) return;
  const entry = { kind: 'resumed' as const, ...actor };
  applyToRun(run, entry, await writer.append([entry]));
}

/** A service that is away after payouts were sent is no refusal: the run stays stopped. */
function isAway(error: unknown, run: RunState): error is Refusal {
  return error instanceof Refusal && error.kind === 'unreachable' && wasAnythingSent(run);
}
