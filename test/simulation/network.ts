import type { AnswerHeaders, Outgoing, Sent, Transport } from '../../src/client/transport.ts';
import { type FaultKind, PAYOUT_FAULTS, type Weather } from './faults.ts';
import type { Random } from './random.ts';
import { AUTHORITY, type Served, type SimService } from './sim-service.ts';
import { type Actor, trueWallMs, type World } from './world.ts';

/** A request that left a process, as whoever judges sees it. */
export type Departure = { actor: Actor; operation: string; request: Outgoing; nth: number; leftMs: number };

/** What the network shares with whoever judges and counts. */
export type NetworkWatch = {
  /** The first byte leaves. Throws where it must not. */
  leaves(departure: Departure): void;
  /** Whether the process dies with this request: before its first byte, or after its last. */
  crash(): 'no' | 'before' | 'after';
  /** A fault met a request. */
  fault(kind: FaultKind): void;
  /** A process hears what became of its request. */
  hears(departure: Departure, sent: Sent): void;
  /** The id that is answered in the place of that of the payout with this body. */
  wrongId(body: string, kind: 'answer_other_id' | 'answer_invented_id'): string;
};

/** A connection attempt ends after so long (`client/transport.ts`). */
const CONNECT_TIMEOUT_MS = 10_000;

/** Carries requests from the processes to the service, as well as the weather lets it. */
export class Network {
  readonly #world: World;
  readonly #random: Random;
  readonly #service: SimService;
  readonly #weather: Weather;
  readonly #watch: NetworkWatch;
  /** From then on nothing happens to what is sent. */
  isQuiet = false;
  #sent = 0;

  constructor(options: { world: World; random: Random; service: SimService; weather: Weather; watch: NetworkWatch }) {
    this.#world = options.world;
    this.#random = options.random;
    this.#service = options.service;
    this.#weather = options.weather;
    this.#watch = options.watch;
  }

  transport(actor: Actor, die: (actor: Actor) => void): Transport {
    return {
      authority: AUTHORITY,
      prefix: '',
      send: (request) => this.#send(actor, die, request),
      async close() {},
    };
  }

  #send(actor: Actor, die: (actor: Actor) => void, request: Outgoing): Promise<Sent> {
    const world = this.#world;
    const nth = ++this.#sent;
    const operation = request.path.slice('/v1/'.length);
    const name = `${actor.name} #${nth} ${operation}`;
    const fault = this.#fault(operation);
    let leftMs = world.nowMs;
    return new Promise((resolve, reject) => {
      const end = (sent: Sent, afterMs: number, label: string): void => {
        world.schedule(actor, afterMs, `${name} ${label}`, () => {
          if (isOver) return;
          isOver = true;
          if (world.isTraced)
            world.trace(
              `${name} ends: ${label}${sent.kind === 'answer' ? ` ${sent.status} ${sent.body.slice(0, 150)}` : ''}`,
            );
          world.judged(() => this.#watch.hears({ actor, operation, request, nth, leftMs }, sent));
          resolve(sent);
        });
      };
      let isOver = false;
      const isSlow = fault === 'slow_connection';
      const connectMs = isSlow ? this.#random.next() * this.#weather.lateMs : this.#travelMs() / 2;
      if (fault === 'refused' || (!this.#service.isUp && fault === null) || connectMs > CONNECT_TIMEOUT_MS) {
        return end(
          { kind: 'not_connected', reason: 'ECONNREFUSED' },
          Math.min(connectMs, CONNECT_TIMEOUT_MS),
          'not connected',
        );
      }
      world.schedule(actor, connectMs, `${name} connected`, () => {
        if (actor.isGone) return;
        if (!request.mayLeave()) return end({ kind: 'withheld' }, 0, 'withheld');
        const crash = this.#watch.crash();
        if (crash === 'before') return die(actor);
        try {
          leftMs = world.nowMs;
          this.#watch.leaves({ actor, operation, request, nth, leftMs });
        } catch (violation) {
          world.fail(violation);
          return reject(violation);
        }
        if (world.isTraced)
          world.trace(
            `${name} leaves${fault && fault !== 'slow_connection' ? ` into ${fault}` : ''} ${request.body.slice(0, 220)}`,
          );
        end({ kind: 'lost', reason: 'no answer in time' }, request.timeoutMs, 'silence');
        this.#carry({ name, operation, request, end }, fault);
        if (crash === 'after') die(actor);
      });
    });
  }

  /** What becomes of a request that has left. */
  #carry(letter: Letter, fault: FaultKind | null): void {
    const { end } = letter;
    const lateMs = this.#random.next() * this.#weather.lateMs;
    switch (fault) {
      case null:
      case 'refused':
      case 'slow_connection':
        this.#deliver(letter, this.#travelMs(), (served) => this.#answer(letter, served));
        return;
      case 'request_lost':
        this.#lose(letter, 0);
        return;
      case 'request_late':
        this.#lose(letter, 0);
        this.#deliver(letter, lateMs, (served) => this.#answer(letter, served));
        return;
      case 'duplicate':
        this.#deliver(letter, lateMs, (served) => this.#answer(letter, served));
        this.#deliver(letter, this.#travelMs(), (served) => this.#answer(letter, served));
        return;
      case '429_and_late': {
        // What is made for payees is made again when a request has lived: where nothing expires, litter may come later.
        const isPayout = letter.operation === 'transaction.transfer';
        this.#deliver(letter, isPayout ? lateMs : Math.min(lateMs, this.#weather.refusedLateMs), () => {});
        this.#answered(end, '429_before');
        return;
      }
      case '400_and_late':
      case '401_and_late':
        this.#deliver(letter, this.#random.next() * this.#weather.refusedLateMs, () => {});
        this.#answered(end, fault);
        return;
      case 'answer_other_id':
      case 'answer_invented_id': {
        const body = JSON.stringify({ data: this.#watch.wrongId(letter.request.body, fault) });
        const answer = (): void => this.#answer(letter, { status: 200, headers: {}, body });
        if (this.#random.chance(0.3)) answer();
        else this.#after(letter, answer);
        return;
      }
      case 'answer_lost':
        this.#deliver(letter, this.#travelMs(), () => this.#lose(letter, this.#travelMs()));
        return;
      case 'answer_late':
        this.#deliver(letter, this.#travelMs(), (served) => this.#answer(letter, served, lateMs));
        return;
      case 'answer_cut':
        this.#after(letter, (served) => {
          if (this.#random.chance(0.5)) return this.#lose(letter, this.#travelMs());
          // Something on the way closed in peace what the service had not finished.
          const half = { ...served, body: served.body.slice(0, served.body.length >> 1) };
          this.#answer(letter, half);
        });
        return;
      case 'answer_html':
        this.#after(letter, (served) => this.#answer(letter, { ...served, body: HTML }));
        return;
      case 'answer_empty':
        this.#after(letter, (served) => this.#answer(letter, { ...served, body: this.#random.pick(EMPTY) }));
        return;
      case '500_after':
        this.#after(letter, () => this.#answer(letter, this.#error(500, 'INTERNAL_SERVER_ERROR')));
        return;
      case '502_html_after':
        this.#after(letter, () => this.#answer(letter, { status: 502, headers: {}, body: HTML }));
        return;
      case '408_after':
        this.#after(letter, () => this.#answer(letter, this.#error(408, 'REQUEST_TIMEOUT')));
        return;
      default:
        this.#answered(end, fault);
        return;
    }
  }

  /** Something on the way answers, and the request goes no further. */
  #answered(end: Letter['end'], fault: FaultKind): void {
    const answer = this.#before(fault);
    const headers: AnswerHeaders = {
      date: new Date(trueWallMs(this.#world)).toUTCString(),
      ...answer.headers,
    };
    end({ kind: 'answer', status: answer.status, headers, body: answer.body }, this.#travelMs() * 2, fault);
  }

  #before(fault: FaultKind): Exclude<Served, 'gone'> {
    switch (fault) {
      case 'html_before':
        return { status: this.#random.pick([200, 403, 502, 404]), headers: {}, body: HTML };
      case '408_before':
        return { status: 408, headers: {}, body: '' };
      case '302_before':
        return { status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' };
      case '429_before': {
        const answer = this.#error(429, 'TOO_MANY_REQUESTS');
        return this.#random.chance(0.5)
          ? answer
          : { ...answer, headers: { 'retry-after': String(this.#random.whole(1, 5)) } };
      }
      case '400_before':
        return this.#error(this.#random.pick([400, 403, 413]), 'FORBIDDEN');
      case '400_and_late':
        return this.#error(this.#random.pick([400, 403, 404, 413]), 'BAD_REQUEST');
      case '401_and_late':
        return this.#error(401, 'UNAUTHORIZED', this.#random.pick(['EXPIRED', 'EXPIRED', 'REVOKED']));
      case '401_before':
        return this.#error(401, 'UNAUTHORIZED');
      case '503_before':
        return this.#error(503, 'SERVICE_UNAVAILABLE');
      default:
        return this.#error(500, 'INTERNAL_SERVER_ERROR');
    }
  }

  #error(status: number, code: string, reason?: string): Exclude<Served, 'gone'> {
    return {
      status,
      headers: {},
      body: JSON.stringify({ error: { code, message: 'made up by the weather', reason } }),
    };
  }

  #after(letter: Letter, change: (served: Exclude<Served, 'gone'>) => void): void {
    this.#deliver(letter, this.#travelMs(), (served) => (served === 'gone' ? this.#lose(letter, 0) : change(served)));
  }

  #deliver({ name, request }: Letter, afterMs: number, then: (served: Served) => void): void {
    this.#world.schedule(null, afterMs, `${name} arrives`, () => {
      if (this.#world.isTraced) this.#world.trace(`${name} arrives`);
      this.#service.deliver(request).then(then, (error: unknown) => this.#world.fail(error));
    });
  }

  #answer(letter: Letter, served: Served, lateMs = 0): void {
    if (served === 'gone') {
      this.#lose(letter, 0);
      return;
    }
    const { status, headers, body } = served;
    letter.end({ kind: 'answer', status, headers, body }, this.#travelMs() + lateMs, 'answered');
  }

  /** The connection is reset, or nothing comes until the client gives up. */
  #lose({ end }: Letter, afterMs: number): void {
    if (this.#random.chance(this.#weather.resets)) end({ kind: 'lost', reason: 'ECONNRESET' }, afterMs, 'reset');
  }

  #travelMs(): number {
    return this.#random.next() * this.#weather.travelMs;
  }

  #fault(operation: string): FaultKind | null {
    if (this.isQuiet) return null;
    const storm = this.#weather.storms.find(
      ({ fromMs, untilMs }) => fromMs <= this.#world.nowMs && this.#world.nowMs < untilMs,
    );
    const isSpared = this.#weather.sparesPayees && !operation.startsWith('transaction.');
    const isMet = !isSpared && this.#random.chance(this.#weather.faults);
    const kind = storm?.kind ?? (isMet ? this.#random.weighted(this.#weather.kinds) : null);
    if (kind === null || (PAYOUT_FAULTS.has(kind) && operation !== 'transaction.transfer')) return null;
    this.#watch.fault(kind);
    return kind;
  }
}

type Letter = {
  name: string;
  operation: string;
  request: Outgoing;
  /** Gives the process what became of its request, unless it has heard something already. */
  end(sent: Sent, afterMs: number, label: string): void;
};

const HTML = '<!doctype html><title>502</title><h1>Bad gateway</h1>';
const EMPTY = ['', '{}', '{"data":null}', '{"data":""}', 'null', '[]', '{"data":{}}'];
