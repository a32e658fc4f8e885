import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a payroll is begun: by a command, by people on the page, or by a schedule. */
export type Way = 'command' | 'page' | 'schedule';

/** A payroll of the soak. Each amount, in cents, is of one row of one payroll only. */
export type Payroll = { n: number; file: string; sha256: string; amounts: number[]; way: Way };

const LEAST_ROWS = 5;
const FIRST_AMOUNT = 1_00;
/** Of so many payrolls one is paid by the page, and one by a schedule. */
const EACH_WAY = 8;

/** How many rows each payroll has: from 5 to the most, many small ones and few large ones. */
export function sizesOf(payrolls: number, rowsMax: number, random: () => number): number[] {
  const span = Math.log(rowsMax / LEAST_ROWS);
  return Array.from({ length: payrolls }, () => Math.round(LEAST_ROWS * Math.exp(random() ** 3 * span)));
}

/** Writes payrolls. Their payees are the same ones, so that all but the first find them at the service. */
export function writePayrolls(folder: string, sizes: readonly number[]): Payroll[] {
  const inputs = join(folder, 'inputs');
  mkdirSync(inputs, { recursive: true });
  let next = FIRST_AMOUNT;
  return sizes.map((size, n) => {
    const amounts = Array.from({ length: size }, () => next++);
    const lines = amounts.map((cents, at) => {
      return `Payee ${at},${majorOf(cents)},AUD,AUD_NPP,${10_000_000 + at},062-000`;
    });
    const file = join(inputs, `payroll-${n}.csv`);
    writeFileSync(file, `name,amount,currency,rail,account_number,national_clearing_code\n${lines.join('\n')}\n`);
    return { n, file, sha256: hash('sha256', readFileSync(file)), amounts, way: wayOf(n) };
  });
}

/** The total, as an approver types it. */
export function totalOf({ amounts }: Payroll): string {
  return `${majorOf(amounts.reduce((sum, one) => sum + one, 0))} AUD`;
}

function wayOf(n: number): Way {
  if (n % EACH_WAY === 3) return 'page';
  return n % EACH_WAY === 4 ? 'schedule' : 'command';
}

function majorOf(cents: number): string {
  return (cents / 100).toFixed(2);
}
