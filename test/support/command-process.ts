import { AsyncLocalStorage } from 'node:async_hooks';
import process from 'node:process';
import './as-person.ts';
import './set-clock.ts';
import { hasDescriptors, hasWorkingDirectory } from '../../src/cli/process-checks.ts';

/** A command that this process is to run as if it had been started with it. */
export type CommandOrder = { args: string[]; cwd: string; env: Record<string, string>; program: string; mark: string };

/** How long nothing may be open before a command counts as ended, and how often that is looked at, in milliseconds. */
const LOOK_MS = 2;

const environment = { ...process.env };
const leave = process.exit.bind(process);
const running = new AsyncLocalStorage<CommandOrder>();
let current: CommandOrder | null = null;

// What an ended command left to end its process (a timer that keeps nobody) ends nothing any more.
process.exit = ((code) => (running.getStore() === current ? leave(code) : undefined)) as typeof process.exit;

// Both are open before the first command, so that they are none of what it opened.
for (const stream of [process.stdout, process.stderr]) stream.write('');

/**
 * Runs one command after another, each with its own words, folder and environment: what `main.ts` does in a process that
 * is started for one. After a command it is ready when everything is closed that would have kept such a process.
 */
process.on('message', (order: CommandOrder) => void running.run(order, run, order));

async function run(order: CommandOrder): Promise<void> {
  current = order;
  const openBefore = process.getActiveResourcesInfo().length;
  take(order);
  if (hasWorkingDirectory(order.args) && hasDescriptors(order.args)) {
    const { payrun } = await import('../../src/cli/payrun.ts');
    await payrun(order.args);
  }
  await allClosed(openBefore);
  current = null;
  const exit = process.exitCode ?? 0;
  process.stdout.write(order.mark);
  process.stderr.write(order.mark);
  process.send?.(exit);
}

function take({ args, cwd, env, program }: CommandOrder): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment, env);
  process.chdir(cwd);
  process.argv = [process.execPath, program, ...args];
  process.exitCode = undefined;
}

/** A process ends when nothing is open or under way any more. */
async function allClosed(openBefore: number): Promise<void> {
  for (let quiet = 0; quiet < 2; quiet++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
    if (process.getActiveResourcesInfo().length > openBefore) quiet = -1;
  }
}
