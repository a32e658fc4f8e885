import { z } from 'zod';
import { Refusal } from '../domain/refusal.ts';
import type { ReasonOf } from '../domain/refusals/reason.ts';
import { printable } from '../messages/text.ts';

const place = z.strictObject({ line: z.int(), column: z.int() }).describe('Lines and columns begin at 1.');
export type Place = z.output<typeof place>;

export const placedProblem = place.extend({ message: z.string(), remedy: z.string() });

/** What is wrong at a place of a file, and how to correct it. */
export type PlacedProblem = z.output<typeof placedProblem>;

/** So many problems of one file are shown: more of them have one cause. */
export const PROBLEMS_MAX = 50;

const SHOWN_MAX = 60;

/** What a file of settings is. */
export type FileKind = ReasonOf<'file_problems'>['kind'];

/** One refusal (`usage`) of a file, with its problems in the order of the file. */
export function fileRefusal(file: string, kind: FileKind, problems: readonly PlacedProblem[]): Refusal {
  const shown = problems.slice(0, PROBLEMS_MAX);
  return new Refusal({ code: 'file_problems', file, kind, problems: shown, more: problems.length - shown.length });
}

/** A text of the file as a message shows it. */
export function shown(text: string): string {
  const plain = printable(text.replace(/[\t\r\n]/g, '\uFFFD'));
  return `\`${plain.length > SHOWN_MAX ? `${plain.slice(0, SHOWN_MAX)}…` : plain}\``;
}
