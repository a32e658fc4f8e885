import type { Actor, Entry } from '../../domain/entry.ts';
import type { Paused } from '../../domain/outcomes/cancel-outcome.ts';
import { Refusal } from '../../domain/refusal.ts';
import { applyToRun } from '../../domain/run/run.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { tallyOf } from '../../domain/run/tally.ts';
import type { Journal, RunWriter } from '../../journal/journal.ts';
import type { Log } from '../../platform/log.ts';
import { holdingRun, readKnownRun, requireStarted } from '../runs/known-run.ts';
import { type CancelRun, orAsk } from './cancel.ts';

/**
 * The process that works on the run submits nothing more, reconciles what is in flight and ends. Nothing goes on with the
 * run but a person's resume. Throws a `Refusal` where there is nothing to pause.
 */
export async function pauseRun(deps: { journal: Journal; log: Log }, input: CancelRun): Promise<Paused> {
  const { journal } = deps;
  const { runId, actor } = input;
  const before = await readKnownRun(journal, runId);
  requireStarted(before);
  refuseCancelled(before, runId);
  if (before.finished !== null) return { outcome: 'finished', runId };
  const { by: _, ...person } = actor;
  const pausing = holdingRun(journal, { runId, person }, async (writer) => {
    const paused = await pauseHeld(journal, writer, before, actor);
    deps.log.info({ run: runId, by: actor.by }, 'paused');
    return paused;
  });
  return orAsk(input, pausing, (by) => journal.askToPause(runId, by));
}

/** Nothing more of it is submitted anyway. */
function refuseCancelled({ cancelled, finished }: RunState, runId: string): void {
  if (cancelled && finished === null) throw new Refusal({ code: 'was_cancelled', runId });
}

/** Nobody works on it. Why it stopped stays in the journal: taking the run up has cleared that. */
async function pauseHeld(journal: Journal, writer: RunWriter, before: RunState, actor: Actor): Promise<Paused> {
  const { runId } = writer;
  const run = await readKnownRun(journal, runId);
  refuseCancelled(run, runId);
  const { stopped, stopMessage, stopWhy, paused: wasPaused } = before;
  const entries: Entry[] = [
    ...(wasPaused ? [] : [{ kind: 'paused' as const, ...actor }]),
    {
      kind: 'stopped',
      reason: stopped ?? 'interrupted',
      ...(stopMessage !== null && { message: stopMessage }),
      ...(stopWhy !== null && { why: stopWhy }),
    },
  ];
  const at = await writer.append(entries);
  for (const entry of entries) applyToRun(run, entry, at);
  await journal.queued?.remove(runId);
  return { outcome: 'paused', runId, by: actor.by, wasPaused, waiting: tallyOf(run).waiting };
}
