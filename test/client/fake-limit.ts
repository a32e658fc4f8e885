import type { Pace, SharedLimit, SlotsGiven, SlotsWanted } from '../../src/domain/shared-limit.ts';
import { ClockOffset } from '../../src/journal/postgres/clock-offset.ts';
import type { Clock } from '../../src/platform/clock.ts';

type Row = Pace & { pacedAtMs: number; lateAtMs: number; nextAtMs: number; pausedUntilMs: number };

/** Of slots that are given at once, and of each wait that has no better reason. */
const RUN_MS = 200;
const SECOND_MS = 1_000;

/** What the database gives, by its own clock. */
export type FakeSlots = Omit<SlotsGiven, 'first' | 'ownLateMs'> & { atMs: number; firstInMs: number };

/** The limit of one service and key as the database keeps it; a test holds both against the same calls. */
export class FakeLimit {
  readonly #nowMs: () => number;
  #row: Row | null = null;
  #isRestarted = false;

  /** `nowMs`: the clock of the database. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The server was started anew. */
  restart(): void {
    this.#isRestarted = this.#row !== null;
  }

  take({ count, noticeMs, pauseMs, ...pace }: SlotsWanted): FakeSlots {
    const atMs = this.#nowMs();
    this.#row ??= { ...pace, pacedAtMs: atMs, lateAtMs: atMs, nextAtMs: 0, pausedUntilMs: 0 };
    const row = { ...this.#row };
    const { windowMs: widestMs } = row.windowMs > pace.windowMs ? row : pace;
    if (this.#isRestarted) row.nextAtMs = Math.max(row.nextAtMs, atMs) + 2 * widestMs + 2 * SECOND_MS;
    this.#setPace(row, pace, atMs);
    row.pausedUntilMs = Math.max(row.pausedUntilMs, atMs + pauseMs);
    const { windowMs, lateMs } = row;
    const everyMs = everyOf(row);
    const firstInMs = Math.max(row.nextAtMs, row.pausedUntilMs, atMs + noticeMs) - atMs;
    const againInMs = Math.max(0, firstInMs - windowMs - SECOND_MS);
    let given = 0;
    if (count > 0 && againInMs === 0) {
      const most = everyMs === 0 ? count : Math.max(1, Math.floor(RUN_MS / everyMs));
      given = Math.min(count, most);
      row.nextAtMs = atMs + firstInMs + given * everyMs;
    }
    const pausedMs = Math.max(0, row.pausedUntilMs - atMs);
    const was = this.#row;
    const isSamePace = row.requests === was.requests && windowMs === was.windowMs && lateMs === was.lateMs;
    if (given > 0 || pauseMs > 0 || this.#isRestarted || !isSamePace || isNoted(row, was)) this.#row = row;
    this.#isRestarted = false;
    return { count: given, atMs, firstInMs, everyMs, windowMs, lateMs, pausedMs, againInMs };
  }

  #setPace(row: Row, pace: Pace, atMs: number): void {
    const isInUse = atMs <= row.pacedAtMs + 2 * row.windowMs + 10 * SECOND_MS;
    const isSame = pace.requests === row.requests && pace.windowMs === row.windowMs;
    const isSlower = !isSame && pace.requests > 0 && (row.requests === 0 || everyOf(pace) > everyOf(row));
    if (isInUse && isSlower) row.nextAtMs = Math.max(row.nextAtMs, atMs) + pace.windowMs + SECOND_MS;
    if (pace.lateMs >= row.lateMs || atMs > row.lateAtMs + 2 * row.windowMs + 10 * SECOND_MS)
      Object.assign(row, { lateMs: pace.lateMs, lateAtMs: atMs });
    if (!isSame && !isSlower && isInUse) return;
    Object.assign(row, { requests: pace.requests, windowMs: pace.windowMs, pacedAtMs: atMs });
  }

  /** As a process asks it, over a network on which each way takes so long. */
  asked(clock: Clock, wayMs: () => number): SharedLimit {
    const offset = new ClockOffset();
    return {
      takeSlots: async (wanted) => {
        const isUncertain = offset.uncertainMs > wanted.lateMs / 2;
        const ownLateMs = wanted.lateMs + (isUncertain ? Math.ceil(offset.uncertainMs / 50) * 50 : 0);
        const askedMs = clock.monotonicMs();
        await clock.sleep(wayMs());
        const { atMs, firstInMs, ...given } = this.take({ ...wanted, lateMs: ownLateMs });
        await clock.sleep(wayMs());
        offset.note(askedMs, atMs, clock.monotonicMs());
        return { ...given, ownLateMs, first: offset.around(atMs + firstInMs) };
      },
    };
  }
}

function isNoted(row: Row, was: Row): boolean {
  return row.pacedAtMs > was.pacedAtMs + SECOND_MS || row.lateAtMs > was.lateAtMs + SECOND_MS;
}

function everyOf({ requests, windowMs, lateMs }: Pace): number {
  return requests === 0 ? 0 : (windowMs + lateMs) / requests;
}
