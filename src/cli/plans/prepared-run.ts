import process from 'node:process';
import { groupsJson, mappingOf, problemJson } from '../../app/check/check-result.ts';
import { gatherInput } from '../../app/plan/gather.ts';
import type { Gathered, Given as GivenOfApp } from '../../app/plan/given.ts';
import { readExplicitColumns } from '../../compose/column-option.ts';
import { commandsFor } from '../../compose/command-hints.ts';
import { readSigningKey } from '../../compose/connect.ts';
import { type JobPeriod, periodOfRun } from '../../compose/job-period.ts';
import { inputOf, jobText, readNamedJob } from '../../compose/named-input.ts';
import { readProfile } from '../../compose/profile.ts';
import { readSettings, type Settings } from '../../compose/settings.ts';
import { noteOf } from '../../compose/webhooks.ts';
import type { ReadResult } from '../../input/input.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import { rowsText } from '../../messages/text.ts';
import { machineClock, machineRandomness } from '../../platform/machine.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { checkText } from '../commands/check/check-text.ts';
import { EXIT } from '../exit.ts';
import { columnsText } from '../input/explicit-columns.ts';
import { sourceOf } from '../jobs/job-today.ts';
import { jsonLine } from '../json/line.ts';
import type { RefusedInput } from '../json/refusal.ts';
import { type Io, processIo } from '../terminal.ts';

/** What the command line, the environment and the job say of a run or a plan. */
export type Given = GivenOfApp & {
  period: JobPeriod | null;
  settings: Settings;
  io: Io;
  key: SigningKey | null;
  command: CommandLine;
};

/**
 * Reads job, options and key file: what can be refused without the input is refused before it. Throws a `Refusal`
 * (`usage`) or a `KeyFileError`.
 */
export async function openGiven(
  options: Record<string, unknown>,
  { environment, io }: { environment: NodeJS.ProcessEnv; io: Io } = commandMeans(),
): Promise<Given> {
  const job = await readNamedJob(String(options.input));
  const settings = readSettings(options, environment, job);
  const profile = readProfile(settings, process.env, job);
  const period = await periodOfRun(job, settings.period, machineClock.wallMs());
  return givenHere({ job, period, settings, io, profile, key: readSigningKey(profile) });
}

function commandMeans() {
  return { environment: process.env, io: processIo(process.env) };
}

/** The same with the clock of this machine, and who is notified of what. */
export function givenHere(of: Pick<Given, 'job' | 'period' | 'settings' | 'io' | 'profile' | 'key'>): Given {
  const { job, settings, io } = of;
  return {
    ...of,
    jobSource: job && sourceOf(job),
    columns: readExplicitColumns(settings.column ?? []),
    clock: machineClock,
    randomness: machineRandomness,
    command: commandsFor(settings),
    onLeftOut: (rows) => noteOf(io, settings)(leftOutText(rows)),
  };
}

function leftOutText(rows: readonly number[]): string {
  const [they, which] = rows.length === 1 ? ['it was', 'row'] : ['they were', 'rows'];
  return `Left out, as ${they} paid before: ${which} ${rowsText(rows)}.`;
}

/** The input that is named, or the job's. */
export async function chosenInput(named: string, { job, period, settings, io }: Given): Promise<ChosenInput> {
  const chosen = await inputOf(named, job, settings.file);
  if (job !== null) noteOf(io, settings)(jobText(job, chosen, period));
  return chosen;
}

/**
 * Reads the whole input. Null where its problems refuse it: they are printed and the exit code is set. With `showsChanges`
 * the caller shows changed bank details itself, before anything is confirmed. Throws a `Refusal` as `gatherInput` does.
 */
export async function gather(
  named: string,
  given: Given,
  { showsChanges = false, isCorrection = false } = {},
): Promise<Gathered | null> {
  const gathered = await gatherInput(given, await chosenInput(named, given), { isCorrection });
  if (gathered.outcome === 'has_problems') {
    refuseInput(gathered, given);
    return null;
  }
  showRead(gathered, given, { showsChanges });
  return gathered;
}

/** The columns and the warnings of an input that is to be paid. */
export function showRead(
  { read, columns }: Gathered,
  { job, settings, io }: Given,
  { showsChanges }: { showsChanges: boolean },
): void {
  io.stderr(columnsText(columns, job));
  if (read.problems.length === 0 || settings.json || settings.quiet) return;
  const problemGroups = read.problemGroups.filter(({ code }) => !showsChanges || code !== 'account_changed');
  io.stderr(checkText({ ...read, problemGroups }, { quiet: false, colour: io.colour }));
}

/** Prints why an input is refused, and sets the exit code. */
export function refuseInput({ read, columns }: Gathered, { job, settings, io }: Given): void {
  io.stderr(columnsText(columns, job));
  process.exitCode = EXIT.input;
  if (settings.json) {
    io.stdout(jsonLine<RefusedInput>(refusedResult(read)));
    return;
  }
  io.stdout(checkText(read, { quiet: settings.quiet, colour: io.colour }));
  const isRestPayable = read.isWhole && read.payouts > 0;
  io.stderr(
    `Nothing was sent. Mend the file${isRestPayable ? ', or pay the rows without problems with --only-valid' : ''}.\n`,
  );
}

function refusedResult(read: ReadResult): RefusedInput {
  const { name, sha256, bytes } = read.input;
  return {
    run_id: null,
    state: 'refused',
    input: { name, sha256, bytes },
    problems: read.problems.map(problemJson),
    groups: groupsJson(read),
    ...mappingOf(read),
    exit: EXIT.input,
  };
}
