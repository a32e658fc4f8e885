import type { OtherPlan } from '../../domain/refusals/paid-reasons.ts';
import type { ReasonOf } from '../../domain/refusals/reason.ts';
import { damageText } from '../damage-words.ts';
import { localDay } from '../local-time.ts';
import { leftOutText } from '../problems/history-words.ts';
import { lookOrAsk, runName } from '../run-name.ts';
import { agoText, counted, number, printable, rowsText } from '../text.ts';
import { either, plural, t } from '../translate.ts';
import { seesRun } from '../viewer.ts';
import { approvalLine, nextStepText, preparerText, someOf } from './approve-words.ts';
import { obstacleClause } from './plan-words.ts';
import type { Place, RefusalWords, WordsOf } from './refusal-words.ts';
import { setUpRemedy, setUpText } from './set-up-words.ts';

/** Rows that are named in one sentence. */
const NAMED_MAX = 5;

/** Runs that are named in one option; of more, all are allowed together. */
const RUNS_NAMED_MAX = 5;

/** Why a plan is not made or not started, for the sake of single payments. */
export const PAID_WORDS: WordsOf<'paid_before' | 'nothing_left' | 'sheet_of_run' | 'history_unreadable'> = {
  paid_before: (reason, place) => paidBeforeWords(reason, place),
  nothing_left: ({ name, payouts, first }) => ({
    message: t`Nothing is left to pay of ${name}: ${payouts === 1 ? t`its one payout` : t`all ${counted(payouts, 'payout')}`} were paid before. ${first === null ? '' : leftOutText(first)}`,
    nothingSent: true,
    remedy: {
      command_line:
        'Change nothing, unless somebody is to be paid again: then say so with --allow-repeat, and without --skip-paid.',
      page: t`Change nothing unless someone should be paid again.`,
    },
  }),
  sheet_of_run: ({ path, runId }, { command }) => ({
    message: {
      command_line: `${path} has rows of ${runId} that are to be corrected, and ${runId} would not know that they were paid.`,
      page: t`The file has rows of ${runId} that are to be corrected, and ${runId} would not know that they were paid.`,
    },
    nothingSent: true,
    remedy: {
      command_line: `Pay them in the place of those rows: ${command('retry', runId, '--from', path)}. If they are to be paid beside them: --allow-repeat`,
      page: t`Upload it on the page of ${runId} to pay them in place of those rows.`,
    },
    details: { run_id: runId },
  }),
  history_unreadable: ({ cause }) => ({
    message: t`Earlier payouts could not be compared (${damageText(cause)}).`,
    nothingSent: true,
    remedy: {
      command_line: 'See what `payrun runs` and `payrun verify` say of the journal.',
      page: t`Your administrator can see what is wrong with the journal.`,
    },
  }),
};

function paidBeforeWords(
  { rows, payouts, runs, isWaiting, job }: ReasonOf<'paid_before'>,
  { command }: Place,
): RefusalWords {
  const [newest] = runs;
  const runId = newest?.runId ?? '';
  const more = rows.length > NAMED_MAX ? t` and ${number(rows.length - NAMED_MAX)} more` : '';
  const named = `${rows.length === 1 ? t`Row` : t`Rows`} ${rows.slice(0, NAMED_MAX).join(', ')}${more}`;
  const others = runs.length === 1 ? '' : t` and ${runs.length - 1} more`;
  const rehearsal = newest?.isRehearsal ? t`, a rehearsal,` : '';
  const one = t`run ${runId} of ${localDay(newest?.at ?? 0)}${rehearsal}`;
  const by = `${seesRun(runId) ? one : runName(runId)}${others}`;
  const window = t`repeat_window in ${job === null ? t`a job` : t`the job ${job}`}`;
  return {
    message: t`${named} would pay the same amount to the same account again, as ${by} ${either(isWaiting, 'is about to', 'did')}.`,
    nothingSent: true,
    remedy: {
      command_line: `See \`${command('show', runId)}\`. Leave these rows out with --skip-paid, or pay them again with ${allowing(runs)}. How long a payment counts as the same is ${window}.`,
      page: lookOrAsk(
        runId,
        () => t`Look at ${runId}. Whoever maintains the jobs can change how long a payment counts as the same.`,
      ),
    },
    details: { run_id: runId, rows, payouts, ...(runs.length === 1 && { repeatable: runId }) },
  };
}

function allowing(runs: readonly { runId: string }[]): string {
  if (runs.length > RUNS_NAMED_MAX) return '--allow-repeat (more than five runs paid them)';
  return t`--allow-repeat ${runs.map(({ runId }) => runId).join(',')}`;
}

/** Why a plan is not made or not started, for the sake of approvals. */
export const APPROVAL_WORDS: WordsOf<
  | 'approvals_missing'
  | 'rows_unapproved'
  | 'never_approvable'
  | 'other_plan_approved'
  | 'other_plan_of_job'
  | 'no_maker_key'
  | 'not_a_preparer'
> = {
  approvals_missing: ({ needed, voids, next }, { command }) => {
    const { runId, missing, mayApprove } = next;
    const many = t`needs ${needed} approvals, and ${missing} of them ${plural(missing, 'is', 'are')} missing`;
    return {
      message: `${runId} ${needed === 1 ? t`needs an approval, which is missing` : many}.`,
      nothingSent: true,
      lines: voids.map(approvalLine),
      remedy: {
        command_line: nextStepText(next, command),
        page: t`To be approved by ${someOf(missing, mayApprove)}.`,
      },
      details: { run_id: runId },
    };
  },
  rows_unapproved: ({ runId, rows, payable, repeats }, { command }) => {
    const which =
      rows.length === 1
        ? t`row ${rows[0]}, which goes to an account that is new or changed`
        : t`rows ${rowsText(rows)}, which go to accounts that are new or changed`;
    const repeating = repeats === null ? [] : ['--allow-repeat', repeats];
    const without = command('run', runId, ...repeating, '--only-valid');
    const others = payable === rows.length ? '' : t`\nTo pay the others without them: ${without}`;
    const ask = t`Ask the payees through a channel you already know; then have each row approved`;
    return {
      message: t`${runId} waits for approvals of ${which}.`,
      nothingSent: true,
      remedy: { command_line: `${ask}: ${command('approve', runId, '--key', 'FILE')}${others}`, page: `${ask}.` },
      details: { run_id: runId, rows },
    };
  },
  never_approvable: ({ needed, able, ...maker }) => ({
    message: t`This plan needs ${counted(needed, 'approval')}, but apart from ${preparerText(maker)}, who makes it and so cannot approve it, there ${plural(able, 'is', 'are')} ${counted(able, 'approver')}. No plan was written.`,
    remedy: {
      command_line: 'Let somebody else make the plan, or name more approvers under approval:.',
      page: t`Have someone else make the plan, or add approvers.`,
    },
  }),
  other_plan_approved: ({ plan, next }, { command }) => ({
    message: t`${otherPlanText(plan)} is waiting to be run and pays the same, so no other plan was made.`,
    nothingSent: true,
    remedy: {
      command_line: `${nextStepText(next, command)}\nTo have another plan in its place, end it first: ${command('cancel', plan.runId)}`,
      page: lookOrAsk(plan.runId, () => t`Pay ${plan.runId}. To plan something else instead, discard that plan first.`),
    },
    details: { run_id: plan.runId },
  }),
  other_plan_of_job: ({ plan, job, why, next }, place) => {
    const gone = why && t`It can no longer be run (${obstacleClause(why, place)}).`;
    const end = t`To pay the file without that plan, end it first: ${place.command('cancel', plan.runId)}`;
    return {
      message: t`${otherPlanText(plan)} pays the same file, as job ${job}, which asks for approval.`,
      nothingSent: true,
      remedy: {
        command_line: `${gone ?? nextStepText(next, place.command)}\n${end}`,
        page: t`${gone ?? lookOrAsk(plan.runId, () => t`Look at ${plan.runId}.`)} To pay the file without that plan, discard it first.`,
      },
      details: { run_id: plan.runId },
    };
  },
  no_maker_key: ({ place, names }) => {
    const whose = place === 'job' ? 'its ' : '';
    return {
      message: {
        command_line: `The ${place} names who makes ${whose}plans (${names.map(printable).join(', ')}), and it is not known who makes this one. No plan was written.`,
        page: setUpText('maker_key'),
      },
      remedy: {
        command_line:
          'Name yourself with your key: --as KEYFILE. A scheduler has a key of its own, which PAYRUN_AS and PAYRUN_PASSPHRASE_FILE in its environment name.',
        page: setUpRemedy(),
      },
    };
  },
  not_a_preparer: ({ place, namesPreparers, publicKey }) => {
    const isJob = place === 'job';
    const what = namesPreparers
      ? t`This key is not that of anybody who makes plans ${either(isJob, 'of the job', 'by the approval file')}`
      : t`The ${either(isJob, 'job', 'approval file')} names nobody who makes plans with a key`;
    return {
      message: t`${what}. No plan was written.`,
      remedy: t`Someone with permission to change the ${either(isJob, 'job', 'approval file')} adds it under approval: and preparers:, with the name of its owner: {name: …, public_key: ${publicKey}}`,
    };
  },
};

/** `The plan R1, made 3 days ago and approved by Anna,`. */
export function otherPlanText({ runId, ageMs, approvedBy }: OtherPlan): string {
  const who = approvedBy.length === 0 ? '' : t` and approved by ${approvedBy.join(', ')}`;
  return seesRun(runId) ? t`The plan ${runId}, made ${agoText(ageMs)}${who},` : t`Another plan, which you may not see,`;
}
