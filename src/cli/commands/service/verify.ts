import process from 'node:process';
import { readSettings } from '../../../compose/settings.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { ServiceDataUnusable } from '../../../service/store/schema.ts';
import { type Examination, verifyData } from '../../../service/verify/verify.ts';
import { EXIT } from '../../exit.ts';
import { printResult } from '../../json/line.ts';
import { processIo } from '../../terminal.ts';
import type { ServiceVerifyOutput } from './json.ts';

/**
 * `payrun service verify`: recomputes the books of a data directory. Exit 0 where nothing is wrong, else 5. Throws a
 * `Refusal` (`usage`) where there is no data, or data that this payrun cannot read.
 */
export function verifyServiceCommand(options: Record<string, unknown>): void {
  const { dataDir, json } = readSettings(options, process.env);
  const examined = examine(dataDir);
  const exit = examined.findings.length === 0 ? EXIT.ok : EXIT.person_needed;
  const to = { stdout: processIo(process.env).stdout, json };
  process.exitCode = printResult<ServiceVerifyOutput>(to, { ...examined, exit }, () => examinationText(examined));
}

function examine(dataDir: string): Examination {
  try {
    const examined = verifyData(dataDir);
    if (examined !== null) return examined;
  } catch (error) {
    if (!(error instanceof ServiceDataUnusable)) throw error;
    throw new Refusal('usage', `${error.message}.`, 'Name another directory with --data-dir.');
  }
  const remedy = 'Name the directory with --data-dir, or make it with `payrun service`.';
  throw new Refusal('usage', `There is no data of the shipped service in ${dataDir}.`, remedy);
}

function examinationText({ findings, transactions, postings }: Examination): string {
  const examined = `${transactions} transactions, ${postings} postings`;
  if (findings.length === 0) return `${examined}: every balance is the sum of its postings, and nothing is wrong.\n`;
  return `${examined}: ${findings.length} findings.\n${findings.map((finding) => `- ${finding}\n`).join('')}`;
}
