import type { Executed, OrderOf } from '../../app/launcher/tasks.ts';
import { executedHere, leftToWorkers } from '../../app/run/beginning.ts';
import { type LeftRun, leaveRun } from '../../app/run/left-run.ts';
import { resumeRun } from '../../app/run/resume.ts';
import type { ExecutedRun, RunDeps } from '../../app/run/run-deps.ts';
import { startPlan } from '../../app/run/start-plan.ts';
import type { Awaited } from '../../domain/outcomes/awaited.ts';
import { ENDING_EXIT } from '../../domain/run/ending.ts';
import { messages } from '../../messages/messages.ts';
import type { ProgressSnapshot } from '../../report/model/pace.ts';
import { withLoggedJournal } from '../machine/here.ts';
import { endSoon, stopOnInterrupt, untilInterrupt } from '../machine/interrupt.ts';
import { NO_OUTPUT, notifyHere, unseen } from '../machine/notifying.ts';
import { actorHere } from '../person.ts';
import { runDeps, startDeps } from '../run-deps.ts';
import { readSettings, type Settings } from '../settings.ts';
import { type Leaving, leavingBy, withQueue } from '../worker/queue.ts';

type Given = Record<string, unknown>;

/** Called repeatedly while the run waits, and with null when it continues. */
type Report = (awaits: Awaited | null) => void;

/** Starts a plan, and pays it. */
export function runTask(
  given: Given,
  { runId, person, onlyValid, allowRepeat }: OrderOf<'run'>,
  report: Report,
): Promise<Executed> {
  const repeats = allowRepeat.length === 0 ? undefined : allowRepeat.join(',');
  const start = { runId, onlyValid, allowRepeat: repeats };
  return worked({ given, person, report }, async (deps, settings) => {
    const starting = { ...startDeps(deps, settings), whileLooking: interruptible };
    if (settings.detach)
      return left(settings, deps, (leaving) =>
        startPlan({ ...starting, ...leaving }, start, leftToWorkers({ ...deps, ...leaving })),
      );
    return executed(await startPlan(starting, start, executedHere(deps)));
  });
}

export function resumeTask(given: Given, { runId, person }: OrderOf<'resume'>, report: Report): Promise<Executed> {
  const resume = { runId, resubmitAbsent: false };
  return worked({ given, person, report }, async (deps, settings) => {
    if (settings.detach) return left(settings, deps, (leaving) => leaveRun({ ...deps, ...leaving }, resume));
    return executed(await resumeRun(deps, resume));
  });
}

/** Workers go on with it. */
async function left(
  settings: Settings,
  { log }: Pick<RunDeps, 'log'>,
  leave: (leaving: Leaving) => Promise<LeftRun>,
): Promise<Executed> {
  await withQueue(settings, log, (queue) => leave(leavingBy(queue)));
  return { exit: ENDING_EXIT.ok, halted: null };
}

function executed({ ending, end }: ExecutedRun): Executed {
  const halted = end.end === 'halted' ? messages.stops.stopText(end.why, 'page') : null;
  return { exit: ENDING_EXIT[ending], halted };
}

function interruptible<Result>(work: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
  return untilInterrupt(() => {}, work);
}

/** `given` as options are written. Nobody sees what such a process would print: the journal and the log have it. */
async function worked(
  { given, person, report }: { given: Given; person: string | null; report: Report },
  work: (deps: RunDeps, settings: Settings) => Promise<Executed>,
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
        watch: () => watched(report),
      },
    );
    return work(deps, settings);
  });
}

function watched(report: Report): ReturnType<typeof unseen> {
  const { signal, release } = stopOnInterrupt(() => {});
  const end = () => {
    release();
    endSoon();
  };
  let reported = '';
  // At most once a second: snapshots come more often.
  const onProgress = (snapshot: ProgressSnapshot): void => {
    const awaits = snapshot.awaits ?? null;
    const now = awaits === null ? '' : `${awaits.code} ${Math.floor(awaits.forMs / 1_000)}`;
    if (now !== reported) report(awaits);
    reported = now;
  };
  return { ...unseen(signal), onProgress, onEnded: release, end };
}
