import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { unpublishedIn } from './published-schemas.ts';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
/** What `compiled-payrun.ts` made for the tests; outside of them the source. */
export const PAYRUN_MAIN = process.env.COMPILED_PAYRUN ?? join(PROJECT, 'src/cli/main.ts');

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

/** `input` is what it is given on standard input; `program`, Node's flags and the file to run in place of `PAYRUN_MAIN`. */
export type PayrunOptions = {
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
  program?: readonly string[];
};

/** The object that a command prints when it is ready, once it stands there whole, whatever it says beside it. */
export async function readyObject(started: Started): Promise<unknown> {
  await started.wrote(/^\{.*\}\n/);
  return JSON.parse(started.stdout().split('\n')[0] ?? '');
}

/** Throws where a command has printed JSON that is not as published. */
export function requirePublished(
  args: readonly string[],
  stdout: string,
  { cwd = PROJECT, env = {} }: PayrunOptions,
): void {
  const problem = printsJson(args, env) ? unpublishedIn(args, stdout, cwd) : null;
  if (problem !== null) throw new Error(problem);
}

/** Whatever a command prints with `--json` is JSON, but for its help. */
function printsJson(args: readonly string[], environment: Record<string, string>): boolean {
  if (args.some((word) => /^(?:--help|-h|help|--version|version|--no-json|--json=.*)$/.test(word))) return false;
  return args.includes('--json') || environment.PAYRUN_JSON === 'true' || environment.PAYRUN_JSON === '1';
}

/** The folder in which a command runs, and what its environment has beside that of the tests. */
export function placeOf(args: readonly string[], options: PayrunOptions): { cwd: string; env: Record<string, string> } {
  const { cwd = PROJECT, env = {} } = options;
  // A rehearsal in the checkout leaves a journal there, with which no test's file is to be compared.
  const isElsewhere = options.cwd !== undefined || args.includes('--data-dir');
  if (args[0] !== 'check' || isElsewhere) return { cwd, env: { ...env } };
  return { cwd, env: { PAYRUN_DATA_DIR: join(tmpdir(), 'payrun-test-no-journal'), ...env } };
}

/** Starts the real command in a real process. Whoever starts it ends it. What it prints as JSON has to be as published. */
export function spawnPayrun(args: string[], options: PayrunOptions = {}): Started {
  const { cwd, env } = placeOf(args, options);
  const environment: NodeJS.ProcessEnv = { ...process.env, ...env };
  for (const name of Object.keys(environment)) {
    if (name.startsWith('PAYRUN_') && env[name] === undefined) delete environment[name];
  }
  const child = spawn(process.execPath, [...(options.program ?? [PAYRUN_MAIN]), ...args], {
    cwd,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: environment,
  });
  child.stdin?.end(options.input);
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
    child.on('close', (exit, signal) => {
      try {
        requirePublished(args, stdout, options);
        resolve({ exit, signal, stdout, stderr });
      } catch (error) {
        reject(error);
      }
    });
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
