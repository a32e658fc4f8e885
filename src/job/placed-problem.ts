import { Refusal } from '../domain/refusal.ts';
import type { ReasonOf } from '../domain/refusals/reason.ts';
import type { FileProblem } from '../domain/refusals/settings-faults.ts';

/** Lines and columns begin at 1. */
export type Place = { line: number; column: number };

/** So many problems of one file are shown: more of them have one cause. */
export const PROBLEMS_MAX = 50;

/** What a file of settings is. */
export type FileKind = ReasonOf<'file_problems'>['kind'];

/** One refusal (`usage`) of a file, with its problems in the order of the file. */
export function fileRefusal(file: string, kind: FileKind, problems: readonly FileProblem[]): Refusal {
  const shown = problems.slice(0, PROBLEMS_MAX);
  return new Refusal({ code: 'file_problems', file, kind, problems: shown, more: problems.length - shown.length });
}
