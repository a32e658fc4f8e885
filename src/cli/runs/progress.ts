import type { Clock } from '../../platform/clock.ts';
import { PaceMeter, type ProgressSnapshot } from '../../report/model/pace.ts';
import { displayWidth } from '../tables.ts';
import { liveLines, plainLine } from './progress-text.ts';

export type { ProgressSnapshot } from '../../report/model/pace.ts';

export type ProgressStream = { isTTY?: boolean; columns?: number; write(text: string): unknown };

export type ProgressOptions = {
  stream: ProgressStream;
  colour: boolean;
  quiet: boolean;
  clock: Clock;
  /** Whether the terminal can move its cursor; by default whether `TERM` is not `dumb`. */
  movesCursor?: boolean;
};

export type Progress = {
  /** Shows how the run stands, if it is time to. May be called as often as the caller likes. */
  update(snapshot: ProgressSnapshot): void;
  /** A line that stays, above what is live. */
  note(text: string): void;
  /** Shows the last snapshot and leaves the terminal as it was found. Later calls of anything do nothing. */
  stop(): void;
};

/** At most ten frames a second: more is flicker, and costs the run. */
const FRAME_EVERY_MS = 100;

/** A line of a log every five seconds while something changes, and every minute while nothing does. */
const LINE_EVERY_MS = 5_000;
const SAME_LINE_EVERY_MS = 60_000;

/** Terminals that do not tell their width. */
const COLUMNS_DEFAULT = 80;

/**
 * The progress of a run, on standard error. On a terminal a block of lines that is drawn over itself; elsewhere plain
 * lines, every few seconds and when the phase changes; nothing with `quiet`.
 */
export function createProgress(options: ProgressOptions): Progress {
  if (options.quiet) return { update() {}, note() {}, stop() {} };
  const movesCursor = options.movesCursor ?? process.env.TERM !== 'dumb';
  return options.stream.isTTY === true && movesCursor ? new LiveProgress(options) : new PlainProgress(options);
}

class LiveProgress implements Progress {
  readonly #options: ProgressOptions;
  readonly #meter: PaceMeter;
  #snapshot: ProgressSnapshot | null = null;
  /** Columns of each line on the screen now. */
  #drawn: number[] = [];
  #drawnAt = Number.NEGATIVE_INFINITY;
  #drawnPhase: string | null = null;
  #isStopped = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#meter = new PaceMeter();
  }

  update(snapshot: ProgressSnapshot): void {
    if (this.#isStopped) return;
    this.#snapshot = structuredClone(snapshot);
    this.#meter.measure(snapshot, this.#options.clock.monotonicMs());
    const now = this.#options.clock.monotonicMs();
    if (now - this.#drawnAt < FRAME_EVERY_MS && snapshot.phase === this.#drawnPhase) return;
    this.#draw('');
    this.#drawnAt = now;
  }

  note(text: string): void {
    if (!this.#isStopped) this.#draw(`${text}\n`);
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#draw('');
    if (this.#drawn.length > 0) this.#options.stream.write('\n');
    this.#isStopped = true;
  }

  /**
   * One frame in one write: over the last block goes `above`, then the block as it is now. The cursor is hidden within a
   * frame only, so it is there however the process ends.
   */
  #draw(above: string): void {
    const width = Math.max(1, (this.#options.stream.columns ?? COLUMNS_DEFAULT) - 1);
    const lines = this.#snapshot ? liveLines(this.#snapshot, this.#meter.pace(), width, this.#options.colour) : [];
    const body = lines.map((line) => `${line}${CLEAR_LINE}`).join('\n');
    const frame = `${this.#toTop(width + 1)}${above}${body}${lines.length === 0 ? '' : CLEAR_BELOW}`;
    this.#options.stream.write(lines.length === 0 ? frame : `${HIDE_CURSOR}${frame}${SHOW_CURSOR}`);
    this.#drawn = lines.map((line) => displayWidth(line.replace(COLOURS, '')));
    this.#drawnPhase = this.#snapshot?.phase ?? null;
  }

  /** To the start of the block, whose lines the terminal has broken where it was made narrower since. */
  #toTop(columns: number): string {
    if (this.#drawn.length === 0) return '';
    const rows = this.#drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    return `\r${rows > 1 ? `\x1b[${rows - 1}A` : ''}${CLEAR_BELOW}`;
  }
}

const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal begin with the escape character.
const COLOURS = /\x1b\[[0-9;]*m/g;

class PlainProgress implements Progress {
  readonly #options: ProgressOptions;
  readonly #meter: PaceMeter;
  #snapshot: ProgressSnapshot | null = null;
  #writtenAt = Number.NEGATIVE_INFINITY;
  #written: ProgressSnapshot | null = null;
  #isStopped = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#meter = new PaceMeter();
  }

  update(snapshot: ProgressSnapshot): void {
    if (this.#isStopped) return;
    this.#snapshot = structuredClone(snapshot);
    this.#meter.measure(snapshot, this.#options.clock.monotonicMs());
    const waitedMs = this.#options.clock.monotonicMs() - this.#writtenAt;
    const everyMs = this.#isNews() ? LINE_EVERY_MS : SAME_LINE_EVERY_MS;
    if (waitedMs >= everyMs || snapshot.phase !== this.#written?.phase) this.#write();
  }

  note(text: string): void {
    if (!this.#isStopped) this.#options.stream.write(`${text}\n`);
  }

  stop(): void {
    if (this.#isStopped) return;
    if (this.#isNews()) this.#write();
    this.#isStopped = true;
  }

  #isNews(): boolean {
    return newsOf(this.#snapshot) !== newsOf(this.#written);
  }

  #write(): void {
    if (this.#snapshot === null) return;
    this.#options.stream.write(`${plainLine(this.#snapshot, this.#meter.pace())}\n`);
    this.#written = this.#snapshot;
    this.#writtenAt = this.#options.clock.monotonicMs();
  }
}

/** That a wait goes on is no news, and that another one began is. */
function newsOf(snapshot: ProgressSnapshot | null): string {
  return JSON.stringify(snapshot && { ...snapshot, awaits: snapshot.awaits?.code });
}
