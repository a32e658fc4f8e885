import { type BigIntStats, closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Alteration } from '../../domain/outcomes/run-outcome.ts';
import type { Row } from '../../platform/sqlite.ts';
import { Deposed, JournalDamaged } from '../errors.ts';

type Identity = Pick<BigIntStats, 'dev' | 'ino'>;
type Birth = Pick<BigIntStats, 'birthtimeNs' | 'ctimeNs'>;
type Size = Pick<BigIntStats, 'size' | 'mtimeNs'>;

/**
 * The state of the write-ahead log by SQLite: frames that count, and how many of them are in the database by now; -1 where
 * it is not known. `version` is another one after each commit of another connection.
 */
type LogState = { frames: number; checkpointed: number; version: number };

/** How the files were found after the last transaction: what is different later has to be explained. */
type Seen = LogState & { database: Size; log: Size; salts: string; lastFrame: string };

/** The parts of the write-ahead log that are read: https://www.sqlite.org/fileformat.html#the_write_ahead_log */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

const NO_LOG: Size = { size: 0n, mtimeNs: 0n };

/** Another process may commit while the log is looked at: then the look is taken again. */
const LOOKS_MAX = 20;

/**
 * Whether the journal's files are still the ones that this process opened, and hold what SQLite wrote to them. Where a
 * backup was restored over them, or they were moved, deleted, cut short or overwritten, SQLite goes on to take commits
 * that no other process will ever read.
 *
 * The database is looked at by its path and never opened here, because closing any descriptor of it drops this process's
 * locks on it (https://www.sqlite.org/howtocorrupt.html, 2.2). While it is open, no other file can get its number. Nobody
 * locks the log, which is read.
 */
export class OpenedFiles {
  readonly path: string;
  readonly #database: Identity & Birth;
  #log: { identity: Identity; descriptor: number; frameBytes: number } | null = null;
  #logState: () => LogState = () => ({ frames: 0, checkpointed: 0, version: 0 });
  #probe: () => { isBusy: boolean } & Pick<LogState, 'checkpointed'> = () => ({ isBusy: false, checkpointed: 0 });
  #isContentWhole: () => boolean = () => false;
  #seen: Seen | null = null;
  /** One buffer for all that is read of the log, which is looked at before each request. */
  readonly #readings = Buffer.alloc(LOG_HEADER_BYTES);

  /** Before the database is opened: a file that is replaced in between is then noticed, and not taken for the opened one. */
  constructor(path: string) {
    this.path = path;
    this.#database = statSync(path, { bigint: true });
  }

  /** Of the database: a copy has another, and so has a backup, unless its bytes were written over the old file. */
  get identity(): string {
    const { ino, birthtimeNs } = this.#database;
    return `${ino} ${birthtimeNs}`;
  }

  /** Whether the database is the file with this identity. */
  isFile(identity: string): boolean {
    const { ino, birthtimeNs, ctimeNs } = this.#database;
    // Where a file system keeps no time of birth, it answers with that of the last change.
    return identity === this.identity || (birthtimeNs === ctimeNs && identity.startsWith(`${ino} `));
  }

  /**
   * After the first read, which makes the write-ahead log. It stays the same file for as long as anybody has it open. `ask`
   * gives the answer of a statement. `isContentWhole`: whether everything in the journal is as it was written, as another
   * connection reads it.
   */
  noteLog(ask: (sql: string) => Row, isContentWhole: () => boolean): void {
    this.#isContentWhole = isContentWhole;
    this.#logState = () => {
      const { log, checkpointed } = ask('PRAGMA wal_checkpoint(NOOP)');
      const version = Number(ask('PRAGMA data_version').data_version);
      return { frames: Number(log), checkpointed: Number(checkpointed), version };
    };
    this.#probe = () => {
      const { busy, checkpointed } = ask('PRAGMA wal_checkpoint(PASSIVE)');
      return { isBusy: busy === 1, checkpointed: Number(checkpointed) };
    };
    const descriptor = openSync(this.#logPath, 'r');
    const frameBytes = FRAME_HEADER_BYTES + Number(ask('PRAGMA page_size').page_size);
    this.#log = { identity: statSync(this.#logPath, { bigint: true }), descriptor, frameBytes };
    this.requireWhole();
  }

  close(): void {
    if (this.#log !== null) closeSync(this.#log.descriptor);
    this.#log = null;
  }

  /** Throws `Deposed` where other files stand at their paths. */
  requireInPlace(): void {
    this.#look();
  }

  /**
   * The same, and where the files do not hold what was written to them. To be called outside of transactions. What was
   * found is what the next call compares with.
   */
  requireWhole(): void {
    try {
      this.#requireUnaltered();
    } catch (error) {
      if (error instanceof Deposed) throw error;
      // SQLite may fail because other files stand there, and that explains it.
      this.requireInPlace();
      if (!(error instanceof JournalDamaged)) throw error;
      throw this.#altered('overwritten');
    }
  }

  /** The same as `requireWhole`, where this process has committed nothing since that was called. */
  requireStillWhole(): void {
    if (!this.#isUntouched()) this.requireWhole();
  }

  /** The files as they are at their paths: both are the ones that were opened. */
  #look(): { database: Size; log: Size } {
    const database = statOf(this.path);
    const log = this.#log === null ? null : statOf(this.#logPath);
    if (!isSame(database, this.#database) || (this.#log !== null && !isSame(log, this.#log.identity)))
      throw new Deposed(
        { why: 'replaced' },
        `${this.path} was replaced, moved or deleted while this process had it open`,
      );
    return { database, log: log ?? NO_LOG };
  }

  /** Whether nobody has written since the last look: then SQLite need not be asked. */
  #isUntouched(): boolean {
    const { database, log } = this.#look();
    const seen = this.#seen;
    if (seen === null || seen.frames === 0 || !isSameSize(database, seen.database) || !isSameSize(log, seen.log))
      return false;
    // Where a file system counts time in milliseconds, two writes can have the same.
    return this.#frameHeader(seen.frames) === seen.lastFrame;
  }

  #requireUnaltered(): void {
    for (let look = 1; ; look++) {
      const state = this.#logState();
      // Another process has the log to itself for a moment, and SQLite gives no state: a later look explains it.
      if (state.frames < 0 && look < LOOKS_MAX) continue;
      if (state.frames < 0) {
        this.requireInPlace();
        return;
      }
      const how = this.#howAltered(state);
      if (how === null) return;
      const { frames, checkpointed } = this.#logState();
      const isMoving = frames !== state.frames || checkpointed !== state.checkpointed;
      if (isMoving && look < LOOKS_MAX) continue;
      if (how === 'overwritten' && this.#mayBeCheckpoint(state)) return;
      throw this.#altered(how);
    }
  }

  #altered(how: Alteration['how']): Deposed {
    const { path } = this;
    return new Deposed({ why: 'altered', path, how }, `${path} was altered while this process had it open: ${how}`);
  }

  /**
   * A process notes a checkpoint only when it has ended, and never if it was killed. While it lasts, nothing is known and
   * a later look explains the file. Where frames were left to bring in, it may have ended a moment ago or been killed:
   * then the content of the journal decides.
   */
  #mayBeCheckpoint({ checkpointed }: LogState): boolean {
    const probe = this.#probe();
    return probe.isBusy || (probe.checkpointed !== checkpointed && this.#isContentWhole());
  }

  /** `state` is older than the look: what is on disk by now may be more, and never less. */
  #howAltered(state: LogState): Alteration['how'] | null {
    const { database, log } = this.#look();
    const salts = state.frames === 0 ? '' : this.#readLog(0, LOG_HEADER_BYTES).slice(32, 48);
    const lastFrame = this.#frameHeader(state.frames);
    if (state.frames > 0 && !this.#isEndOfLog(state.frames, log.size, lastFrame, salts)) return 'log';
    const now = { ...state, database, log, salts, lastFrame };
    const how = this.#seen === null ? null : this.#howAlteredSince(this.#seen, now);
    if (how === null) this.#seen = now;
    return how;
  }

  /** How the files became what they are now, where they cannot have by themselves. */
  #howAlteredSince(before: Seen, now: Seen): Alteration['how'] | null {
    // Nothing that is written to a journal makes it shorter.
    if (now.database.size < before.database.size) return 'cut_short';
    // Another log; or none, before and now, and others may have had one between.
    if (now.salts !== before.salts || (now.salts === '' && now.version !== before.version)) return null;
    const sameFrame = now.frames === before.frames ? now.lastFrame : this.#frameHeader(before.frames);
    if (sameFrame !== before.lastFrame) return 'log';
    if (now.database.mtimeNs === before.database.mtimeNs || now.checkpointed !== before.checkpointed) return null;
    return 'overwritten';
  }

  /** A frame has the salts of its log, and the last one of a transaction has the size of the database after it. */
  #isEndOfLog(frames: number, logBytes: bigint, frameHeader: string, salts: string): boolean {
    if (this.#log === null || frameHeader.length < 2 * FRAME_HEADER_BYTES) return false;
    if (logBytes < LOG_HEADER_BYTES + frames * this.#log.frameBytes) return false;
    return frameHeader.slice(16, 32) === salts && frameHeader.slice(8, 16) !== '00000000';
  }

  /** Hex. */
  #frameHeader(frame: number): string {
    if (frame === 0 || this.#log === null) return '';
    return this.#readLog(LOG_HEADER_BYTES + (frame - 1) * this.#log.frameBytes, FRAME_HEADER_BYTES);
  }

  /** Hex, shorter where the log ends. */
  #readLog(position: number, bytes: number): string {
    if (this.#log === null) return '';
    const read = readSync(this.#log.descriptor, this.#readings, 0, bytes, position);
    return this.#readings.toString('hex', 0, read);
  }

  get #logPath(): string {
    return `${this.path}-wal`;
  }
}

function isSameSize(one: Size, other: Size): boolean {
  return one.mtimeNs === other.mtimeNs && one.size === other.size;
}

function statOf(path: string): BigIntStats | null {
  return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
}

function isSame(file: BigIntStats | null, { dev, ino }: Identity): file is BigIntStats {
  return file !== null && file.dev === dev && file.ino === ino;
}
