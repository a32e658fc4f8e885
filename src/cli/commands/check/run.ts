import process from 'node:process';
import { z } from 'zod';
import { type CheckInput, checkFile, endingsOfCopy } from '../../../app/check/check-file.ts';
import { checkJson } from '../../../app/check/check-result.ts';
import { type JobSettings, jobLines, jobSettingsOf } from '../../../app/check/job-settings.ts';
import { inputOf, readExplicitColumns, readNamedJob } from '../../../compose/named-input.ts';
import { readSettings } from '../../../compose/settings.ts';
import { plainCommand } from '../../../messages/command-line.ts';
import { messages } from '../../../messages/messages.ts';
import { counted, printable } from '../../../messages/text.ts';
import { ANYBODY } from '../../../messages/viewer.ts';
import { machineClock } from '../../../platform/machine.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { answerLines } from '../../input/answer-lines.ts';
import { checkText, type Read } from '../../input/check-text.ts';
import { columnsText } from '../../input/columns-text.ts';
import { print } from '../../json/print.ts';
import { type Io, processIo } from '../../terminal.ts';
import { type CopyOption, requireCopyName, writeCopy } from './copy.ts';
import type { CheckOutput } from './output.ts';

/** What a file holds: not loaded with the command, which does without. */
export const output = async () => (await import('./output.ts')).checkOutput;

/** Options that only make sense on the command line: each is about one file. */
const copyOptions = z.object({
  annotate: z.string().min(1).optional(),
  fix: z.string().min(1).optional(),
  force: z.boolean().default(false),
});

/**
 * `payrun check FILE|JOB`: parses and validates without any network. Exits with 0 where nothing is wrong but for warnings, 3
 * where there are errors. Throws a Refusal (kind `usage`) for a file that cannot be opened.
 */
export async function run(options: Given, io: Io = processIo(process.env)): Promise<void> {
  const named = String(options.input);
  const job = await readNamedJob(named);
  const settings = readSettings(options, process.env, job);
  const { json, quiet, dataDir, database, forgetColumns, entity } = settings;
  const columns = readExplicitColumns(settings.column ?? []);
  const chosen = await inputOf(named, job, settings.file);
  const { path } = chosen;
  if (job !== null && !json && !quiet) io.stderr(`${messages.process.jobText(job, chosen)}\n`);
  const option = copyOption(options);
  if (option !== null) await requireCopyName(option, path);
  const copy: CheckInput['copy'] =
    option === null ? null : { kind: option.kind, audience: 'command_line', reader: ANYBODY };
  const name = settings.fileName ?? null;
  const input: CheckInput = { path, name, job, entity, settings, columns, forgetColumns, corrects: null, copy };
  const deps = { dataDir, database, clock: machineClock };
  const { source, read, columns: notes, copied, answers } = await checkFile(deps, input);
  io.stderr(columnsText(notes, job));
  const remaining = async () => (await checkFile(deps, { ...input, ...FIXED, path: option?.path ?? '' })).read;
  const written = copied === null || option === null ? null : await writeCopy(copied, option.path, remaining);
  const ofJob = job === null ? {} : { job: job.name, input: { name: source.name, path } };
  const hint = option?.kind === 'fixed' || quiet ? '' : await hintText(read, path);
  const exit = read.problemCounts.errors > 0 ? EXIT.input : EXIT.ok;
  const isAsked = exit !== EXIT.ok && !json && !quiet && option === null;
  const lines = isAsked ? answerLines(named, { ...settings, columns }, await answers()) : '';
  const result = { ...ofJob, ...checkJson(read), exit, ...written?.json };
  process.exitCode = print<CheckOutput>({ io, settings }, result, () => {
    const texts = [
      checkText(read, { quiet, colour: io.colour }),
      hint,
      lines,
      quiet ? '' : linesForJob(read),
      written === null ? '' : `${written.text}\n`,
    ];
    return texts.filter((text) => text !== '').join('\n');
  });
}

/** A fixed copy is read as the input was, under its own name. */
const FIXED = { name: null, copy: null, forgetColumns: false };

function copyOption(options: Given): CopyOption | null {
  const { annotate, fix, force } = copyOptions.parse(options);
  if (annotate !== undefined) return { kind: 'annotated', path: annotate, force };
  return fix === undefined ? null : { kind: 'fixed', path: fix, force };
}

/** The mapping that was given now, with what is remembered, for a job to have. */
function linesForJob(read: Read): string {
  const isGivenNow = [...read.mapping, read.givenCurrency, read.givenEncoding].some(
    (given) => given?.source === 'option',
  );
  const settings = isGivenNow ? jobSettingsOf(read) : null;
  return settings === null ? '' : `For a job, so that nobody need give it again:\n\n${printableLines(settings)}`;
}

function printableLines(settings: JobSettings): string {
  return jobLines(settings)
    .split('\n')
    .map((line) => printable(line))
    .join('\n');
}

/** What the person who reads the problems may want to do next. */
async function hintText({ suggestionCount, format }: Read, path: string): Promise<string> {
  if (suggestionCount === 0 || format !== null) return '';
  const [ending] = await endingsOfCopy(path);
  const command = plainCommand('check', path, '--fix', `mended${ending}`);
  return `${printable(`${counted(suggestionCount, 'suggestion')} can be written for you: ${command}`)}\n`;
}
