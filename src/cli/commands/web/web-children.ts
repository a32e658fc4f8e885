import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import PQueue from 'p-queue';
import { formatDuration } from '../../../domain/time.ts';
import type { Dependencies, Ended } from '../../../web/dependencies.ts';
import { PAGE_PERSON } from '../../person.ts';
import type { Settings } from '../../settings.ts';

/** A hundred thousand problems have some tens of megabytes; more is no answer. */
const RESULT_CHARACTERS_MAX = 256 * 1024 * 1024;
const SAID_CHARACTERS_MAX = 8_192;

/** Commands that are waited for, at once: what many people look at must not take the whole machine. */
const AT_ONCE = 3;

/** What is said of one run or one page, and not of all that the page starts. */
const NOT_FOR_CHILDREN: readonly string[] = [
  'PAYRUN_ALLOW_REPEAT',
  'PAYRUN_AS',
  'PAYRUN_JSON',
  'PAYRUN_ONLY_VALID',
  'PAYRUN_PASSPHRASE_FILE',
  PAGE_PERSON,
  'PAYRUN_PERIOD',
  'PAYRUN_PORT',
  'PAYRUN_YES',
];

/**
 * What `payrun web` was given on how the service is reached, how fast, and what is logged, as the commands it starts read
 * it: each option that it shares with them. Undefined where nothing was given.
 */
const FOR_CHILDREN: Readonly<Record<string, (settings: Settings) => string | undefined>> = {
  PAYRUN_PROFILE: ({ profile }) => profile,
  PAYRUN_BASE_URL: ({ baseUrl }) => baseUrl,
  PAYRUN_API_KEY: ({ apiKey }) => apiKey,
  PAYRUN_SIGNING_KEY: ({ signingKey }) => signingKey,
  PAYRUN_RATE: ({ rate }) => (rate === undefined ? undefined : rateOption(rate)),
  PAYRUN_CONCURRENCY: ({ concurrency }) => concurrency?.toString(),
  PAYRUN_WEBHOOK_LISTEN: ({ webhookListen }) => webhookListen,
  PAYRUN_WEBHOOK_KEY: ({ webhookKey }) => webhookKey,
  PAYRUN_POLL_EVERY: ({ pollEvery }) => durationOption(pollEvery),
  PAYRUN_WAIT_TIMEOUT: ({ waitTimeout }) => durationOption(waitTimeout),
  PAYRUN_REPORT_DIR: ({ reportDir }) => reportDir,
  PAYRUN_QUIET: ({ quiet }) => (quiet ? 'true' : undefined),
  PAYRUN_LOG_LEVEL: ({ logLevel }) => logLevel,
};

/** A rate as `--rate` takes it. */
function rateOption(rate: NonNullable<Settings['rate']> | null): string {
  if (rate === null) return '0';
  const seconds = rate.window_ms / 1_000;
  if (seconds === 1) return String(rate.requests);
  return seconds > 9_999 ? `${rate.requests}/${seconds / 60}m` : `${rate.requests}/${seconds}s`;
}

function durationOption(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatDuration(ms);
}

/** The `payrun` commands that the page starts, each as this payrun was started. */
export function webChildren(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  program: readonly string[] = [...process.execArgv, process.argv[1] ?? ''],
): Pick<Dependencies, 'drafts' | 'payrun' | 'start'> {
  const folder = newFolder(join(settings.dataDir, 'web', 'children'));
  const env = childEnvironment(settings, environment);
  const commandOf = (words: readonly string[]) => [...program, ...words, '--json', '--data-dir', settings.dataDir];
  const queue = new PQueue({ concurrency: AT_ONCE });
  let started = 0;
  return {
    drafts: folder,
    payrun: (words, { stdin, person } = {}) =>
      queue.add(() => {
        const child = spawn(process.execPath, commandOf(words), {
          stdio: ['pipe', 'pipe', 'pipe'],
          env: envFor(env, person),
        });
        // Whoever asks for no passphrase closes it without having read it.
        child.stdin.on('error', () => {}).end(stdin ?? '');
        return endOf(
          child,
          collected(child.stdout, RESULT_CHARACTERS_MAX),
          collected(child.stderr, SAID_CHARACTERS_MAX),
        );
      }),
    start(words, { person } = {}) {
      const [out, err] = ['result', 'said'].map((what) => join(folder, `${started}.${what}`)) as [string, string];
      started += 1;
      const files = [openSync(out, 'w', 0o600), openSync(err, 'w', 0o600)] as const;
      // A group of its own, and files in place of pipes: Ctrl-C here is none there, and it can speak when we are gone.
      const child = spawn(process.execPath, commandOf(words), {
        stdio: ['ignore', ...files],
        env: envFor(env, person),
        detached: true,
      });
      for (const file of files) closeSync(file);
      child.unref();
      const ended = endOf(
        child,
        () => takeAway(out, RESULT_CHARACTERS_MAX),
        () => takeAway(err, SAID_CHARACTERS_MAX),
      );
      return { pid: child.pid ?? null, ended };
    },
  };
}

/** A folder of this process; those of processes that are gone are removed. */
function newFolder(parent: string): string {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(parent))
    if (name === String(process.pid) || !isRunning(Number(name)))
      rmSync(join(parent, name), { recursive: true, force: true });
  const folder = join(parent, String(process.pid));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function childEnvironment(settings: Settings, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env = { ...environment };
  for (const name of NOT_FOR_CHILDREN) delete env[name];
  for (const [name, textOf] of Object.entries(FOR_CHILDREN)) {
    const text = textOf(settings);
    if (text !== undefined) env[name] = text;
  }
  return env;
}

/** For whom it is done, for the journal to say so. */
function envFor(env: NodeJS.ProcessEnv, person: string | null = null): NodeJS.ProcessEnv {
  return person === null ? env : { ...env, [PAGE_PERSON]: person };
}

function endOf(child: ChildProcess, result: () => string, said: () => string): Promise<Ended> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ exit: null, signal: null, result: null, said: error.message }));
    child.on('close', (exit, signal) => resolve({ exit, signal, result: parsed(result()), said: said() }));
  });
}

/** The end of what a stream says. */
function collected(stream: NodeJS.ReadableStream, most: number): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    text = `${text}${more}`.slice(-most);
  });
  return () => text;
}

function takeAway(file: string, most: number): string {
  try {
    return readFileSync(file, 'utf8').slice(-most);
  } catch {
    return '';
  } finally {
    rmSync(file, { force: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
