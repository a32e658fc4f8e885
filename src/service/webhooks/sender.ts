import { parseWebhookSecret, signWebhook } from '../../contract/webhook.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import type { Core } from '../core.ts';
import { chance } from '../identifiers.ts';
import type { Endpoint } from '../outbox.ts';
import type { Due } from './deliveries.ts';
import type { DeliveryFaults } from './delivery-faults.ts';
import { Lane } from './lane.ts';
import type { Attempt, Post } from './post.ts';
import { ResultWriter } from './result-writer.ts';
import { nextAttemptMs, readRetryAfter } from './retry-schedule.ts';

/** Longest sleep: a machine's clock may be set forward while we wait. */
const SLEEP_MAX_MS = 60_000;

export type Sender = {
  /** Something may be due that was not: after a commit, or when the clock was moved. */
  wake(): void;
  /** Lets go what is held back to go out in another order. */
  releaseHeld(): void;
  /** Ends attempts that are under way; they are made again at the next start. */
  stop(): Promise<void>;
};

export type SenderParts = {
  core: Core;
  /** The service's own key for webhooks. */
  signingKey(): SigningKey;
  faults: DeliveryFaults;
  openPost(endpoint: Endpoint): Post;
};

/**
 * Sends what is due, beside everything else, until it is stopped. What is due is read from the database, so a restart
 * goes on where the process before it was. An attempt whose result was not written by then is made again, with the same
 * id and the same bytes: at least once.
 */
export function startSender(parts: SenderParts): Sender {
  const sending = new Sending(parts);
  const done = sending.run();
  return {
    wake: () => sending.wake(),
    releaseHeld: () => sending.releaseHeld(),
    async stop() {
      await sending.stop();
      await done;
    },
  };
}

class Sending {
  readonly #parts: SenderParts;
  readonly #core: Core;
  readonly #results: ResultWriter;
  readonly #lanes = new Map<number, Lane>();
  /** Taken for going out in reverse. */
  #held: { lane: Lane; due: Due }[] = [];
  #alarm = new AbortController();
  #isAwake = true;
  #isStopped = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#core = parts.core;
    this.#results = new ResultWriter(parts.core, () => this.#isStopped);
  }

  /** Never rejects. */
  async run(): Promise<void> {
    try {
      while (!this.#isStopped) await this.#turn();
    } catch (error) {
      this.#core.log.error({ error }, 'the sending of webhooks stopped');
    }
  }

  async #turn(): Promise<void> {
    this.#isAwake = false;
    this.#matchLanes();
    for (const lane of this.#lanes.values()) this.#fill(lane);
    if (!this.#isAwake) await this.#sleep();
  }

  wake(): void {
    for (const lane of this.#lanes.values()) lane.wake();
    this.#rise();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#rise();
    await Promise.all([...this.#lanes.values()].map(({ post }) => post.close()));
    await this.#results.flush();
  }

  releaseHeld(): void {
    const held = this.#held.splice(0).sort((a, b) => b.due.event - a.due.event);
    // One after the other, so that they also arrive in this order; endpoints do not wait for each other.
    for (const lane of new Set(held.map((one) => one.lane))) {
      const dues = held.filter((one) => one.lane === lane).map(({ due }) => due);
      void this.#sendInTurn(lane, dues);
    }
  }

  #rise(): void {
    this.#isAwake = true;
    this.#alarm.abort();
  }

  async #sleep(): Promise<void> {
    const nowMs = this.#core.clock.wallMs();
    const dueMs = [...this.#lanes.values()].map((lane) => lane.nextDueMs()).filter((ms) => ms !== null);
    const restMs = Math.min(...dueMs) - nowMs;
    this.#alarm = new AbortController();
    await this.#core.clock.sleep(Math.max(Math.min(restMs, SLEEP_MAX_MS), 1), this.#alarm.signal);
  }

  /** A lane for each endpoint that is on, none for others. */
  #matchLanes(): void {
    const { endpoints } = this.#core.outbox;
    for (const [number, lane] of this.#lanes) {
      if (endpoints.some(({ endpoint }) => endpoint === number)) continue;
      this.#lanes.delete(number);
      this.#held = this.#held.filter((one) => one.lane !== lane);
      void lane.post.close();
    }
    for (const endpoint of endpoints) {
      const lane = this.#lanes.get(endpoint.endpoint);
      if (lane) lane.endpoint = endpoint;
      else this.#lanes.set(endpoint.endpoint, new Lane(this.#core, endpoint, this.#parts.openPost(endpoint)));
    }
  }

  #fill(lane: Lane): void {
    while (!this.#results.isFull()) {
      const due = lane.take();
      if (!due) return;
      const treatment = this.#parts.faults.next();
      if (treatment === 'hold') {
        this.#hold(lane, due);
      } else if (treatment === 'drop') {
        lane.freed();
        this.#write(lane, due, { kind: 'dropped' });
      } else {
        void this.#deliver(lane, due, treatment === 'twice');
      }
    }
  }

  #hold(lane: Lane, due: Due): void {
    // It needs no connection while it is held.
    lane.freed();
    this.#held.push({ lane, due });
    if (!this.#parts.faults.isHolding()) this.releaseHeld();
  }

  async #sendInTurn(lane: Lane, dues: readonly Due[]): Promise<void> {
    for (const due of dues) this.#write(lane, due, await this.#attempt(lane, due));
  }

  async #deliver(lane: Lane, due: Due, twice: boolean): Promise<void> {
    const attempt = await this.#attempt(lane, due);
    if (twice) await this.#attempt(lane, due);
    lane.freed();
    this.#write(lane, due, attempt);
  }

  #attempt(lane: Lane, { id, body }: Due): Promise<Attempt> {
    const { secret } = lane.endpoint;
    const signed = signWebhook({
      id,
      timestampSeconds: Math.floor(this.#core.machine.wallMs() / 1_000),
      body,
      signingKey: this.#parts.signingKey(),
      secret: secret === null ? null : parseWebhookSecret(secret),
    });
    return lane.post.send({ ...signed, 'content-type': 'application/json', 'user-agent': 'payrun-service' }, body);
  }

  /** Notes what became of an attempt; it is in the database some milliseconds later. */
  #write(lane: Lane, due: Due, attempt: Attempt | { kind: 'dropped' }): void {
    // What ended with its connections because of a stop or a removal says nothing of the endpoint.
    const isCutOff = this.#isStopped || this.#lanes.get(lane.endpoint.endpoint) !== lane;
    if (isCutOff && attempt.kind === 'failed') lane.settled(due.event);
    else this.#results.add(this.#resultOf(due, attempt), () => this.#settled(lane, due));
    this.#rise();
  }

  #settled(lane: Lane, due: Due): void {
    lane.settled(due.event);
    this.#rise();
  }

  #resultOf(due: Due, attempt: Attempt | { kind: 'dropped' }) {
    const { event, endpoint, round } = due;
    const attempts = due.attempts + 1;
    const triedMs = Math.floor(this.#core.clock.wallMs());
    const told = { event, endpoint, round, attempts, triedMs };
    if (attempt.kind === 'dropped')
      return { ...told, httpStatus: null, problem: 'dropped for a rehearsal', outcome: { kind: 'failed' } as const };
    const httpStatus = attempt.kind === 'answered' ? attempt.status : null;
    if (httpStatus !== null && httpStatus >= 200 && httpStatus <= 299)
      return { ...told, httpStatus, problem: null, outcome: { kind: 'delivered' } as const };
    const problem = attempt.kind === 'answered' ? `answered ${attempt.status}` : attempt.problem;
    if (httpStatus === 410) return { ...told, httpStatus, problem, outcome: { kind: 'gone' } as const };
    const dueMs = nextAttemptMs({
      attempts,
      nowMs: triedMs,
      chance: chance(this.#core.randomness),
      retryAfterMs: attempt.kind === 'answered' ? this.#retryAfterMs(attempt) : null,
    });
    if (dueMs === null) return { ...told, httpStatus, problem, outcome: { kind: 'failed' } as const };
    return { ...told, httpStatus, problem, outcome: { kind: 'again', dueMs } as const };
  }

  #retryAfterMs({ status, retryAfter }: { status: number; retryAfter: string | null }): number | null {
    return status === 429 || status === 503 ? readRetryAfter(retryAfter, this.#core.machine.wallMs()) : null;
  }
}
