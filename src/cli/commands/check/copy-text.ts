import { extname } from 'node:path';
import type { Change, Copied, Left } from '../../../app/check/copies.ts';
import { problemPlace } from '../../../domain/problem.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { ReadResult } from '../../../input/input.ts';
import { plainCommand } from '../../../messages/command-line.ts';
import { counted, printable } from '../../../messages/text.ts';
import { quotedValue } from '../../problem-text.ts';
import { refuseOutput, writeOutput } from '../../write-output.ts';
import type { CheckOutput } from './json.ts';

/** So many changes are listed on the screen; `--json` has them all. */
const CHANGES_SHOWN = 1_000;

/** Where a copy of the input goes, and of which kind it is. */
export type CopyOption = { kind: 'annotated' | 'fixed'; path: string; force: boolean };

/**
 * Refuses (kind `usage`) a name that cannot be written, before the input is read. An earlier annotation may be replaced,
 * unless somebody has saved it since: that is work.
 */
export async function requireCopyName({ kind, path, force }: CopyOption, input: string): Promise<void> {
  const isAnnotated = kind === 'annotated';
  const option = isAnnotated ? '--annotate' : '--fix';
  const ending = isAnnotated ? '.xlsx' : extname(input).toLowerCase();
  if (extname(path).toLowerCase() !== ending) {
    const message = `${option}: ${path} is no ${ending} file${isAnnotated ? '' : ', and the input is one'}.`;
    throw new Refusal('usage', message, `Give a name that ends in ${ending}.`);
  }
  const mayReplace = force || (isAnnotated && (await isUntouched(path)));
  await refuseOutput(path, { neverOver: [input], mayReplace, option });
}

async function isUntouched(path: string): Promise<boolean> {
  const { isUntouchedAnnotation } = await import('../../../input/corrections/xlsx/annotation.ts');
  return isUntouchedAnnotation(path);
}

/** What a copy adds to the answer of `check`. */
export type CopyAnswer = { json: Pick<CheckOutput, 'annotated' | 'fixed'>; text: string };

/** Writes the copy. `remaining` checks a copy that was written. Refuses (kind `usage`) where it cannot be written. */
export async function writeCopy(
  copied: Copied,
  path: string,
  remaining: () => Promise<Pick<ReadResult, 'problemCounts'>>,
): Promise<CopyAnswer> {
  const notWritten = `${path} was not written.`;
  switch (copied.outcome) {
    case 'nothing_to_mark':
      return { json: { annotated: null }, text: `There is nothing to mark: ${notWritten}` };
    case 'no_rows':
      return { json: { annotated: null }, text: `There are no rows in which something could be marked: ${notWritten}` };
    case 'nothing_to_fix':
      return { json: { fixed: null }, text: `There is nothing that is safe to change: ${notWritten}` };
    case 'annotated': {
      const { content, cells, problems, left } = copied;
      await writeOutput(path, content);
      const beyond = left === 0 ? '' : ` ${counted(left, 'more problem')} did not fit.`;
      const text = `${counted(cells, 'cell')} marked in ${path}.${beyond} Correct them there, save, and check that file.`;
      return { json: { annotated: { file: path, cells, problems, left } }, text };
    }
    case 'fixed': {
      const { content, changes, left } = copied;
      await writeOutput(path, content);
      const { errors, warnings } = (await remaining()).problemCounts;
      const fixed = { file: path, changes: [...changes], left: [...left], remaining: { errors, warnings } };
      return { json: { fixed }, text: fixedText(fixed) };
    }
    case 'cells':
      return { json: {}, text: '' };
  }
}

function fixedText({ file, changes, left, remaining }: NonNullable<CheckOutput['fixed']>): string {
  const more = changes.length - CHANGES_SHOWN;
  return [
    `${counted(changes.length, 'cell')} changed in ${file}, and nothing else:`,
    ...changes.slice(0, CHANGES_SHOWN).map(changeText),
    ...(more > 0 ? [`  and ${counted(more, 'more')}, which --json lists`] : []),
    ...left.map(leftText),
    `There remain ${counted(remaining.errors, 'error')}, ${counted(remaining.warnings, 'warning')}: ${plainCommand('check', file)}`,
  ].join('\n');
}

function leftText(left: Left): string {
  const place = printable(problemPlace({ ...left, row: null }));
  return `Left to you: ${place}  ${quotedValue(left.suggestion)}. ${left.why}`;
}

function changeText(change: Change): string {
  const place = printable(problemPlace({ ...change, row: null }));
  return `  ${place}  ${quotedValue(change.old)} → ${quotedValue(change.new)}  ${printable(change.message)}`;
}
