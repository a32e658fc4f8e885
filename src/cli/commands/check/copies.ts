import { extname } from 'node:path';
import { type Problem, problemPlace } from '../../../domain/problem.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Audience } from '../../../domain/wording.ts';
import { annotate } from '../../../input/corrections/annotate.ts';
import { type Change, fix, type Left, SafeSuggestions } from '../../../input/corrections/fix.ts';
import { ProblemsToWrite } from '../../../input/corrections/problem-marks.ts';
import { type ReadResult, readInput } from '../../../input/input.ts';
import type { ReadOptions } from '../../../input/read-options.ts';
import { type InputSource, openFile } from '../../../input/source/file.ts';
import { worded } from '../../../messages/wordings.ts';
import { plainCommand } from '../../../report/command-line.ts';
import { counted, printable, quotedValue } from '../../problem-text.ts';
import { refuseOutput, writeOutput } from '../../write-output.ts';

/** So many changes are listed on the screen; `--json` has them all. */
const CHANGES_SHOWN = 1_000;

/** What a copy adds to the answer of `check`. */
export type CopyOutcome = { json: Record<string, unknown>; text: string };

/** A copy that is written when the input was read: what it hears meanwhile, and how it is written. */
export type Copy = { onProblem(problem: Problem): void; write(result: ReadResult): Promise<CopyOutcome> };

/**
 * The copy with the problems marked in it. Refuses (kind `usage`) a name that cannot be written, before the input is
 * read. An earlier annotation may be replaced, unless somebody has saved it since: that is work. `audience` reads it.
 */
export async function annotatedCopy(
  source: InputSource,
  out: string,
  { force, audience }: { force: boolean; audience: Audience },
): Promise<Copy> {
  if (extname(out).toLowerCase() !== '.xlsx')
    throw new Refusal('usage', `--annotate: ${out} is no .xlsx file.`, 'Give a name that ends in .xlsx.');
  const { isUntouchedAnnotation } = await import('../../../input/corrections/xlsx/annotation.ts');
  const mayReplace = force || (await isUntouchedAnnotation(out));
  await refuseOutput(out, { neverOver: [source.path], mayReplace, option: '--annotate' });
  const problems = new ProblemsToWrite();
  return {
    onProblem: (problem) => problems.add(worded(problem, audience)),
    write: (result) => writeAnnotated(source, out, result, problems),
  };
}

/** The copy with the safe suggestions applied. Refuses (kind `usage`) a name that cannot be written. */
export async function fixedCopy(source: InputSource, out: string, force: boolean, reading: ReadOptions): Promise<Copy> {
  const kind = extname(source.path).toLowerCase();
  if (extname(out).toLowerCase() !== kind)
    throw new Refusal(
      'usage',
      `--fix: ${out} is no ${kind} file, and the input is one.`,
      `Give a name that ends in ${kind}.`,
    );
  await refuseOutput(out, { neverOver: [source.path], mayReplace: force, option: '--fix' });
  const suggestions = new SafeSuggestions();
  return {
    onProblem: (problem) => suggestions.add(problem),
    write: (result) => writeFixed(source, out, result, suggestions, reading),
  };
}

/** Writes the input with its problems marked in it, where there are any and their cells are known. */
async function writeAnnotated(
  source: InputSource,
  out: string,
  result: ReadResult,
  problems: ProblemsToWrite,
): Promise<CopyOutcome> {
  if (problems.all.length === 0)
    return { json: { annotated: null }, text: `There is nothing to mark: ${out} was not written.` };
  if (result.headerRow === null)
    return {
      json: { annotated: null },
      text: `There are no rows in which something could be marked: ${out} was not written.`,
    };
  const { workbook, marks, left } = await annotate(source, result, problems);
  await writeOutput(out, workbook);
  const beyond = left === 0 ? '' : ` ${counted(left, 'more problem')} did not fit.`;
  return {
    json: { annotated: { file: out, cells: marks, problems: problems.all.length, left } },
    text: `${counted(marks, 'cell')} marked in ${out}.${beyond} Mend them there, save, and check that file.`,
  };
}

/** Writes a copy with the safe suggestions applied, where there are any, and says what remains to be mended in it. */
async function writeFixed(
  source: InputSource,
  out: string,
  result: ReadResult,
  suggestions: SafeSuggestions,
  reading: ReadOptions,
): Promise<CopyOutcome> {
  const fixed = await fix(source, result, suggestions);
  if (fixed === null)
    return { json: { fixed: null }, text: `There is nothing that is safe to change: ${out} was not written.` };
  const { content, changes, left } = fixed;
  await writeOutput(out, content);
  const { problemCounts } = await readInput(await openFile(out), reading);
  const { errors, warnings } = problemCounts;
  return {
    json: { fixed: { file: out, changes, left, remaining: { errors, warnings } } },
    text: [
      `${counted(changes.length, 'cell')} changed in ${out}, and nothing else:`,
      ...changes.slice(0, CHANGES_SHOWN).map(changeText),
      ...(changes.length > CHANGES_SHOWN
        ? [`  and ${counted(changes.length - CHANGES_SHOWN, 'more')}, which --json lists`]
        : []),
      ...left.map(leftText),
      `There remain ${counted(errors, 'error')}, ${counted(warnings, 'warning')}: ${plainCommand('check', out)}`,
    ].join('\n'),
  };
}

function leftText(left: Left): string {
  const place = printable(problemPlace({ ...left, row: null }));
  return `Left to you: ${place}  ${quotedValue(left.suggestion)}. ${left.why}`;
}

function changeText(change: Change): string {
  const place = printable(problemPlace({ ...change, row: null }));
  return `  ${place}  ${quotedValue(change.old)} → ${quotedValue(change.new)}  ${printable(change.message)}`;
}
