import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(PROJECT, 'src/cli/main.ts');

export type Ended = { exit: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type Started = {
  child: ChildProcess;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
  /** Resolves when the text has appeared on either stream; rejects where the process ends without it. */
  wrote(text: string | RegExp): Promise<void>;
};

/** A new directory, removed at the end of the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the real command in a real process. It is killed at the end of the test if it still runs. */
export function start(args: string[], options: { cwd?: string; env?: Record<string, string> } = {}): Started {
  const environment: NodeJS.ProcessEnv = { ...process.env, ...options.env };
  for (const name of Object.keys(environment)) {
    if (name.startsWith('PAYRUN_') && options.env?.[name] === undefined) delete environment[name];
  }
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: options.cwd ?? PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment,
  });
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  const heard = (): void => {
    for (const listener of listeners) listener();
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    heard();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    heard();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit, signal) => resolve({ exit, signal, stdout, stderr }));
  });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  const wrote = (text: string | RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const all = stdout + stderr;
        if (typeof text === 'string' ? !all.includes(text) : !text.test(all)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
      void ended.then(() => reject(new Error(`ended without ${text}\n${stdout}\n${stderr}`)));
    });
  return { child, stdout: () => stdout, stderr: () => stderr, ended, wrote };
}

/** Runs the command to its end. */
export async function payrun(
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  return start(args, options).ended;
}

export type ReadyService = {
  base_url: string;
  admin_url: string;
  api_key: string;
  signing_key_file: string;
  customer_id: string;
  started: Started;
  /** The options that point a run at it. */
  options: string[];
};

/** A real `payrun service` with a data directory of its own, settling at once unless told otherwise. */
export async function startService(options: { dataDir: string; args?: string[] }): Promise<ReadyService> {
  const args = [
    '--port',
    '0',
    '--admin-port',
    '0',
    '--rate-limit',
    '0',
    '--settle-after',
    '0ms',
    ...(options.args ?? []),
  ];
  const started = start(['service', '--json', '--data-dir', options.dataDir, ...args]);
  await started.wrote('\n');
  const ready = JSON.parse(started.stdout().split('\n')[0] ?? '');
  const { base_url, api_key, signing_key_file } = ready;
  return {
    ...ready,
    started,
    options: ['--base-url', base_url, '--api-key', api_key, '--signing-key', signing_key_file],
  };
}
