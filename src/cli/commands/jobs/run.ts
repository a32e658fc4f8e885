import { join } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { FOLDER, type JobNow, type LastRun } from '../../../app/jobs/jobs-now.ts';
import { commandsFor } from '../../../compose/command-hints.ts';
import { jobsHere } from '../../../compose/machine/known-jobs.ts';
import { readSettings } from '../../../compose/settings.ts';
import { text } from '../../../domain/entries/members.ts';
import { fileProblemResult, runId, time } from '../../../domain/result.ts';
import { ENDING_EXIT } from '../../../domain/run/ending.ts';
import { runStanding } from '../../../domain/run/run-state.ts';
import { isoUtc } from '../../../domain/time.ts';
import { zoneText } from '../../../domain/zone.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { messages } from '../../../messages/messages.ts';
import { counted, printable } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT, exitWords } from '../../exit.ts';
import { exitCode, nextCommand } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { standingText } from '../../plans/standing-text.ts';
import { textTable } from '../../tables.ts';
import { processIo } from '../../terminal.ts';

const lastRun = z.strictObject({
  run_id: runId,
  created_at: time,
  period: text.nullable(),
  state: runStanding,
  exit: exitCode.nullable().describe('How the run ended; null where it has not, or left no mark.'),
  outcome: text,
  plan: z
    .strictObject({ why: text.nullable().describe('Why it cannot be run any more.'), next: nextCommand })
    .optional()
    .describe('Of a plan that nobody has started.'),
});

const job = z.strictObject({
  name: text,
  file: text,
  description: text.nullable(),
  input: text.nullable().describe('The file that `check` and `run` would take now.'),
  last_run: lastRun.nullable().describe('In this data directory.'),
  schedule: z
    .strictObject({ cron: text, time_zone: text, next: z.array(z.strictObject({ period: text, due_at: time })) })
    .nullable(),
  errors: z.array(fileProblemResult),
});

export const output = z
  .strictObject({ jobs: z.array(job), exit: exitCode })
  .meta({ description: 'Every job by name, also those with errors.' });

/** `payrun jobs`: every job by name, those with errors too. Sets the exit code: 2 where one has errors. */
export async function run(given: Given): Promise<void> {
  const settings = readSettings(given, process.env);
  const command = commandsFor(settings);
  const jobs = await jobsHere(settings);
  const exit = jobs.some(({ problems }) => problems.length > 0) ? EXIT.usage : EXIT.ok;
  const result = { jobs: jobs.map((one) => jobOutput(one, command)), exit };
  const here = { io: processIo(process.env), settings };
  process.exitCode = print<z.output<typeof output>>(here, result, () => jobsText(jobs, command));
}

function jobOutput(shown: JobNow, command: CommandLine): z.output<typeof job> {
  const { name, file, description, input, last, schedule, problems } = shown;
  const next = schedule?.next.map(({ at, period }) => ({ period, due_at: isoUtc(at) })) ?? [];
  return {
    name,
    file,
    description,
    input,
    last_run: last && lastOutput(last, command),
    schedule: schedule && { cron: schedule.cron, time_zone: schedule.timeZone, next },
    errors: problems.map((one) => messages.files.wordsOfFileProblem(one)),
  };
}

function lastOutput(last: LastRun, command: CommandLine): z.output<typeof lastRun> {
  const { summary, standing, ending, plan } = last;
  const { why, next } = plan === null ? { why: null, next: '' } : standingText(plan, command);
  return {
    run_id: summary.run_id,
    created_at: isoUtc(summary.created_at),
    period: summary.header.period,
    state: standing,
    exit: ending && ENDING_EXIT[ending],
    outcome: outcomeText(last),
    ...(plan !== null && { plan: { why, next } }),
  };
}

function outcomeText({ phase, standing, ending, approvals, plan }: LastRun): string {
  if (standing === 'paused') return 'paused; it can be resumed';
  if (plan !== null && plan.why !== null) return 'cannot be run any more';
  if (phase === 'planned' && approvals.missing > 0) return `waits for ${counted(approvals.missing, 'approval')}`;
  if (phase === 'planned') return approvals.needed > 0 ? 'approved; waits to be run' : 'waits to be run';
  if (phase === 'running') return 'under way';
  if (ending === null) return 'cut off; it can be resumed';
  return ending === 'ok' ? 'everybody was paid' : exitWords(ENDING_EXIT[ending]);
}

const COLUMNS = [
  { title: 'JOB', widthMax: 32 },
  { title: 'INPUT', widthMax: 48 },
  'LAST RUN',
  { title: 'OUTCOME', widthMax: 40 },
  'NEXT',
  { title: 'DESCRIPTION', widthMax: 60 },
];

function jobsText(jobs: readonly JobNow[], command: CommandLine): string {
  if (jobs.length === 0)
    return `There are no jobs in ${FOLDER}/. A job is a file such as ${join(FOLDER, 'salaries.yaml')} with the line \`input: ../salaries.csv\`.\n`;
  const rows = jobs.map(({ name, input, last, schedule, description, problems }) => [
    name,
    problems.length > 0 ? '(has errors)' : (input ?? '(no file)'),
    last?.summary.run_id ?? '',
    last === null ? '' : outcomeText(last),
    schedule?.next[0] === undefined ? '' : zoneText(schedule.next[0].at, schedule.timeZone),
    description ?? '',
  ]);
  const plans = jobs.flatMap(({ name, last }) => {
    if (last === null || last.plan === null) return [];
    return [printable(`${name}: ${last.summary.run_id} ${standingText(last.plan, command).words}`)];
  });
  const errors = jobs.flatMap(({ file, problems }) => problems.map((one) => messages.files.fileProblemLine(file, one)));
  const below = [...plans, ...errors, ...(errors.length === 0 ? [] : [messages.files.FILE_REMEDIES.job])];
  return `${textTable(COLUMNS, rows)}${below.length === 0 ? '' : `\n${below.join('\n')}\n`}`;
}
