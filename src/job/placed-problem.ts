import { z } from 'zod';
import { Refusal } from '../domain/refusal.ts';
import { printable } from '../messages/text.ts';

const place = z.strictObject({ line: z.int(), column: z.int() }).describe('Lines and columns begin at 1.');
export type Place = z.output<typeof place>;

export const placedProblem = place.extend({ message: z.string(), remedy: z.string() });

/** What is wrong at a place of a file, and how to correct it. */
export type PlacedProblem = z.output<typeof placedProblem>;

/** So many problems of one file are shown: more of them have one cause. */
export const PROBLEMS_MAX = 50;

const SHOWN_MAX = 60;

/** `jobs/a.yaml:7:3: what; what to write`. */
export function problemLine(file: string, { line, column, message, remedy }: PlacedProblem): string {
  return `${file}:${line}:${column}: ${message}; ${remedy}`;
}

/** One refusal (`usage`) of a file, with a line for each problem in the order of the file. */
export function fileRefusal(file: string, problems: readonly PlacedProblem[], remedy: string): Refusal {
  const lines = problems.slice(0, PROBLEMS_MAX).map((problem) => problemLine(file, problem));
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`${file}: and ${more} more`);
  return new Refusal('usage', lines.join('\n'), remedy);
}

/** A text of the file as a message shows it. */
export function shown(text: string): string {
  const plain = printable(text.replace(/[\t\r\n]/g, '\uFFFD'));
  return `\`${plain.length > SHOWN_MAX ? `${plain.slice(0, SHOWN_MAX)}…` : plain}\``;
}
