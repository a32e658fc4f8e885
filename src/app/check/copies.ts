import { z } from 'zod';
import { text } from '../../domain/entries/members.ts';
import type { Problem } from '../../domain/problem.ts';
import { Refusal } from '../../domain/refusal.ts';
import { annotate } from '../../input/corrections/annotate.ts';
import { type Correctable, type Fixed, fix, SafeSuggestions } from '../../input/corrections/fix.ts';
import { ProblemsToWrite } from '../../input/corrections/problem-marks.ts';
import type { ReadResult } from '../../input/read-result.ts';
import type { InputSource } from '../../input/source/file.ts';
import { messages } from '../../messages/messages.ts';
import type { Audience } from '../../messages/problems/words.ts';
import { asViewer, type Viewer } from '../../messages/viewer.ts';

const place = { sheet: text.nullable(), cell: text, column: text.nullable() };

/** One cell that a corrected copy holds another text in, and why. */
export const change = z.strictObject({ ...place, old: text, new: text, code: text, message: text });
export type Change = z.output<typeof change>;

/** A cell with a safe suggestion that is left to the person, and why. */
export const left = z.strictObject({ ...place, suggestion: text, why: text });
export type Left = z.output<typeof left>;

/** What came of a copy of the input. */
export type Copied =
  | { outcome: 'nothing_to_mark' }
  /** There are problems, and no rows in which they could be marked. */
  | { outcome: 'no_rows' }
  /** `cells` are marked by `problems`; `left` more problems did not fit. */
  | { outcome: 'annotated'; content: Uint8Array; cells: number; problems: number; left: number }
  | { outcome: 'nothing_to_fix' }
  | { outcome: 'fixed'; content: Uint8Array; changes: readonly Change[]; left: readonly Left[] }
  | { outcome: 'cells'; rows: number };

/** A copy that is made when the input was read: what it takes meanwhile, and how it is made. */
export type Copy = { onProblem(problem: Problem): void; make(result: ReadResult): Promise<Copied> };

/** With the problems marked in it, in the words and the language of its reader. */
export function annotatedCopy(source: InputSource, audience: Audience, reader: Viewer): Copy {
  const problems = new ProblemsToWrite();
  const forReader = <Result>(work: () => Result): Result => asViewer(reader, work);
  return {
    onProblem: (problem) => problems.add(forReader(() => messages.problems.worded(problem, audience))),
    async make(result) {
      refuseBankFile(result);
      if (problems.all.length === 0) return { outcome: 'nothing_to_mark' };
      if (result.headerRow === null) return { outcome: 'no_rows' };
      const { workbook, marks, left } = await forReader(() =>
        annotate(source, result, problems, messages.problems.markWords()),
      );
      return { outcome: 'annotated', content: workbook, cells: marks, problems: problems.all.length, left };
    },
  };
}

/** A bank file has no cells to mark, and control figures that a changed copy would contradict. */
function refuseBankFile({ format, input }: ReadResult): void {
  if (format !== null) throw new Refusal({ code: 'bank_file_not_copied', name: input.name });
}

/** With the safe suggestions applied. */
export function fixedCopy(source: InputSource): Copy {
  const suggestions = new SafeSuggestions();
  return {
    onProblem: (problem) => suggestions.add(problem),
    async make(result) {
      refuseBankFile(result);
      const fixed = await fix(source, result, suggestions);
      return fixed === null ? { outcome: 'nothing_to_fix' } : fixedOutcome(fixed);
    },
  };
}

function fixedOutcome({ content, changes, left }: Fixed): Copied {
  return {
    outcome: 'fixed',
    content,
    changes: changes.map(({ problem, old }) => ({
      ...placeOf(problem),
      old,
      new: problem.suggestion,
      code: problem.code,
      message: messages.problems.problemWords(problem, 'command_line').message,
    })),
    left: left.map(({ problem, why }) => ({
      ...placeOf(problem),
      suggestion: problem.suggestion,
      why: messages.files.LEFT_WORDS[why],
    })),
  };
}

function placeOf({ sheet, cell, column }: Correctable): Pick<Change, 'sheet' | 'cell' | 'column'> {
  return { sheet, cell, column };
}

/** Whether the file is an annotated copy that nobody has saved since. */
export async function isUntouchedCopy(path: string): Promise<boolean> {
  const { isUntouchedAnnotation } = await import('../../input/corrections/xlsx/annotation.ts');
  return isUntouchedAnnotation(path);
}
