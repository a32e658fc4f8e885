import { endingsOfCopy } from '../../../app/check/check-file.ts';
import type { Copied } from '../../../app/check/copies.ts';
import { refuseOutput, requireEnding, writeOutput } from '../../../compose/machine/write-output.ts';
import { problemPlace } from '../../../domain/problem.ts';
import { plainCommand } from '../../../messages/command-line.ts';
import { counted, printable } from '../../../messages/text.ts';
import type { Read } from '../../input/check-text.ts';
import { quotedValue } from '../../input/problem-text.ts';
import type { CheckOutput } from './output.ts';

/** So many changes are listed on the screen; `--json` has them all. */
const CHANGES_SHOWN = 1_000;

/** Where a copy of the input goes, and of which kind it is. */
export type CopyOption = { kind: 'annotated' | 'fixed'; path: string; force: boolean };

/**
 * Refuses (`output_unusable`) a name that cannot be written, before the input is read. An earlier annotation may be replaced,
 * unless somebody has saved it since: that is work.
 */
export async function requireCopyName({ kind, path, force }: CopyOption, input: string): Promise<void> {
  const isAnnotated = kind === 'annotated';
  const option = isAnnotated ? '--annotate' : '--fix';
  const { isUntouchedCopy } = await import('../../../app/check/copies.ts');
  requireEnding({ path, option }, isAnnotated ? ['.xlsx'] : await endingsOfCopy(input), { isOfInput: !isAnnotated });
  const mayReplace = force || (isAnnotated && (await isUntouchedCopy(path)));
  await refuseOutput({ path, option, mayReplace, neverOver: input });
}

/** What a copy adds to the answer of `check`. */
export type CopyAnswer = { json: Pick<CheckOutput, 'annotated' | 'fixed'>; text: string };

/** Writes the copy. `remaining` checks a copy that was written. Refuses (`output_not_written`) where it cannot be written. */
export async function writeCopy(
  copied: Copied,
  path: string,
  remaining: () => Promise<Pick<Read, 'problemCounts'>>,
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

type Fixed = NonNullable<CheckOutput['fixed']>;

function fixedText({ file, changes, left, remaining }: Fixed): string {
  const more = changes.length - CHANGES_SHOWN;
  return [
    `${counted(changes.length, 'cell')} changed in ${file}, and nothing else:`,
    ...changes.slice(0, CHANGES_SHOWN).map(changeText),
    ...(more > 0 ? [`  and ${counted(more, 'more')}, which --json lists`] : []),
    ...left.map(leftText),
    `There remain ${counted(remaining.errors, 'error')}, ${counted(remaining.warnings, 'warning')}: ${plainCommand('check', file)}`,
  ].join('\n');
}

function leftText(left: Fixed['left'][number]): string {
  const place = printable(problemPlace({ ...left, row: null }));
  return `Left to you: ${place}  ${quotedValue(left.suggestion)}. ${left.why}`;
}

function changeText(change: Fixed['changes'][number]): string {
  const place = printable(problemPlace({ ...change, row: null }));
  return `  ${place}  ${quotedValue(change.old)} → ${quotedValue(change.new)}  ${printable(change.message)}`;
}
