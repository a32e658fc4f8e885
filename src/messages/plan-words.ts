import type {
  NotAllowed,
  NothingToRetry,
  PlanObstacle,
  PlanSource,
  RowLeft,
  RunNamed,
} from '../domain/outcomes/plan-obstacle.ts';
import { Refusal } from '../domain/refusal.ts';
import { type Commands, runRefusal } from './run-words.ts';

/** `near`: a path as people name it who are in this folder. */
export type Place = { command: Commands; near(file: string): string };

/** Why a plan cannot be started, or signed, and what to do about it. */
export function planRefusal(obstacle: PlanObstacle, place: Place): Refusal {
  const { plan } = obstacle;
  const { runId } = plan;
  const { command } = place;
  const refused = (what: string, remedy: string, details: Record<string, unknown> = { run_id: runId }) =>
    new Refusal('refused', what, remedy, details);
  const altered = (what: string) =>
    new Refusal(
      'person_needed',
      `${runId} ${what}. Nothing was sent.`,
      `See what \`${command('verify', runId)}\` says, and make a new plan.`,
      { run_id: runId },
    );
  switch (obstacle.why) {
    case 'started':
      return refused(
        `${runId} was started before, and is not started again.`,
        `See \`${command('show', runId)}\`; go on with \`${command('resume', runId)}\` if it was cut off.`,
      );
    case 'replaced':
      return refused(
        `${runId} is a plan that was replaced by a newer one, ${obstacle.by}. Nothing was sent.`,
        `Look at that one: \`${command('show', obstacle.by)}\`.`,
      );
    case 'cancelled':
      return changedRefusal(plan, 'is a plan that was cancelled', place);
    case 'another_than_shown':
      return changedRefusal(plan, 'is not the plan that was shown', place);
    case 'file_changed':
      return changedRefusal(plan, `is a plan of ${obstacle.name}, which was changed since`, place);
    case 'not_whole':
      return altered('is not what was planned: its rows in the journal do not have the digest of the plan');
    case 'not_signed_by_maker':
      return altered('is not signed by the person who is said to have made it');
    case 'not_allowed':
      return notAllowedRefusal(obstacle.cause, command);
    case 'run_meanwhile':
      return meanwhileRefusal(obstacle, place);
    case 'retry_repeated': {
      const what = `${runId} is a retry, and a retry is never repeated. Nothing was sent.`;
      return new Refusal('usage', what, 'Leave --allow-repeat out.', { run_id: runId });
    }
    case 'corrections_run_before':
      return correctionsRefusal(obstacle, command);
    case 'nothing_to_retry':
      return retryRefusal(obstacle.cause, command);
    case 'retried_since': {
      const { row, last, retries } = obstacle;
      const why = row === null ? `${last ?? 'Another retry'} was started since.` : leftText(row);
      return refused(
        `${runId} is a retry whose rows are not as they were. ${why} Nothing was sent.`,
        `See what is left to retry: ${command('retry', retries)}`,
      );
    }
  }
}

/** That a plan cannot be used any more. */
export function changedRefusal(plan: PlanSource, what: string, place: Place): Refusal {
  const again = plan.retries === null ? planAgain(plan, place) : place.command('retry', plan.retries);
  const message = `${plan.runId} ${what}. Nothing was sent.`;
  return new Refusal('refused', message, `Make a new plan, and look at it: \`${again}\`.`, { run_id: plan.runId });
}

/** The literal command that makes a plan of the same job and period, or of the same file. */
export function planAgain(
  { job, jobFile, path, period, isMadeWithKey }: PlanSource,
  { command, near }: Place,
  ...more: string[]
): string {
  const from = jobFile === null ? job : near(jobFile);
  if (from === null) return command('plan', path, ...more);
  const as = isMadeWithKey ? ['--as', 'FILE'] : [];
  return command('plan', from, ...(period === null ? [] : ['--period', period]), ...as, ...more);
}

/** That the same was run since a plan was made. */
function meanwhileRefusal(obstacle: Extract<PlanObstacle, { why: 'run_meanwhile' }>, place: Place): Refusal {
  const { plan, by, job, period, isToSign } = obstacle;
  const { command } = place;
  const refusal =
    period === null
      ? new Refusal(
          'refused',
          `The same was run meanwhile, as ${namedText(by)}. Nothing was sent.`,
          `See \`${command('show', by.runId)}\`. To pay everybody again: --allow-repeat ${by.runId}`,
          { run_id: by.runId, repeatable: by.runId },
        )
      : periodRefusal(by, { job, period }, command);
  if (!isToSign) return refusal;
  const again = planAgain(plan, place, '--allow-repeat', by.runId);
  const remedy = `See \`${command('show', by.runId)}\`. To pay everybody again, make a new plan that says so, and have it approved: \`${again}\`.`;
  return new Refusal('refused', refusal.message, remedy, refusal.details);
}

/** That the period of a job was paid already. */
export function periodRefusal(
  by: RunNamed,
  { job, period }: { job: string | null; period: string | null },
  command: Commands,
): Refusal {
  const { runId } = by;
  return new Refusal(
    'refused',
    `Job ${job} was run for ${period} already, as ${namedText(by)}. Nothing was sent.`,
    `See \`${command('show', runId)}\`; go on with \`${command('resume', runId)}\` if it was cut off. If another period is meant, say it with --period; to pay ${period} again: --allow-repeat ${runId}`,
    { run_id: runId, period, repeatable: runId, other_period: true },
  );
}

/** Why `--allow-repeat` does not allow it. */
export function notAllowedRefusal(cause: NotAllowed, command: Commands): Refusal {
  if (cause.outcome === 'run_since') {
    const { runId } = cause.newest;
    const remedy = `See \`${command('show', runId)}\`. To pay everybody once more: --allow-repeat ${runId}`;
    const what = `The same was run since ${cause.older}, as ${namedText(cause.newest)}. Nothing was sent.`;
    return new Refusal('refused', what, remedy, { run_id: runId, repeatable: runId });
  }
  const { name, newest, wasRehearsal, period } = cause;
  const what = period === null ? 'this file' : `this file, nor of period ${period}`;
  const why = wasRehearsal ? 'was a rehearsal: it paid nobody' : `is no earlier run of ${what}`;
  return new Refusal(
    'usage',
    `--allow-repeat names ${name}, which ${why}.`,
    newest === null ? 'Nothing like it was run before: leave --allow-repeat out.' : `The last such run is ${newest}.`,
  );
}

/** That a file of corrected rows was run itself, or that rows of it were taken. */
export function correctionsRefusal({ name, by }: { name: string; by: RunNamed }, command: Commands): Refusal {
  return new Refusal(
    'refused',
    `${name} was run before, as ${namedText(by)}. Nothing was sent.`,
    `See \`${command('show', by.runId)}\`, and correct a copy of the file.`,
    { run_id: by.runId },
  );
}

/** Rows that a refusal names. */
const NAMED_MAX = 20;

/** Why there is nothing of a run to be paid again. */
export function retryRefusal(cause: NothingToRetry, command: Commands): Refusal {
  const { runId } = cause;
  switch (cause.outcome) {
    case 'not_finished': {
      const remedy = `Go on with it first: ${command('resume', runId)}`;
      return new Refusal('refused', `${runId} is not finished. Nothing was sent.`, remedy, { run_id: runId });
    }
    case 'nothing': {
      const why = cause.leftOut.slice(0, NAMED_MAX).map((one) => `\n${leftText(one)}`);
      const message = `Nothing to retry: ${runId} has no failed, rejected or unsent row that is to be paid still. Nothing was sent.`;
      const remedy = `See \`${command('show', runId)}\`.`;
      return new Refusal('refused', `${message}${why.join('')}`, remedy, { run_id: runId });
    }
    default:
      return runRefusal(cause, command);
  }
}

/** `R1`, and whether it was a rehearsal. */
export function namedText({ runId, isRehearsal }: RunNamed): string {
  return isRehearsal ? `${runId}, a rehearsal` : runId;
}

export function leftText({ row, why }: RowLeft): string {
  return `Row ${row} ${why}.`;
}
