import type { RunStep } from '../../domain/outcomes/run-outcome.ts';
import { isPlannedOnly, type RunState } from '../../domain/run/run-state.ts';
import { type Tally, tallyOf } from '../../domain/run/tally.ts';
import type { ProgressSnapshot } from './pace.ts';

/** How a run stands whose process is at a step. */
export function snapshotAt(phase: RunStep, run: RunState, tally: Tally): ProgressSnapshot {
  const sent = tally.accepted + tally.completed + tally.failed;
  // A payout that was perhaps paid already waits for a person like any other that is unresolved.
  const counts = { ...tally, unresolved: tally.unresolved + tally.suspected };
  return { phase, counts, total: run.payouts.size, sent };
}

/** The same of a run that another process works on, as far as its journal shows. */
export function snapshotFromJournal(run: RunState): ProgressSnapshot {
  const tally = tallyOf(run);
  return snapshotAt(stepOf(run, tally), run, tally);
}

function stepOf(run: RunState, { waiting, accepted }: Tally): RunStep {
  if (run.finished !== null) return 'done';
  if (isPlannedOnly(run)) return 'checking_journal';
  if (run.intents === 0) return run.ensures.size > 0 ? 'preparing_payees' : 'checking_journal';
  if (run.canary === null) return 'first_payout';
  if (waiting > 0 && !run.cancelled) return 'submitting';
  return accepted > 0 ? 'waiting' : 'checking_sent';
}
