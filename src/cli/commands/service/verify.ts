import process from 'node:process';
import type { z } from 'zod';
import { booksExamined, examineBooks } from '../../../compose/service/books.ts';
import { readSettings } from '../../../compose/settings.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';
import { processIo } from '../../terminal.ts';

export const output = booksExamined.extend({ exit: exitCode }).meta(booksExamined.meta() ?? {});
type Examined = z.output<typeof output>;

/** `payrun service verify`: recomputes the books of a data directory. Exits with 0 where nothing is wrong, else 5. */
export function run(given: Given): void {
  const settings = readSettings(given, process.env);
  const examined = examineBooks(settings.dataDir);
  const exit = examined.findings.length === 0 ? EXIT.ok : EXIT.person_needed;
  const here = { io: processIo(process.env), settings };
  process.exitCode = print<Examined>(here, { ...examined, exit }, () => examinedText(examined));
}

function examinedText({ findings, transactions, postings }: Omit<Examined, 'exit'>): string {
  const examined = `${transactions} transactions, ${postings} postings`;
  if (findings.length === 0) return `${examined}: every balance is the sum of its postings, and nothing is wrong.\n`;
  return `${examined}: ${findings.length} findings.\n${findings.map((finding) => `- ${finding}\n`).join('')}`;
}
