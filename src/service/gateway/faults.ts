import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import { OPERATIONS, type OperationName } from '../../contract/operations.ts';
import type { Clock, Randomness } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { chance } from '../identifiers.ts';
import { type Answer, answerOf, BROKEN, type Cut, TOO_MANY_REQUESTS } from './answers.ts';

/** What a fault does: how often the request is carried out, and what becomes of its answer. */
type FaultEffect = { carriedOut: 'never' | 'once' | 'twice' | 'later'; answer(answer: Answer): Answer };

/** `drop-after-commit` is the most important one. `slow` waits `ms` before the request is looked at, `late-commit` after its connection has ended. */
export const FAULTS = {
  'drop-before': { carriedOut: 'never', answer: cutBy('close') },
  'drop-after-commit': { carriedOut: 'once', answer: cutBy('close') },
  reset: { carriedOut: 'never', answer: cutBy('reset') },
  '500-before': { carriedOut: 'never', answer: () => answerOf(BROKEN) },
  '500-after-commit': { carriedOut: 'once', answer: () => answerOf(BROKEN) },
  '429': { carriedOut: 'never', answer: () => answerOf(TOO_MANY_REQUESTS, { 'retry-after': '1' }) },
  slow: { carriedOut: 'once', answer: (answer) => answer },
  truncate: { carriedOut: 'once', answer: cutBy('truncate') },
  'late-commit': { carriedOut: 'later', answer: cutBy('close') },
  'duplicate-delivery': { carriedOut: 'twice', answer: (answer) => answer },
} as const satisfies Record<string, FaultEffect>;

function cutBy(cut: Cut): FaultEffect['answer'] {
  return (answer) => ({ ...answer, cut });
}

export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as [FaultKind, ...FaultKind[]];

const LATE_DEFAULT_MS = 1_000;

/** `fault.add`: at the `nth` arrival of the operation from now on, once; or at each arrival by a probability. */
export const faultRequest = z
  .strictObject({
    operation: z.enum(Object.keys(OPERATIONS) as [OperationName, ...OperationName[]]),
    kind: z.enum(FAULT_KINDS),
    nth: z.int().min(1).optional(),
    probability: z.number().gt(0).max(1).optional(),
    /** For `slow` and `late-commit`. */
    ms: z.int().min(1).max(600_000).optional(),
  })
  .refine(({ nth, probability }) => (nth === undefined) !== (probability === undefined), {
    message: 'give either nth or probability',
  })
  .refine(({ kind, ms }) => (kind === 'slow' ? ms !== undefined : kind === 'late-commit' || ms === undefined), {
    message: 'slow needs ms, late-commit may have it, and nothing else has it',
  })
  .transform((fault) => (fault.kind === 'late-commit' ? { ...fault, ms: fault.ms ?? LATE_DEFAULT_MS } : fault));

export type Fault = z.infer<typeof faultRequest> & { id: string; arrivals: number; fired: number };

const FAULTS_MAX = 1_000;

/** The faults that the admin port has added. Kept in memory only. */
export class Faults {
  readonly #randomness: Randomness;
  readonly #faults = new Map<string, Fault>();
  #made = 0;

  constructor(randomness: Randomness) {
    this.#randomness = randomness;
  }

  /** Null where there are too many. */
  add(request: z.infer<typeof faultRequest>): Fault | null {
    if (this.#faults.size >= FAULTS_MAX) return null;
    this.#made += 1;
    const fault = { ...request, id: `fault_${this.#made}`, arrivals: 0, fired: 0 };
    this.#faults.set(fault.id, fault);
    return fault;
  }

  list(): Fault[] {
    return [...this.#faults.values()];
  }

  remove(id: string): boolean {
    return this.#faults.delete(id);
  }

  /** Counts an arrival of the operation and gives the fault that it meets: of several, the one added first. */
  meet(operation: OperationName): Fault | null {
    let met: Fault | null = null;
    for (const fault of this.#faults.values()) {
      if (fault.operation !== operation) continue;
      fault.arrivals += 1;
      if (met === null && this.#isDue(fault)) met = fault;
    }
    if (met) met.fired += 1;
    return met;
  }

  #isDue({ nth, probability = 0, arrivals }: Fault): boolean {
    return nth === undefined ? chance(this.#randomness) < probability : arrivals === nth;
  }
}

/** Each keeps a body of at most 1 MiB. */
const WAITING_MAX = 1_000;

/** Requests whose connection has ended and that take effect later. */
export class LateRequests {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    // Every one of them listens to it.
    setMaxListeners(WAITING_MAX + 1, this.#ending.signal);
  }

  /** Carries `work` out after `ms`. Where too many are waiting it is carried out now. */
  begin(ms: number, work: () => Promise<unknown>): void {
    const waitMs = this.#underWay.size < WAITING_MAX ? ms : 0;
    const done = this.#carryOut(waitMs, work).finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** Those that still wait never happen; resolves when the others are done. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#underWay);
  }

  async #carryOut(ms: number, work: () => Promise<unknown>): Promise<void> {
    if (ms > 0) await this.#clock.sleep(ms, this.#ending.signal);
    if (this.#ending.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      this.#log.error({ error }, 'a late request failed');
    }
  }
}
