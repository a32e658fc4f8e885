import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatePayroll } from '../support/generate-payroll.ts';
import { measure } from './measure.ts';

const LIMIT_PER_SECOND = 10;

/** The share of the rate limit (100 requests in 10 s) used while creating recipients and accounts of new payees. */
export async function benchPayees(folder: string, payrun: string, payees: number): Promise<string[]> {
  const path = join(folder, 'payees.csv');
  const data = join(folder, 'payees-data');
  await generatePayroll({ rows: payees, path, seed: 7, mode: 'full' });
  const where = ['--data-dir', data, '--report-dir', join(data, 'reports')];
  await measure([payrun, 'run', path, '--yes', '--quiet', '--log-level', 'debug', ...where]);
  const log = readFileSync(join(data, 'logs/payrun.log'), 'utf8').trimEnd().split('\n');
  const made = log
    .map((line) => JSON.parse(line))
    .filter(({ msg, operation }) => msg === 'request' && /^account\.(recipient\.create|external\.)/.test(operation));
  const times = made.map(({ time, duration_ms }) => time - duration_ms);
  const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
  // The first request costs nothing: the limit sets the time between two.
  const share = (times.length - 1) / seconds / LIMIT_PER_SECOND;
  return [
    `run, ${payees} new payees at the shipped service: ${times.length} recipients and accounts in ${seconds.toFixed(1)} s`,
    `  share of the limit used          ${share.toFixed(3)}  (aim 0.97)`,
  ];
}
