import { AsyncLocalStorage } from 'node:async_hooks';
import process from 'node:process';
import './as-person.ts';
import './set-clock.ts';
import { answerTo } from '../../src/app/launcher/serve.ts';
import { type AnswerMessage, type OrderMessage, WORKER } from '../../src/app/launcher/task.ts';
import { hasDescriptors, hasWorkingDirectory } from '../../src/cli/process-checks.ts';

/** What this process is to do as if it had been started for it: a command, or a task of the page. */
export type CommandOrder = { cwd: string; env: Record<string, string>; program: string; mark: string } & (
  | { args: string[] }
  | { task: OrderMessage }
);

export type CommandAnswer = { exit: number; answer: AnswerMessage | null };

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
 * Runs one command or task after another, each with its own words, folder and environment: what `main.ts` does in a process
 * that is started for one. After a command it is ready when everything is closed that would have kept such a process.
 */
process.on('message', (order: CommandOrder) => void running.run(order, run, order));

async function run(order: CommandOrder): Promise<void> {
  current = order;
  const openBefore = process.getActiveResourcesInfo().length;
  const args = 'task' in order ? [WORKER] : order.args;
  take(order, args);
  let answer: AnswerMessage | null = null;
  if ('task' in order) {
    const { SERVING } = await import('../../src/compose/page/worker.ts');
    answer = await answerTo(order.task, () => {}, SERVING);
  } else if (hasWorkingDirectory(args) && hasDescriptors(args)) {
    const { payrun } = await import('../../src/cli/payrun.ts');
    await payrun(args);
  }
  await allClosed(openBefore);
  current = null;
  const exit = Number(process.exitCode ?? 0);
  process.stdout.write(order.mark);
  process.stderr.write(order.mark);
  process.send?.({ exit, answer } satisfies CommandAnswer);
}

function take({ cwd, env, program }: CommandOrder, args: readonly string[]): void {
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
