import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Payroll } from './payrolls.ts';

/** A job that pays one payroll, once, at its minute. */
export type TimedJob = { payroll: Payroll; file: string; period: string; dueMs: number };

const MINUTE_MS = 60_000;
/** So many are due at once. */
const EACH_MINUTE = 3;
/** A minute that has come already, so that the first ones are due when the schedulers start. */
const FIRST_MS = -MINUTE_MS;

/** Writes a job for each payroll, some in each minute from now on. `service`: what each job says of it. */
export function writeJobs(folder: string, payrolls: readonly Payroll[], service: Record<string, string>): TimedJob[] {
  mkdirSync(join(folder, 'jobs'), { recursive: true });
  const way = Object.entries(service).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`);
  const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  return payrolls.map((payroll, at) => {
    const due = new Date(nowMs + FIRST_MS + Math.floor(at / EACH_MINUTE) * MINUTE_MS);
    const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} ${due.getUTCDate()} * *`;
    const file = join(folder, 'jobs', `payroll-${payroll.n}.yaml`);
    const schedule = `schedule: {cron: "${cron}", time_zone: UTC}`;
    writeFileSync(file, `input: ${payroll.file}\npoll_every: 200ms\nservice:\n${way.join('')}${schedule}\n`);
    return { payroll, file, period: due.toISOString().slice(0, 7), dueMs: due.getTime() };
  });
}
