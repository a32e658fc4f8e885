import type { Pace, SharedLimit, SlotsGiven } from '../domain/shared-limit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Place, Places, Rate } from './places.ts';
import { type Slot, Slots } from './slots.ts';

/**
 * What is added to each window, so that no window sees more than the limit: how late in its slot a request may leave, and by how
 * much two requests may come closer on their way. Together 4 % of a window between one second and ten.
 */
const LATE = { share: 0.03, leastMs: 10, mostMs: 300 };
const MARGIN = { share: 0.01, leastMs: 10, mostMs: 100 };

/** The next answer is expected to take no longer than the last ones took, of which each counts less than the one after it. */
const FORGET = 0.7;

/** A turn begins before its slot by as much as the last ones took until they were ready to send, and a little more. */
const AHEAD_LEAST_MS = 10;
const AHEAD_MOST_MS = 500;
const FORGET_READY = 0.95;
/** More slots are asked for when the last one begins so soon, after that and the answer. */
const REFILL_MS = 200;
/** How often a process that has something to send asks how things stand: others may have been refused for their pace. */
const LOOK_EVERY_MS = 250;
/** Without a limit: for how long that is taken to be so. */
const UNLIMITED_FOR_MS = 2 * LOOK_EVERY_MS;
/** Where the limit cannot be asked: when to ask again, and when to give up. */
const RETRY_MS = 100;
const RETRY_FOR_MS = 10_000;
/** Between two questions, where the first brought nothing. */
const ASK_EVERY_LEAST_MS = 10;

/** Of a slot that is none of the limit's, while there is no limit. */
const ALWAYS = -Infinity;

export type SharedPlacesOptions = {
  limit: SharedLimit;
  rate: Rate;
  clock: Clock;
  /** There may be a place now. */
  onChange(): void;
  /** Nobody may send for so long. */
  onPause(ms: number): void;
};

/**
 * Places of a limit that other processes share. Slots are reserved where all of them are kept, and requests leave within them,
 * by the monotonic clock of this process: at the earliest when the slot has begun for certain, at the latest while it lasts for
 * certain. A process that dies or freezes loses its slots.
 */
export class SharedPlaces implements Places {
  readonly #options: SharedPlacesOptions;
  readonly #slots = new Slots();
  readonly #rate: Rate;
  /** The shorter one of this process's window and of that which holds. */
  #windowMs: number;
  #answerTookMs = 0;
  #readyTookMs = 0;
  /** Turns that have begun and have no slot yet. */
  #begun = 0;
  #unlimitedUntilMs = -Infinity;
  #pausedUntilMs = -Infinity;
  #isAsking = false;
  #askedMs = -Infinity;
  #askAgainMs = -Infinity;
  #failingSinceMs: number | null = null;
  #failure: { error: unknown } | null = null;

  constructor(options: SharedPlacesOptions) {
    this.#options = options;
    this.#rate = options.rate;
    this.#windowMs = options.rate?.window_ms ?? 0;
  }

  restMs(waiting: number): number {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#failure !== null || nowMs < this.#unlimitedUntilMs - LOOK_EVERY_MS) return 0;
    if (waiting + this.#begun === 0) return Infinity;
    const inMs = this.#refill(nowMs, waiting);
    if (nowMs < this.#unlimitedUntilMs) return 0;
    const beginsInMs = this.#slots.fromMs(this.#begun) - this.#aheadMs - nowMs;
    return beginsInMs <= 0 ? 0 : Math.min(beginsInMs, inMs);
  }

  begin(): Place {
    if (this.#failure !== null) {
      this.#refill(this.#options.clock.monotonicMs(), 1);
      throw this.#failure.error;
    }
    this.#begun++;
    return new SharedPlace(this, this.#options.clock);
  }

  pause(ms: number): void {
    // Where that fails, the others are refused themselves.
    void this.#take(0, ms).catch(() => {});
  }

  /** The slot with which a turn that has none may send now. */
  takeSlot(nowMs: number): Slot | null {
    const isUnlimited = nowMs < this.#unlimitedUntilMs;
    const slot = isUnlimited
      ? { fromMs: ALWAYS, untilMs: this.#unlimitedUntilMs }
      : this.#slots.take(nowMs, this.#windowMs);
    if (slot !== null) this.#begun--;
    return slot;
  }

  /** A turn has not sent with its slot. `goesOn`: it needs another one. */
  returnSlot(slot: Slot | null, goesOn: boolean): void {
    if (slot !== null && slot.fromMs !== ALWAYS) this.#slots.add(slot);
    this.#begun += (goesOn ? 1 : 0) - (slot === null ? 1 : 0);
  }

  /** A turn is ready to send so long after it began: its intent had to become durable. */
  noteReady(tookMs: number): void {
    this.#readyTookMs = Math.max(tookMs, FORGET_READY * this.#readyTookMs);
  }

  get #aheadMs(): number {
    return Math.min(AHEAD_LEAST_MS + this.#readyTookMs, AHEAD_MOST_MS);
  }

  /** In how many ms to look for a slot of a turn that has begun; Infinity where the next change shows it. */
  nextInMs(nowMs: number): number {
    const inMs = this.#refill(nowMs, 0);
    return Math.min(inMs, Math.max(this.#slots.fromMs(0) - nowMs, 1));
  }

  /** Asks for slots, or how things stand, where it is time. Gives in how many ms it will be time to look again. */
  #refill(nowMs: number, waiting: number): number {
    const missing = waiting + this.#begun - this.#slots.count(nowMs);
    if (this.#isAsking) return Infinity;
    if (nowMs < this.#askAgainMs) return this.#askAgainMs - nowMs;
    const soonMs = REFILL_MS + this.#aheadMs + this.#answerTookMs;
    const refillAtMs = Math.max(this.#slots.lastFromMs(), this.#pausedUntilMs) - soonMs;
    const isTime = missing > 0 && nowMs >= refillAtMs && nowMs >= this.#unlimitedUntilMs;
    const lookAtMs = Math.max(this.#askedMs + LOOK_EVERY_MS, this.#pausedUntilMs - soonMs);
    if (!isTime && nowMs < lookAtMs)
      return Math.min(lookAtMs, missing > 0 ? Math.max(refillAtMs, nowMs + 1) : Infinity) - nowMs;
    void this.#ask(isTime ? missing : 0);
    return Infinity;
  }

  async #ask(count: number): Promise<void> {
    const { clock, onChange } = this.#options;
    this.#isAsking = true;
    const askedMs = clock.monotonicMs();
    this.#askedMs = askedMs;
    try {
      const given = await this.#take(count, 0);
      const againInMs = count > 0 && given.count === 0 ? Math.max(given.againInMs, ASK_EVERY_LEAST_MS) : 0;
      this.#askAgainMs = clock.monotonicMs() + againInMs;
      this.#failingSinceMs = null;
    } catch (error) {
      this.#failingSinceMs ??= askedMs;
      if (clock.monotonicMs() - this.#failingSinceMs >= RETRY_FOR_MS) this.#failure = { error };
      this.#askAgainMs = clock.monotonicMs() + RETRY_MS;
    } finally {
      this.#isAsking = false;
    }
    onChange();
  }

  async #take(count: number, pauseMs: number): Promise<SlotsGiven> {
    const { limit, clock, onPause } = this.#options;
    const calledMs = clock.monotonicMs();
    const given = await limit.takeSlots({ ...this.#pace(), count, noticeMs: this.#answerTookMs, pauseMs });
    const answeredMs = clock.monotonicMs();
    this.#answerTookMs = Math.max(answeredMs - calledMs, FORGET * this.#answerTookMs);
    this.#windowMs = this.#rate === null ? given.windowMs : Math.min(this.#rate.window_ms, given.windowMs);
    this.#unlimitedUntilMs = given.everyMs === 0 ? calledMs + UNLIMITED_FOR_MS : -Infinity;
    this.#slots.forget(answeredMs - this.#windowMs);
    if (given.everyMs > 0) this.#addSlots(given);
    if (given.pausedMs > 0) {
      this.#pausedUntilMs = answeredMs + given.pausedMs;
      onPause(given.pausedMs);
    }
    return given;
  }

  #addSlots({ count, first, everyMs, windowMs, lateMs, ownLateMs }: SlotsGiven): void {
    const ownMs = this.#rate === null ? Infinity : ownLateMs - partOf(this.#rate.window_ms, MARGIN);
    const leavesInMs = Math.min(lateMs - partOf(windowMs, MARGIN), ownMs);
    for (let nth = 0; nth < count; nth++) {
      const inMs = nth * everyMs;
      this.#slots.add({ fromMs: first.latestMs + inMs, untilMs: first.earliestMs + inMs + leavesInMs });
    }
  }

  /** A process without a limit shares that of the others. */
  #pace(): Pace {
    const { requests, window_ms: windowMs } = this.#rate ?? { requests: 0, window_ms: 0 };
    return { requests, windowMs, lateMs: partOf(windowMs, LATE) + partOf(windowMs, MARGIN) };
  }
}

/** A turn takes its slot only when it is ready to send, so that the one that is ready first has the first slot. */
class SharedPlace implements Place {
  readonly #places: SharedPlaces;
  readonly #clock: Clock;
  readonly #begunMs: number;
  #isNoted = false;
  #slot: Slot | null = null;

  constructor(places: SharedPlaces, clock: Clock) {
    this.#places = places;
    this.#clock = clock;
    this.#begunMs = clock.monotonicMs();
  }

  restMs(): number {
    const nowMs = this.#clock.monotonicMs();
    if (!this.#isNoted) this.#places.noteReady(nowMs - this.#begunMs);
    this.#isNoted = true;
    return this.#isReady(nowMs) ? 0 : this.#places.nextInMs(nowMs);
  }

  leave(): boolean {
    return this.#isReady(this.#clock.monotonicMs());
  }

  giveBack(): void {
    this.#places.returnSlot(this.#slot, false);
  }

  #isReady(nowMs: number): boolean {
    if (this.#slot !== null && nowMs <= this.#slot.untilMs) return true;
    if (this.#slot !== null) this.#places.returnSlot(this.#slot, true);
    this.#slot = this.#places.takeSlot(nowMs);
    return this.#slot !== null;
  }
}

function partOf(windowMs: number, { share, leastMs, mostMs }: typeof LATE): number {
  return Math.min(Math.max(share * windowMs, leastMs), mostMs);
}
