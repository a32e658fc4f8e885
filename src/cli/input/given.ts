import process from 'node:process';
import { givenWithHeaders, groupsJson, problemJson } from '../../app/check/check-result.ts';
import { gatherInput } from '../../app/plan/gather.ts';
import type { Gathered } from '../../app/plan/given.ts';
import { type Given as GivenOfSettings, openGiven } from '../../compose/given.ts';
import { inputOf } from '../../compose/named-input.ts';
import { noteOf } from '../../compose/webhooks.ts';
import { messages } from '../../messages/messages.ts';
import { rowsText } from '../../messages/text.ts';
import { EXIT } from '../exit.ts';
import type { RefusedInput } from '../json/outputs.ts';
import { jsonLine } from '../json/print.ts';
import { type Io, processIo } from '../terminal.ts';
import { checkText } from './check-text.ts';
import { columnsText } from './columns-text.ts';

/** The command line, the environment and the job, as a run or a plan is made by them. */
export type Given = GivenOfSettings & { io: Io };

/** Throws a `Refusal` (`usage`) or a `KeyFileError`, as `openGiven` does. */
export async function openGivenHere(options: Record<string, unknown>): Promise<Given> {
  return givenHere(await openGiven(options, process.env), processIo(process.env));
}

export function givenHere(given: GivenOfSettings, io: Io): Given {
  return { ...given, io, onLeftOut: (rows) => noteOf(io, given.settings)(leftOutText(rows)) };
}

function leftOutText(rows: readonly number[]): string {
  const [they, which] = rows.length === 1 ? ['it was', 'row'] : ['they were', 'rows'];
  return `Left out, as ${they} paid before: ${which} ${rowsText(rows)}.`;
}

/** The input that is named, or the job's. */
export async function chosenInput(named: string, { job, period, settings, io }: Given): ReturnType<typeof inputOf> {
  const chosen = await inputOf(named, job, settings.file);
  const note = noteOf(io, settings);
  if (job !== null) note(messages.process.jobText(job, chosen));
  if (job !== null && period !== null) note(messages.process.periodText(period));
  return chosen;
}

/**
 * Reads the whole input of a run, and shows it as `showRead` does, but for changed bank details: those are shown where the
 * payment is confirmed. Null where its problems refuse it: they are printed and the exit code is set. Throws a `Refusal` as
 * `gatherInput` does.
 */
export async function gather(named: string, given: Given): Promise<Gathered | null> {
  const gathered = await gatherInput(given, await chosenInput(named, given));
  if (gathered.outcome === 'has_problems') {
    refuseInput(gathered, given);
    return null;
  }
  showRead(gathered, given, { showsChanges: true });
  return gathered;
}

/** The columns and the warnings of an input that is to be paid. `showsChanges`: changed bank details are shown elsewhere. */
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

function refusedResult(read: Gathered['read']): RefusedInput {
  const { name, sha256, bytes } = read.input;
  return {
    run_id: null,
    state: 'refused',
    input: { name, sha256, bytes },
    problems: read.problems.map(problemJson),
    groups: groupsJson(read),
    ...givenWithHeaders(read),
    exit: EXIT.input,
  };
}
