import type { PlanObstacle, PlanSource } from '../../domain/outcomes/plan-obstacle.ts';
import type { CommandLine } from '../command-line.ts';
import { printable, withoutStop } from '../text.ts';
import { either, t, textTable } from '../translate.ts';
import { jobChangeText } from './job-change-words.ts';
import { type Place, type RefusalWords, type WordsOf, wordingFor } from './refusal-words.ts';
import { correctionsWords, lookAt, namedText, notAllowedWords, periodWords } from './repeat-words.ts';
import { leftText, retryWords } from './retry-words.ts';

/** Why a plan is not started. */
export const PLAN_WORDS: WordsOf<'no_plan'> = {
  no_plan: ({ obstacle }, place) => obstacleWords(obstacle, place),
};

/** Why a plan cannot be started, or signed. */
function obstacleWords(obstacle: PlanObstacle, place: Place): RefusalWords {
  const { plan } = obstacle;
  const { command } = place;
  switch (obstacle.why) {
    case 'started':
    case 'replaced':
    case 'rejected':
    case 'recalled':
    case 'retried_since':
    case 'retry_repeated':
      return ownWords(obstacle, place);
    case 'not_whole':
    case 'not_signed_by_maker':
      return alteredWords(plan, ALTERED[obstacle.why], command);
    case 'not_allowed':
      return notAllowedWords(obstacle.cause, command);
    case 'run_meanwhile':
      return meanwhileWords(obstacle, place);
    case 'corrections_run_before':
      return correctionsWords(obstacle.name, obstacle.by, command);
    case 'nothing_to_retry':
      return retryWords(obstacle.cause, place);
    default:
      return changedWords(plan, changeText(obstacle, place), place);
  }
}

/** Why a plan cannot be started as a clause, for a longer sentence: without that nothing was sent. */
export function obstacleClause(obstacle: PlanObstacle, place: Place): string {
  return withoutStop(wordingFor('command_line', obstacleWords(obstacle, place).message));
}

type Own = Extract<
  PlanObstacle,
  { why: 'started' | 'replaced' | 'rejected' | 'recalled' | 'retried_since' | 'retry_repeated' }
>;

/** Something has happened to the plan itself. */
function ownWords(obstacle: Own, place: Place): RefusalWords {
  const { command } = place;
  const { runId } = obstacle.plan;
  const of = { details: { run_id: runId } };
  switch (obstacle.why) {
    case 'started':
      return {
        ...of,
        message: t`${runId} has already started and is not started again.`,
        remedy: {
          command_line: `See \`${command('show', runId)}\`; go on with \`${command('resume', runId)}\` if it was cut off.`,
          page: t`Its page shows its status, and “Go on” if it was interrupted.`,
        },
      };
    case 'replaced':
      return {
        ...of,
        message: t`${runId} is a plan that was replaced by a newer one, ${obstacle.by}.`,
        nothingSent: true,
        remedy: { command_line: `Look at that one: \`${command('show', obstacle.by)}\`.`, page: t`See that one.` },
      };
    case 'rejected':
    case 'recalled': {
      const { plan, person, reason } = obstacle;
      const why = reason === '' ? '' : `: “${reason}”`;
      const again = plan.retries === null ? planAgain(plan, place) : command('retry', plan.retries);
      return {
        ...of,
        message: printable(
          t`${runId} was ${either(obstacle.why === 'rejected', 'rejected', 'recalled')} by ${person}${why}. It can be neither approved nor started.`,
        ),
        nothingSent: true,
        remedy: {
          command_line: `Correct what was wrong, then make a new plan: \`${again}\`.`,
          page: t`Correct the errors, then submit it again.`,
        },
      };
    }
    case 'retry_repeated':
      return {
        ...of,
        message: t`${runId} is a retry, and a retry is never repeated.`,
        nothingSent: true,
        remedy: { command_line: 'Leave --allow-repeat out.', page: '' },
      };
    default: {
      const { row, last, retries } = obstacle;
      const why = row === null ? t`${last ?? t`Another retry`} was started since.` : leftText(row);
      return {
        ...of,
        message: t`${runId} is a retry whose rows have changed since. ${why}`,
        nothingSent: true,
        remedy: {
          command_line: `See what is left to retry: ${command('retry', retries)}`,
          page: t`What is left to retry is on the page of ${retries}.`,
        },
      };
    }
  }
}

const ALTERED = textTable({
  not_whole: 'is not what was planned: its rows in the journal do not have the digest of the plan',
  not_signed_by_maker: 'is not signed by the person it names as its maker',
});

function alteredWords({ runId }: PlanSource, what: string, command: CommandLine): RefusalWords {
  return {
    message: `${runId} ${what}.`,
    nothingSent: true,
    remedy: {
      command_line: `See what \`${command('verify', runId)}\` says, and make a new plan.`,
      page: t`Create a new plan. Your administrator can see what was altered.`,
    },
    details: { run_id: runId },
  };
}

type Changed = Extract<
  PlanObstacle,
  {
    why:
      | 'cancelled'
      | 'another_than_shown'
      | 'file_changed'
      | 'planned_by_earlier_payrun'
      | 'job_changed'
      | 'another_service'
      | 'payees_changed'
      | 'interrupted';
  }
>;

function changeText(obstacle: Changed, { near }: Place): string {
  switch (obstacle.why) {
    case 'file_changed':
      return t`is a plan of ${obstacle.name}, which was changed since`;
    case 'job_changed':
      return t`is not what its job asks for today (${near(obstacle.file)}): ${obstacle.more.map(jobChangeText).join('; ')}`;
    default:
      return CHANGES[obstacle.why];
  }
}

const CHANGES = textTable({
  cancelled: 'is a plan that was cancelled',
  another_than_shown: 'is not the plan that was shown',
  planned_by_earlier_payrun: 'was planned by an earlier payrun, which did not record where its job is',
  another_service: 'was made at another service, or with another key',
  payees_changed: 'no longer matches the service: recipients or accounts of its payees have changed',
  interrupted: 'was not started',
});

/** That a plan cannot be used any more. */
function changedWords(plan: PlanSource, what: string, place: Place): RefusalWords {
  const again = plan.retries === null ? planAgain(plan, place) : place.command('retry', plan.retries);
  return {
    message: `${plan.runId} ${what}.`,
    nothingSent: true,
    remedy: {
      command_line: `Create a new plan and look at it: \`${again}\`.`,
      page: t`Create a new plan and look at it.`,
    },
    details: { run_id: plan.runId },
  };
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
function meanwhileWords(obstacle: Extract<PlanObstacle, { why: 'run_meanwhile' }>, place: Place): RefusalWords {
  const { plan, by, job, period, isToSign } = obstacle;
  const { command } = place;
  const words: RefusalWords =
    period === null
      ? {
          message: t`The same payment was run in the meantime, as ${namedText(by)}.`,
          nothingSent: true,
          remedy: {
            command_line: `See \`${command('show', by.runId)}\`. To pay everybody again: --allow-repeat ${by.runId}`,
            page: lookAt(by),
          },
          details: { run_id: by.runId, repeatable: by.runId },
        }
      : periodWords(by, { job, period }, command);
  if (!isToSign) return words;
  const again = planAgain(plan, place, '--allow-repeat', by.runId);
  return {
    ...words,
    remedy: {
      command_line: `See \`${command('show', by.runId)}\`. To pay everybody again, make a new plan that says so, and have it approved: \`${again}\`.`,
      page: t`${lookAt(by)} To pay everyone again, make a new plan that says so, and have it approved.`,
    },
  };
}
