import { spawn } from 'node:child_process';
import process from 'node:process';

/** Set to 1 for a run that is tried again: people were told that its service is away. */
export const OUTAGE_ANNOUNCED = 'PAYRUN_OUTAGE_ANNOUNCED';

/** A process that runs a job. */
export type RunningJob = {
  pid: number | null;
  period: string;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<JobEnd>;
};

export type JobEnd = {
  /** Null where a signal ended it. */
  exit: number | null;
  signal: string | null;
  /** What it said in JSON; null where it was not asked to, or did not. */
  result: unknown;
};

type StartJob = {
  file: string;
  period: string;
  options: readonly string[];
  json: boolean;
  /** Whether people were told that its service is away. */
  isOutageAnnounced: boolean;
};

/** Starts `payrun run JOB --yes --period PERIOD` as this payrun was started. What it says goes where this process's goes. */
export function startJob({ file, period, options, json, isOutageAnnounced }: StartJob): RunningJob {
  const program = [...process.execArgv, process.argv[1] ?? '', 'run', file, '--yes', '--period', period];
  const child = spawn(process.execPath, [...program, ...options, ...(json ? ['--json'] : [])], {
    stdio: ['ignore', json ? 'pipe' : 'inherit', 'inherit'],
    env: { ...environmentOfJob(), [OUTAGE_ANNOUNCED]: isOutageAnnounced ? '1' : '0' },
  });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<JobEnd>((resolve) => {
    child.on('error', (error) => resolve({ exit: null, signal: null, result: { message: error.message } }));
    child.on('close', (exit, signal) => resolve({ exit, signal, result: json ? parsed(said) : null }));
  });
  return { pid: child.pid ?? null, period, kill: (signal) => void child.kill(signal), ended };
}

/** Without a word about one run, which would be said of each. */
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
