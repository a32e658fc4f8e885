import type { Core } from '../core.ts';
import { type Result, writeResult } from './deliveries.ts';

/** Results that come within this time of each other share a transaction, and so a sync of the disk. */
const GATHER_MS = 20;

/** Results of one transaction, which others wait for. */
const GROUP_MAX = 256;

/** Results that are not written yet, at which nothing more is sent. */
const UNWRITTEN_MAX = 1_024;

type Unwritten = { result: Result; written: () => void };

/** Writes what became of attempts, in groups. One that is lost by a crash costs a second delivery, and nothing else. */
export class ResultWriter {
  readonly #core: Core;
  readonly #isStopped: () => boolean;
  #unwritten: Unwritten[] = [];
  #inWriting = 0;
  #gathering: Promise<void> | null = null;
  #isBroken = false;

  constructor(core: Core, isStopped: () => boolean) {
    this.#core = core;
    this.#isStopped = isStopped;
  }

  /** Also where the database has failed: then nothing is sent any more, as nothing could be noted. */
  isFull(): boolean {
    return this.#isBroken || this.#unwritten.length + this.#inWriting >= UNWRITTEN_MAX;
  }

  /** `written` is called once it is in the database. */
  add(result: Result, written: () => void): void {
    this.#unwritten.push({ result, written });
    this.#gathering ??= this.#gather();
  }

  /** Writes all there is. Never rejects. */
  async flush(): Promise<void> {
    while (this.#unwritten.length > 0 && !this.#isBroken) await this.#writeGroup();
    await this.#gathering;
  }

  async #gather(): Promise<void> {
    if (!this.#isStopped()) await this.#core.clock.sleep(GATHER_MS);
    this.#gathering = null;
    while (this.#unwritten.length > 0 && !this.#isBroken) await this.#writeGroup();
  }

  async #writeGroup(): Promise<void> {
    const group = this.#unwritten.splice(0, GROUP_MAX);
    this.#inWriting += group.length;
    const isWritten = await this.#write(group.map(({ result }) => result));
    this.#inWriting -= group.length;
    this.#isBroken ||= !isWritten;
    if (isWritten) for (const { written } of group) written();
    else this.#core.log.error({}, 'results of webhooks could not be written: nothing more is sent');
  }

  /** False where the database has failed, or the writing has: what was sent is then sent again at the next start. */
  async #write(results: readonly Result[]): Promise<boolean> {
    try {
      await this.#core.committer.submit(() => {
        for (const result of results) writeResult(this.#core, result);
      });
      return true;
    } catch {
      return false;
    }
  }
}
