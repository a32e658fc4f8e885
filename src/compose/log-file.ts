import { openSync, writeSync } from 'node:fs';

/** Lines are written in blocks of this size. */
const BLOCK_CHARACTERS = 4_096;
/** What waits while the disk takes nothing; older lines go first. */
const WAITING_CHARACTERS_MAX = 65_536;

/**
 * A file for log lines that never stops the program: what a full disk does not take waits, up to 64 KiB, and is tried
 * again with the next block. pino's own destination tries again for ever inside one call, so that a run on a full disk
 * would stand still, holding its lease, instead of saying what is wrong.
 */
export class LogFile {
  readonly #file: number;
  #waiting = '';

  /** Appends to the file, and makes it, for its owner only, where there is none. Throws where it cannot be opened. */
  constructor(path: string) {
    this.#file = openSync(path, 'a', 0o600);
  }

  /** Takes whole lines. */
  write(lines: string): void {
    this.#waiting += lines;
    if (this.#waiting.length >= BLOCK_CHARACTERS) this.flush();
  }

  flush(): void {
    let rest = Buffer.from(this.#waiting);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#file, rest));
      this.#waiting = '';
    } catch {
      this.#waiting = newestLines(rest.toString());
    }
  }
}

/** As many whole lines as may wait. */
function newestLines(lines: string): string {
  const from = lines.length - WAITING_CHARACTERS_MAX;
  return from <= 0 ? lines : lines.slice(lines.indexOf('\n', from) + 1);
}
