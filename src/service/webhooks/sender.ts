import { parseWebhookSecret, signWebhook } from '../../contract/webhook.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import type { Core } from '../core.ts';
import { chance } from '../identifiers.ts';
import type { Endpoint } from '../outbox.ts';
import { type Due, nextAttemptMs, type Result, readRetryAfter, writeResult } from './deliveries.ts';
import type { DeliveryFaults } from './delivery-faults.ts';
import { Lane } from './lane.ts';
import type { Attempt, Post } from './post.ts';

/** Longest sleep: a machine's clock may be set forward while we wait. */
const SLEEP_MAX_MS = 60_000;

/** Results that come within this time of each other share a transaction, and so a sync of the disk. */
const GATHER_MS = 20;

export type SenderParts = {
  core: Core;
  /** The service's own key for webhooks. */
  signingKey(): SigningKey;
  faults: DeliveryFaults;
  openPost(endpoint: Endpoint): Post;
};

/** An attempt that a rehearsal keeps from being made is `dropped`. */
type Tried = Attempt | { kind: 'dropped' };

/**
 * Sends what is due, beside everything else, until it is stopped. What is due is read from the database, so a restart
 * goes on where the process before it was. An attempt whose result was not written by then is made again, with the same
 * id and the same bytes: at least once.
 */
export class Sender {
  readonly #parts: SenderParts;
  readonly #core: Core;
  readonly #lanes = new Map<number, Lane>();
  /** Deliveries that are under way or not written yet. None rejects. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #done: Promise<void>;
  #gathering: Promise<void> | null = null;
  #alarm = new AbortController();
  #isAwake = true;
  #isStopped = false;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#core = parts.core;
    this.#done = this.#run();
  }

  /** Something may be due that was not: after a commit, or when the clock was moved. */
  wake(): void {
    for (const lane of this.#lanes.values()) lane.wake();
    this.#rise();
  }

  /** Ends attempts that are under way; they are made again at the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#rise();
    await Promise.all([...this.#lanes.values()].map(({ post }) => post.close()));
    await Promise.all([this.#done, ...this.#underWay]);
  }

  /** Lets go what is held back: the newest first, one after the other, so that they also arrive in this order. */
  releaseHeld(): void {
    for (const lane of this.#lanes.values()) {
      const dues = lane.held.splice(0).sort((a, b) => b.event - a.event);
      if (dues.length > 0) this.#begin(this.#sendInTurn(lane, dues));
    }
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isStopped) {
        this.#isAwake = false;
        this.#matchLanes();
        for (const lane of this.#lanes.values()) this.#fill(lane);
        if (!this.#isAwake) await this.#sleep();
      }
    } catch (error) {
      this.#core.log.error({ error }, 'the sending of webhooks stopped');
    }
  }

  #rise(): void {
    this.#isAwake = true;
    this.#alarm.abort();
  }

  async #sleep(): Promise<void> {
    const dueMs = [...this.#lanes.values()].map((lane) => lane.nextDueMs()).filter((ms) => ms !== null);
    const restMs = Math.min(...dueMs) - this.#core.clock.wallMs();
    this.#alarm = new AbortController();
    await this.#core.clock.sleep(Math.max(Math.min(restMs, SLEEP_MAX_MS), 1), this.#alarm.signal);
  }

  /** A lane for each endpoint that is on, none for others. */
  #matchLanes(): void {
    const { endpoints } = this.#core.outbox;
    for (const [number, lane] of this.#lanes) {
      if (endpoints.some(({ endpoint }) => endpoint === number)) continue;
      this.#lanes.delete(number);
      void lane.post.close();
    }
    for (const endpoint of endpoints) {
      const lane = this.#lanes.get(endpoint.endpoint);
      if (lane) lane.endpoint = endpoint;
      else this.#lanes.set(endpoint.endpoint, new Lane(this.#core, endpoint, this.#parts.openPost(endpoint)));
    }
  }

  #fill(lane: Lane): void {
    for (let due = lane.take(); due !== null; due = lane.take()) {
      const treatment = this.#parts.faults.next();
      if (treatment === 'send' || treatment === 'twice') {
        this.#begin(this.#deliver(lane, due, treatment === 'twice'));
        continue;
      }
      // It needs no connection.
      lane.freed();
      if (treatment === 'drop') this.#begin(this.#settle(lane, due, { kind: 'dropped' }));
      else lane.held.push(due);
      if (treatment === 'hold' && !this.#parts.faults.isHolding()) this.releaseHeld();
    }
  }

  /** Where a result cannot be written nothing more is sent: it could not be noted either. */
  #begin(work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        this.#core.log.error({ error }, 'results of webhooks could not be written: nothing more is sent');
        this.#isStopped = true;
      })
      .finally(() => {
        this.#underWay.delete(done);
        this.#rise();
      });
    this.#underWay.add(done);
  }

  async #sendInTurn(lane: Lane, dues: readonly Due[]): Promise<void> {
    const settling: Promise<void>[] = [];
    for (const due of dues) settling.push(this.#settle(lane, due, await this.#attempt(lane, due)));
    await Promise.all(settling);
  }

  async #deliver(lane: Lane, due: Due, twice: boolean): Promise<void> {
    const attempt = await this.#attempt(lane, due);
    if (twice) await this.#attempt(lane, due);
    lane.freed();
    this.#rise();
    await this.#settle(lane, due, attempt);
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

  /** Writes what became of a delivery. One whose result is lost by a crash is made again. */
  async #settle(lane: Lane, due: Due, tried: Tried): Promise<void> {
    // What ended with its connections because of a stop or a removal says nothing of the endpoint.
    const isCutOff = this.#isStopped || this.#lanes.get(lane.endpoint.endpoint) !== lane;
    if (!isCutOff || tried.kind !== 'failed') {
      const result = this.#resultOf(due, tried);
      await this.#gather();
      await this.#core.committer.submit(() => writeResult(this.#core, result));
    }
    lane.settled(due.event);
  }

  #gather(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    this.#gathering ??= this.#core.clock.sleep(GATHER_MS).then(() => {
      this.#gathering = null;
    });
    return this.#gathering;
  }

  #resultOf({ event, endpoint, round, attempts: before }: Due, tried: Tried): Result {
    const triedMs = Math.floor(this.#core.clock.wallMs());
    const attempts = before + 1;
    const httpStatus = tried.kind === 'answered' ? tried.status : null;
    const known = { event, endpoint, round, attempts, triedMs, httpStatus };
    if (httpStatus !== null && httpStatus >= 200 && httpStatus <= 299)
      return { ...known, problem: null, state: 'delivered', dueMs: null };
    const problem = problemOf(tried);
    if (tried.kind === 'dropped' || httpStatus === 410) return { ...known, problem, state: 'failed', dueMs: null };
    const dueMs = nextAttemptMs({
      attempts,
      nowMs: triedMs,
      chance: chance(this.#core.randomness),
      retryAfterMs: this.#retryAfterMs(tried),
    });
    return { ...known, problem, state: dueMs === null ? 'failed' : 'pending', dueMs };
  }

  #retryAfterMs(attempt: Attempt): number | null {
    if (attempt.kind !== 'answered' || (attempt.status !== 429 && attempt.status !== 503)) return null;
    return readRetryAfter(attempt.retryAfter, this.#core.machine.wallMs());
  }
}

function problemOf(tried: Tried): string {
  switch (tried.kind) {
    case 'dropped':
      return 'dropped for a rehearsal';
    case 'answered':
      return `answered ${tried.status}`;
    case 'failed':
      return tried.problem;
  }
}
