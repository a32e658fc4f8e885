import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import process from 'node:process';
import type { CommandAnswer, CommandOrder } from './command-process.ts';

type WithoutMark<Order> = Order extends unknown ? Omit<Order, 'mark'> : never;

export type SharedOrder = WithoutMark<CommandOrder>;
/** `answer` is that of a task, where its process lived to give one. */
export type SharedEnded = {
  exit: number | null;
  signal: NodeJS.Signals | null;
  answer: CommandAnswer['answer'];
  stdout: string;
  stderr: string;
};

/** After so many commands a process gives way to a new one, so that what each leaves open does not add up. */
const COMMANDS_MAX = 150;

/**
 * Processes that run commands, and tasks of the page, for the tests, one after another: most of what a command costs is to start its process. A
 * process runs one command at a time, and there are as many as tests ask for at once. Listens at `path`: a caller writes
 * an order and reads how it ended. Who hangs up before that ends the command.
 */
export async function shareProcesses(program: string, path: string): Promise<{ end(): Promise<void> }> {
  const idle: SharedProcess[] = [];
  const all = new Set<SharedProcess>();
  const serve = async (socket: Socket): Promise<void> => {
    const order = await orderFrom(socket);
    if (order === null) return;
    const one = idle.pop() ?? new SharedProcess(program);
    all.add(one);
    const hungUp = (): void => void one.kill();
    socket.once('close', hungUp);
    const ended = await one.run(order);
    socket.off('close', hungUp);
    socket.end(JSON.stringify(ended));
    if (one.isReady) idle.push(one);
    else all.delete(one);
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    void serve(socket);
  });
  server.unref();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    async end() {
      server.close();
      await Promise.all(Array.from(all, (one) => one.kill()));
    },
  };
}

/** The caller has written it when it writes no more, and still reads. Null where the caller went away before. */
async function orderFrom(socket: Socket): Promise<SharedOrder | null> {
  let written = '';
  socket.setEncoding('utf8').on('data', (more: string) => {
    written += more;
  });
  await once(socket, 'end');
  return written === '' ? null : (JSON.parse(written) as SharedOrder);
}

class SharedProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<Pick<SharedEnded, 'exit' | 'signal' | 'answer'>>;
  #commands = 0;
  #isClosed = false;
  #stdout = '';
  #stderr = '';
  #heard = (): void => {};

  constructor(program: string) {
    const environment = { ...process.env };
    for (const name of Object.keys(environment)) if (name.startsWith('PAYRUN_')) delete environment[name];
    const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], env: environment });
    this.#child = child;
    this.#closed = new Promise((resolve) => {
      child.on('close', (exit, signal) => {
        this.#isClosed = true;
        resolve({ exit, signal, answer: null });
      });
    });
    child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      this.#stdout += more;
      this.#heard();
    });
    child.stderr?.setEncoding('utf8').on('data', (more: string) => {
      this.#stderr += more;
      this.#heard();
    });
  }

  /** Whether it can take a command. One that has run its number ends. */
  get isReady(): boolean {
    if (this.#commands >= COMMANDS_MAX) void this.kill();
    return !this.#isClosed && !this.#child.killed;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed;
  }

  async run(order: SharedOrder): Promise<SharedEnded> {
    this.#commands++;
    this.#stdout = '';
    this.#stderr = '';
    const mark = `\n${randomUUID()}\n`;
    const written = new Promise<void>((resolve) => {
      this.#heard = () => {
        if (this.#stdout.endsWith(mark) && this.#stderr.endsWith(mark)) resolve();
      };
    });
    const answered = new Promise<CommandAnswer>((resolve) => this.#child.once('message', resolve));
    this.#child.send({ ...order, mark } satisfies CommandOrder, () => {});
    const done = Promise.all([answered, written]).then(([answer]) => ({ ...answer, signal: null }));
    const ended = await Promise.race([done, this.#closed]);
    const without = (all: string): string => (all.endsWith(mark) ? all.slice(0, -mark.length) : all);
    return { ...ended, stdout: without(this.#stdout), stderr: without(this.#stderr) };
  }
}
