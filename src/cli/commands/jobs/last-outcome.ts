import { phaseNow, standingNow, undamaged } from '../../../app/runs/known-run.ts';
import type { RunPhase, RunState } from '../../../domain/run/run-state.ts';
import { wasAnythingSent } from '../../../domain/run/tally.ts';
import type { Journal } from '../../../journal/journal.ts';
import { foldPages } from '../../../journal/pages.ts';
import { counted } from '../../../messages/text.ts';
import { countForPerson, countsOf } from '../../../report/model/outcome.ts';
import { EXIT, exitWords } from '../../exit.ts';
import { approvalsOf } from '../../plans/approvals.ts';
import type { LastRun } from './json.ts';

/** How a run stands: `exit` is the code with which it ended, null where it has not ended or left none. */
export type LastOutcome = Pick<LastRun, 'state' | 'exit' | 'outcome'>;

/** Throws a `Refusal` where the journal is damaged. */
export async function outcomeOfRun(journal: Journal, runId: string): Promise<LastOutcome> {
  const run = await undamaged(runId, () => foldPages(journal.readRun(runId)));
  const phase = await phaseNow(journal, run, runId);
  const state = await standingNow(journal, run, runId);
  const exit = exitOf(run, phase);
  return { state, exit, outcome: state === 'paused' ? 'paused; it can be resumed' : words(run, phase, exit) };
}

function exitOf(run: RunState, phase: RunPhase): number | null {
  if (phase === 'finished') {
    const { failed, rejected, not_submitted } = countsOf(run);
    if (countForPerson(run) > 0) return EXIT.person_needed;
    return failed + rejected + not_submitted > 0 ? EXIT.some_failed : EXIT.ok;
  }
  if (phase !== 'stopped' || run.stopped === null) return null;
  if (run.stopped === 'interrupted') return EXIT.interrupted;
  return run.stopped === 'outage' && !wasAnythingSent(run) ? EXIT.unreachable : EXIT.person_needed;
}

function words(run: RunState, phase: RunPhase, exit: number | null): string {
  if (phase === 'planned') {
    const { needed, missing } = approvalsOf(run);
    if (missing > 0) return `waits for ${counted(missing, 'approval')}`;
    return needed > 0 ? 'approved; waits to be run' : 'waits to be run';
  }
  if (phase === 'running') return 'under way';
  if (exit === null) return 'cut off; it can be resumed';
  return exit === EXIT.ok ? 'everybody was paid' : exitWords(exit);
}
