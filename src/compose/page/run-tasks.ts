import type { Executed, OrderOf } from '../../app/launcher/tasks.ts';
import { resumeRun } from '../../app/run/resume.ts';
import type { ExecutedRun, RunDeps } from '../../app/run/run-deps.ts';
import { startPlan } from '../../app/run/start-plan.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import { messages } from '../../messages/messages.ts';
import { withLoggedJournal } from '../machine/here.ts';
import { endSoon, stopOnInterrupt, untilInterrupt } from '../machine/interrupt.ts';
import { NO_OUTPUT, notifyHere, unseen } from '../machine/notifying.ts';
import { actorHere } from '../person.ts';
import { runDeps, startDeps } from '../run-deps.ts';
import { readSettings, type Settings } from '../settings.ts';

type Given = Record<string, unknown>;

/** Starts a plan, and pays it. */
export function runTask(given: Given, { runId, person, onlyValid, allowRepeat }: OrderOf<'run'>): Promise<Executed> {
  const repeats = allowRepeat.length === 0 ? undefined : allowRepeat.join(',');
  return worked(given, person, (deps, settings) => {
    const starting = { ...startDeps(deps, settings), whileLooking: interruptible };
    return startPlan(starting, { runId, onlyValid, allowRepeat: repeats });
  });
}

export function resumeTask(given: Given, { runId, person }: OrderOf<'resume'>): Promise<Executed> {
  return worked(given, person, (deps) => resumeRun(deps, { runId, resubmitAbsent: false }));
}

function interruptible<Result>(work: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
  return untilInterrupt(() => {}, work);
}

/** `given` as options are written. Nobody sees what such a process would print: the journal and the log have it. */
async function worked(
  given: Given,
  person: string | null,
  work: (deps: RunDeps, settings: Settings) => Promise<ExecutedRun>,
): Promise<Executed> {
  const settings = readSettings({ ...given, quiet: true }, {});
  return withLoggedJournal(settings, async (here) => {
    const io = NO_OUTPUT;
    const deps = runDeps(
      { ...here, io },
      {
        actor: actorHere(person),
        isSeen: false,
        notify: notifyHere({ ...here, io }),
        watch: stoppable,
      },
    );
    const { ending, end } = await work(deps, settings);
    return {
      exit: ENDING_EXIT[ending],
      halted: end.end === 'halted' ? messages.stops.stopText(end.why, 'page') : null,
    };
  });
}

function stoppable(): ReturnType<typeof unseen> {
  const { signal, release } = stopOnInterrupt(() => {});
  const end = () => {
    release();
    endSoon();
  };
  return { ...unseen(signal), onEnded: release, end };
}
