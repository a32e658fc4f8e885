import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import type { OrderMessage } from '../../src/app/launcher/task.ts';
import { asPerson } from './approvers.ts';
import { clockOf } from './clock-of.ts';
import { requireNothingSecret } from './nothing-secret.ts';
import {
  type Ended,
  PAYRUN_MAIN,
  type PayrunOptions,
  PROJECT,
  placeOf,
  requirePublished,
  type Started,
  spawnPayrun,
} from './payrun-process.ts';
import { type ReadyService, readyServiceOf, type ServiceProcess, withOptions } from './ready-service.ts';
import type { SharedEnded, SharedOrder } from './shared-processes.ts';
import { atEnd } from './side-by-side.ts';

export { type Ended, PROJECT, type Started } from './payrun-process.ts';
export type { ReadyService, ServiceProcess } from './ready-service.ts';

/** A temporary directory, removed when the test ends. The test fails if a log or report in it contains a secret. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-test-'));
  atEnd(() => {
    try {
      requireNothingSecret(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
  return folder;
}

/** Starts the real command in a real process. It is killed at the end of the test if it still runs. */
export function start(args: string[], options: PayrunOptions = {}): Started {
  const started = spawnPayrun(args, options);
  const { child } = started;
  atEnd(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  return started;
}

/** Runs the command to its end, in a process that runs others before and after it, where that makes no difference. */
export async function payrun(args: string[], options: PayrunOptions = {}): Promise<Ended> {
  const path = process.env.SHARED_PROCESSES;
  if (path === undefined || !isShareable(options)) return payrunAlone(args, options);
  const { cwd, env } = placeOf(args, options);
  // As `set-clock.ts` does: the children keep the machine's clock.
  if (env.NODE_OPTIONS?.includes(CLOCK)) delete env.NODE_OPTIONS;
  const { answer: _, ...ended } = await inSharedProcess(path, { args, cwd, env, program: PAYRUN_MAIN });
  requirePublished(args, ended.stdout, options);
  return ended;
}

/** Does a task of the page in a process that does others before and after it. */
export async function sharedTask(task: OrderMessage, cwd: string): Promise<SharedEnded> {
  const path = process.env.SHARED_PROCESSES;
  if (path === undefined) throw new Error('there are no shared processes: test/support/compiled-payrun.ts starts them');
  return inSharedProcess(path, { task, cwd, env: {}, program: PAYRUN_MAIN });
}

async function inSharedProcess(path: string, order: SharedOrder): Promise<SharedEnded> {
  const socket = connect(path);
  atEnd(() => socket.destroy());
  socket.end(JSON.stringify(order));
  return JSON.parse(await text(socket)) as SharedEnded;
}

/** Runs the command to its end, in a process that is started for it. */
export async function payrunAlone(args: string[], options: PayrunOptions = {}): Promise<Ended> {
  return start(args, options).ended;
}

const READ_BY_COMMANDS = /^(?:PAYRUN_|TEST_PERSON$|CLOCK_OFFSET_FILE$|MAIL(?:_|$))/;

/** Loaded before every command in a shared process: they do nothing where the environment does not ask for it. */
const CLOCK = clockOf('').NODE_OPTIONS;
const PRELOADED = [asPerson('').NODE_OPTIONS, CLOCK];

/** Whether the command is told nothing that only a process that starts takes up. */
function isShareable({ env = {}, input }: PayrunOptions): boolean {
  const { NODE_OPTIONS = '', ...others } = env;
  const options = PRELOADED.reduce((left, one) => left.replace(one, ''), NODE_OPTIONS);
  return (
    input === undefined && options.trim() === '' && Object.keys(others).every((name) => READ_BY_COMMANDS.test(name))
  );
}

type ServiceOptions = { dataDir: string; args?: string[] };

/** What `compiled-payrun.ts` made for the tests; outside of them the source. */
const SERVICE_HERE = process.env.COMPILED_SERVICE ?? join(PROJECT, 'test/support/service-here.ts');

/**
 * The shipped service with a data directory of its own, settling at once unless told otherwise. It is the one of
 * `payrun service`, on real ports and real data, in the process of the tests, where it starts ten times as fast.
 */
export async function startService(options: ServiceOptions): Promise<ReadyService> {
  const { serviceHere } = createRequire(import.meta.url)(SERVICE_HERE) as typeof import('./service-here.ts');
  const { ready, stop } = await serviceHere(serviceWords(options));
  atEnd(stop);
  return withOptions(ready);
}

/** The same as a process. */
export async function startServiceProcess(options: ServiceOptions): Promise<ServiceProcess> {
  return readyServiceOf(start(['service', '--json', ...serviceWords(options)]));
}

function serviceWords({ dataDir, args = [] }: ServiceOptions): string[] {
  const ports = ['--port', '0', '--admin-port', '0'];
  return ['--data-dir', dataDir, ...ports, '--rate-limit', '0', '--settle-after', '0ms', ...args];
}
