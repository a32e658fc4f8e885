import { spawn } from 'node:child_process';
import process from 'node:process';
import { z } from 'zod';
import type { JobEnd, RunningJob } from '../../app/schedule/watched-job.ts';
import { machineClock } from '../../platform/machine.ts';
import { isMeasured, type Measure, measure, measureShape, passMeasuresOn } from '../../platform/measures.ts';
import { DATABASE_IS_OPTION } from '../settings.ts';

/** Set to 1 for a run that is tried again: people were notified that its service is away. */
export const OUTAGE_ANNOUNCED = 'PAYRUN_OUTAGE_ANNOUNCED';

/** Set to 1 for a run whose measures the schedule counts. */
const MEASURED = 'PAYRUN_MEASURED';

type StartJob = {
  file: string;
  period: string;
  options: readonly string[];
  json: boolean;
  /** The journal's database, where it is an option of this process: its password stands in no list of processes. */
  database: string | undefined;
  /** Whether people were notified that its service is away. */
  isOutageAnnounced: boolean;
};

/** Starts `payrun run JOB --yes --period PERIOD` as this payrun was started. Its output goes where this process's goes. */
export function startJob({ file, period, options, json, database, isOutageAnnounced }: StartJob): RunningJob {
  const program = [...process.execArgv, process.argv[1] ?? '', 'run', file, '--yes', '--period', period];
  const measured = isMeasured();
  const child = spawn(process.execPath, [...program, ...options, ...(json ? ['--json'] : [])], {
    stdio: ['ignore', json ? 'pipe' : 'inherit', 'inherit', ...(measured ? (['ipc'] as const) : [])],
    env: {
      ...environmentOfJob(),
      ...(database !== undefined && { PAYRUN_DATABASE: database, [DATABASE_IS_OPTION]: '1' }),
      [OUTAGE_ANNOUNCED]: isOutageAnnounced ? '1' : '0',
      [MEASURED]: measured ? '1' : '0',
    },
  });
  child.on('message', (part) => {
    for (const one of z.array(measureShape).parse(part)) measure(one);
  });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = new Promise<JobEnd>((resolve) => {
    child.on('error', (error) => resolve({ exit: null, signal: null, result: { message: error.message } }));
    child.on('close', (exit, signal) => resolve({ exit, signal, result: json ? parsed(printed) : null }));
  });
  return { pid: child.pid ?? null, period, kill: (signal) => void child.kill(signal), ended };
}

/** In such a process: passes on what is measured to the schedule that started it. */
export function passMeasuresToSchedule(): void {
  if (process.env[MEASURED] !== '1' || process.send === undefined) return;
  const send = (part: readonly Measure[]): void => {
    if (process.connected) process.send?.(part, undefined, undefined, () => {});
  };
  process.once('exit', passMeasuresOn(send, machineClock.monotonicMs));
}

/** Without the options of one run, which would apply to each. */
function environmentOfJob(): NodeJS.ProcessEnv {
  const { PAYRUN_ALLOW_REPEAT: _repeat, PAYRUN_PERIOD: _period, PAYRUN_JSON: _json, ...environment } = process.env;
  return environment;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
