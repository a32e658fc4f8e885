import type { Outgoing } from '../../src/client/transport.ts';
import { pathOf } from '../../src/contract/operations.ts';
import type { Currency } from '../../src/domain/currencies.ts';
import type { SigningKey } from '../../src/keys/ed25519.ts';
import { type Log, silentLog } from '../../src/platform/log.ts';
import { assetOf } from '../../src/service/accounts/assets.ts';
import type { Caller, Core } from '../../src/service/core.ts';
import { prepareRehearsal } from '../../src/service/first-start.ts';
import type { Answer, Outcome } from '../../src/service/gateway/answers.ts';
import { Faults, LateRequests } from '../../src/service/gateway/faults.ts';
import { Gateway, type GatewayOptions } from '../../src/service/gateway/gateway.ts';
import { HANDLERS } from '../../src/service/gateway/handlers.ts';
import { openNonces } from '../../src/service/gateway/nonces.ts';
import { createRateLimiter } from '../../src/service/gateway/rate-limit.ts';
import { assemble } from '../../src/service/live-data.ts';
import { parseOptions } from '../../src/service/options.ts';
import { openDatabase, type Store } from '../../src/service/store/database.ts';
import { migrate } from '../../src/service/store/schema.ts';
import { machineClock } from '../../src/service/time/clock.ts';
import { startScheduler } from '../../src/service/time/scheduler.ts';
import { disguised, isListed } from './disguise.ts';
import { Front } from './front.ts';
import type { Random } from './random.ts';
import type { ServiceVariant } from './variant.ts';
import { type Actor, clockOf, type Machine, type World } from './world.ts';

export const AUTHORITY = 'service.example';

/** How a copy of a request ends at the service. `gone`: the service went down with it. */
export type Served = Answer | 'gone';

type Incarnation = {
  actor: Actor;
  core: Core;
  caller: Caller;
  gateway: GatewayOptions;
  waiting: Set<(served: Served) => void>;
};

/** The most that a commit of the service takes. */
const TURN_MS = 8;

/**
 * The shipped service on a database in memory, without a port: its gateway, operations, ledger, settlement and committer
 * are the real ones. Around them stands what makes it another deployment: `ServiceVariant`.
 */
export class SimService {
  readonly store: Store;
  /** An hour behind until the story begins: what the service knows before is old then. */
  readonly machine: Machine = { name: 'service', offsetMs: -3_600_000 };
  apiKey = '';
  /** Called after every commit. */
  onCommit: () => void = () => {};
  /** Called when a quote was given, before its answer leaves. */
  onQuote: () => void = () => {};
  /** Asked at every commit: whether the service dies there, and on which side of it. */
  crashAtCommit: () => 'no' | 'before' | 'after' = () => 'no';
  readonly #world: World;
  readonly #random: Random;
  readonly #key: SigningKey;
  readonly #variant: ServiceVariant;
  readonly #front: Front;
  #now: Incarnation | null = null;
  #starts = 0;
  /** It does not die at this commit: it is only being started, or somebody else's hands are in it. */
  #isSafe = false;

  constructor(options: { world: World; random: Random; key: SigningKey; variant: ServiceVariant }) {
    this.#world = options.world;
    this.#random = options.random;
    this.#key = options.key;
    this.#variant = options.variant;
    const { random, key, variant } = options;
    this.#front = new Front({ authority: AUTHORITY, random: random.fork('front'), key, variant });
    this.store = openDatabase(':memory:');
    migrate(this.store);
    this.start();
  }

  get isUp(): boolean {
    return this.#now !== null;
  }

  start(): void {
    const actor: Actor = { name: `service${++this.#starts}`, isGone: false, frozenUntilMs: 0 };
    const clock = clockOf(this.#world, actor, this.machine, TURN_MS);
    const { rateLimit, settleMs } = this.#variant;
    const options = {
      dataDir: 'nowhere',
      clock,
      randomness: this.#random,
      log: this.#logOf(actor),
      port: 0,
      adminPort: null,
      rateLimit,
      settleMs,
    };
    const machine = machineClock(clock);
    const store = this.#mortal(actor);
    const parts = assemble(store, { ...options, parsed: parseOptions(options), machine });
    // Webhooks would go out by real sockets, so that only the settlement is begun.
    const scheduler: { dueAt(ms: number): void } = { dueAt: () => {} };
    const core: Core = { ...parts.core, dueAt: (ms) => scheduler.dueAt(ms) };
    this.#isSafe = true;
    const { customer, apiKey } = prepareRehearsal({ core, keys: parts.keys }, this.#key);
    this.#isSafe = false;
    this.apiKey = apiKey;
    scheduler.dueAt = startScheduler(core).dueAt;
    const gateway: GatewayOptions = {
      parts: () => ({ ...parts, core }),
      nonces: openNonces(store),
      faults: new Faults(this.#random),
      late: new LateRequests(clock, silentLog),
      rateLimit: createRateLimiter(options.rateLimit, clock.monotonicMs),
      isOwnHost: () => true,
    };
    this.#now = { actor, core, caller: customer, gateway, waiting: new Set() };
  }

  /** What was committed stays; everything else is lost. */
  crash(): void {
    const gone = this.#now;
    if (gone === null) return;
    gone.actor.isGone = true;
    this.#now = null;
    this.#world.note(`${gone.actor.name} goes down`);
    for (const end of gone.waiting) end('gone');
  }

  /** One copy of a request, from its bytes to its answer. */
  deliver(letter: Outgoing): Promise<Served> {
    const now = this.#now;
    if (now === null) return Promise.resolve('gone');
    const { path } = letter;
    const bytes = Buffer.from(letter.body);
    const operation = path.slice('/v1/'.length);
    const answered = this.#front.take(letter, {
      nowSeconds: () => now.core.machine.wallMs() / 1_000,
      // A gateway for each request: it verifies in another thread where several are under way, and threads have no order.
      pass: (headers) =>
        new Gateway(now.gateway).handle({
          method: 'POST',
          target: path,
          authority: AUTHORITY,
          headers,
          body: bytes,
        }),
      wait: (ms) => new Promise((resolve) => this.#world.schedule(now.actor, ms, `${now.actor.name} goes on`, resolve)),
    });
    return new Promise<Served>((resolve) => {
      now.waiting.add(resolve);
      void answered.then(
        (answer) => {
          now.waiting.delete(resolve);
          if (now.actor.isGone) return;
          if (operation === 'quote.get') this.onQuote();
          resolve(disguised(answer, operation, bytes, { ...this.#looks(now), random: this.#random }));
        },
        (error: unknown) => this.#world.fail(error),
      );
    });
  }

  /** Whether it lists a transaction by now, wherever its pages end. */
  lists(transaction: { id: string; created_at: string }): boolean {
    return this.#now !== null && isListed(transaction, this.#looks(this.#now));
  }

  #looks({ core }: Incarnation) {
    return { variant: this.#variant, store: this.store, nowMs: core.clock.wallMs() };
  }

  /** Does what another client of the same customer does, past the network. Throws where the service refuses it. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  direct(operation: string, body: object): any {
    const now = this.#now;
    const handler = HANDLERS.get(pathOf(operation));
    if (!now || !handler) throw new Error('the service is down, or has no such operation');
    const parsed = handler.request.read(body);
    if (!parsed.success) throw parsed.error;
    this.#isSafe = true;
    const outcome: Outcome = now.core.committer.now(() => handler.run(now.core, now.caller, parsed.data));
    this.#isSafe = false;
    if (!outcome.ok) throw new Error(`${operation}: ${outcome.message}`);
    return outcome.data;
  }

  /** The market moves: the price of a currency is so many hundredths of a percent from where it began. */
  movePrice({ code, chain }: Currency, bps: number): void {
    const core = this.#now?.core;
    const asset = assetOf(code, chain);
    if (!core || !asset) return;
    const attos = asset.usdNanos * 10n ** 9n;
    this.#isSafe = true;
    core.committer.now(() => core.market.setBase(asset, attos + (attos * BigInt(bps)) / 10_000n));
    this.#isSafe = false;
  }

  /** What the service calls an error is told. */
  #logOf({ name }: Actor): Log {
    const error: Log['error'] = (fields, message) => this.#world.note(`${name}: ${message}: ${String(fields.error)}`);
    return { ...silentLog, error };
  }

  /** The database, for one incarnation: it refuses everything once that is gone, and may die at a commit. */
  #mortal(actor: Actor): Store {
    const { store } = this;
    const alive = <Result>(work: () => Result): Result => {
      if (actor.isGone) throw new Error('this service has ended');
      return work();
    };
    return {
      ...store,
      exec: (sql) => alive(() => store.exec(sql)),
      get: (sql, ...values) => alive(() => store.get(sql, ...values)),
      all: (sql, ...values) => alive(() => store.all(sql, ...values)),
      run: (sql, ...values) =>
        alive(() => {
          const crash = sql === 'COMMIT' && !this.#isSafe ? this.crashAtCommit() : 'no';
          if (crash !== 'before') {
            const result = store.run(sql, ...values);
            if (sql === 'COMMIT') this.onCommit();
            if (crash === 'no') return result;
          } else store.run('ROLLBACK');
          this.#world.note(`${actor.name} dies ${crash} a commit`);
          this.crash();
          throw new Error('this service has ended');
        }),
    };
  }
}
