import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { programOf } from '../support/program.ts';
import type { Place } from './place.ts';

/** A running `child.ts`. */
export class Child {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #errors = '';

  constructor(place: Place, mode: 'append' | 'create' | 'create-many' | 'hint' | 'open', runId: string) {
    const { opener, argument } = place.child;
    this.#process = spawn(process.execPath, [programOf('test/journal/child.ts'), opener, argument, mode, runId]);
    const { stdout, stderr } = this.#process;
    if (!stdout || !stderr) throw new Error('the child has no output');
    stderr.on('data', (chunk) => {
      this.#errors += String(chunk);
    });
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** The next thing that it says; throws with its error output where it ends instead. */
  async next(): Promise<unknown> {
    const line = await this.#lines.next();
    if (line.done) throw new Error(`the child ended: ${this.#errors}`);
    return JSON.parse(line.value);
  }

  /** Everything that it still says until it ends. */
  async rest(): Promise<unknown[]> {
    const said: unknown[] = [];
    for (let line = await this.#lines.next(); !line.done; line = await this.#lines.next())
      said.push(JSON.parse(line.value));
    return said;
  }

  go(): void {
    this.#process.stdin?.write('go\n');
  }

  /** SIGKILL. Resolves when the kernel has ended the process. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }
}
