import { z } from 'zod';
import { type RunNow, runsNow } from '../../../app/history/runs-now.ts';
import { waitingRun, waitingRunOf } from '../../../app/worker/waiting-run.ts';
import { text } from '../../../domain/entries/members.ts';
import { counts } from '../../../domain/entries/run.ts';
import { inputPlace, runId, scheduledResult, scheduledStart, time } from '../../../domain/result.ts';
import { runStanding } from '../../../domain/run/run-state.ts';
import { isoUtc } from '../../../domain/time.ts';
import { zoneText } from '../../../domain/zone.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { messages } from '../../../messages/messages.ts';
import { agoText, countsText } from '../../../messages/text.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { type Here, withJournal } from '../../here.ts';
import { rehearsal } from '../../json/outputs.ts';
import { jsonLine } from '../../json/print.ts';
import { textTable } from '../../tables.ts';

const listedRun = z.strictObject({
  run_id: runId,
  state: runStanding,
  rehearsal,
  input: inputPlace,
  job: text.nullable(),
  period: text.nullable(),
  retries: runId.nullable().describe('The run whose unpaid rows this one pays.'),
  retried_by: z.array(runId).describe('The runs that retry rows of this one, oldest first.'),
  scheduled: scheduledStart.optional(),
  created_at: time,
  counts: counts.describe('Payouts of an unfinished run are counted as its report would.'),
  worker: waitingRun.optional(),
});
export const output = z.strictObject({ runs: z.array(listedRun) }).meta({ description: 'Every run, newest first.' });

/** `payrun runs`: every run, newest first. Throws a `Refusal` where the journal is damaged. */
export async function run(given: Given): Promise<void> {
  await withJournal(given, listRuns);
}

/** Returns the exit code. */
export async function listRuns({ journal, clock, io, settings, command }: Here): Promise<number> {
  const runs = await runsNow(journal);
  if (settings.json) io.stdout(jsonLine<z.output<typeof output>>({ runs: runs.map((one) => listedOf(one, command)) }));
  else if (runs.length === 0) io.stdout('No runs yet. Make the first with `payrun run FILE`.\n');
  else io.stdout(runsText(runs, clock.wallMs()));
  return EXIT.ok;
}

function listedOf(
  { summary, state, counts, retriedBy, queued, start }: RunNow,
  command: CommandLine,
): z.output<typeof listedRun> {
  const { run_id, created_at, header } = summary;
  const { name, path, sha256, bytes } = header.input;
  return {
    run_id,
    state,
    counts,
    rehearsal: header.rehearsal,
    input: { name, path, sha256, bytes },
    job: header.job,
    period: header.period,
    retries: header.retries,
    retried_by: retriedBy,
    ...(start !== null && { scheduled: scheduledResult(start) }),
    created_at: isoUtc(created_at),
    ...(queued !== null && { worker: waitingRunOf(queued, command) }),
  };
}

const COLUMNS = [
  'RUN',
  'STATE',
  'CREATED',
  { title: 'JOB', widthMax: 24 },
  { title: 'INPUT', widthMax: 40 },
  'PAYOUTS',
];

function runsText(runs: readonly RunNow[], nowMs: number): string {
  const rows = runs.map(({ summary, state: standing, counts, queued, isWaiting, start }) => {
    const state = isWaiting ? `waiting for a worker${queued?.why === null ? '' : ' (left by one)'}` : standing;
    const { run_id, created_at, header, isPlanned } = summary;
    const created = isoUtc(created_at);
    // A plan with its age; one that was cancelled before anybody started it is no cancelled run.
    const starts = start === null ? '' : `, for ${zoneText(start.at, start.time_zone)}`;
    const planned = state === 'planned' ? `planned ${agoText(nowMs - created_at)}${starts}` : 'cancelled plan';
    return [
      run_id,
      isPlanned ? planned : state.replace('_', ' '),
      // To the second: people compare it with their clock.
      `${created.slice(0, 10)} ${created.slice(11, 19)}Z`,
      header.job ?? '',
      header.input.name,
      countsText(counts) + (header.rehearsal ? ' (rehearsal)' : ''),
    ];
  });
  const table = textTable(COLUMNS, rows);
  return runs.some(({ summary }) => summary.header.rehearsal)
    ? `${table}\n(rehearsal) ${messages.outcomes.rehearsalBand()}\n`
    : table;
}
