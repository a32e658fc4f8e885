import { extname } from 'node:path';
import type { Copied } from '../../../app/check/copies.ts';
import { problemPlace } from '../../../domain/problem.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Change, Left } from '../../../input/corrections/fix.ts';
import type { ReadResult } from '../../../input/input.ts';
import { counted, printable } from '../../../messages/text.ts';
import { plainCommand } from '../../../report/command-line.ts';
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
  const ending = extname(input).toLowerCase();
  const isNamedWell = extname(path).toLowerCase() === (kind === 'annotated' ? '.xlsx' : ending);
  if (kind === 'annotated' && !isNamedWell)
    throw new Refusal('usage', `--annotate: ${path} is no .xlsx file.`, 'Give a name that ends in .xlsx.');
  if (!isNamedWell)
    throw new Refusal(
      'usage',
      `--fix: ${path} is no ${ending} file, and the input is one.`,
      `Give a name that ends in ${ending}.`,
    );
  const option = kind === 'annotated' ? '--annotate' : '--fix';
  await refuseOutput(path, { neverOver: [input], mayReplace: force || (await mayReplace(kind, path)), option });
}

async function mayReplace(kind: CopyOption['kind'], path: string): Promise<boolean> {
  if (kind === 'fixed') return false;
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
  switch (copied.outcome) {
    case 'nothing_to_mark':
      return { json: { annotated: null }, text: `There is nothing to mark: ${path} was not written.` };
    case 'no_rows':
      return {
        json: { annotated: null },
        text: `There are no rows in which something could be marked: ${path} was not written.`,
      };
    case 'nothing_to_fix':
      return { json: { fixed: null }, text: `There is nothing that is safe to change: ${path} was not written.` };
    case 'annotated': {
      const { content, cells, problems, left } = copied;
      await writeOutput(path, content);
      const beyond = left === 0 ? '' : ` ${counted(left, 'more problem')} did not fit.`;
      return {
        json: { annotated: { file: path, cells, problems, left } },
        text: `${counted(cells, 'cell')} marked in ${path}.${beyond} Mend them there, save, and check that file.`,
      };
    }
    case 'fixed': {
      const { content, changes, left } = copied;
      await writeOutput(path, content);
      const { errors, warnings } = (await remaining()).problemCounts;
      return {
        json: { fixed: { file: path, changes: [...changes], left: [...left], remaining: { errors, warnings } } },
        text: fixedText(copied, path, { errors, warnings }),
      };
    }
    case 'cells':
      return { json: {}, text: '' };
  }
}

type Remaining = ReadResult['problemCounts'];

function fixedText(
  { changes, left }: { changes: readonly Change[]; left: readonly Left[] },
  path: string,
  { errors, warnings }: Remaining,
): string {
  return [
    `${counted(changes.length, 'cell')} changed in ${path}, and nothing else:`,
    ...changes.slice(0, CHANGES_SHOWN).map(changeText),
    ...(changes.length > CHANGES_SHOWN
      ? [`  and ${counted(changes.length - CHANGES_SHOWN, 'more')}, which --json lists`]
      : []),
    ...left.map(leftText),
    `There remain ${counted(errors, 'error')}, ${counted(warnings, 'warning')}: ${plainCommand('check', path)}`,
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
