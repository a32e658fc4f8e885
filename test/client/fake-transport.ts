import type { AnswerHeaders, Outgoing, Sent, Transport } from '../../src/client/transport.ts';
import type { Clock } from '../../src/platform/clock.ts';

/** A request whose first byte left, and between which two moments, on the monotonic clock. */
export type Left = Outgoing & { fromMs: number; atMs: number };

export type FakeTransport = Transport & {
  left: Left[];
  /** Requests that the transport was given, whether they left or not. */
  given: Outgoing[];
};

/** Gives the answers that `reply` makes. `connect` is what happens before a request may leave. */
export function fakeTransport(
  clock: Clock,
  reply: (request: Left, nth: number) => Sent | Promise<Sent> = () => ACCEPTED,
  connect: () => Promise<void> = async () => {},
): FakeTransport {
  const left: Left[] = [];
  const given: Outgoing[] = [];
  return {
    authority: 'pay.example',
    prefix: '/base',
    left,
    given,
    async send(request) {
      given.push(request);
      await connect();
      const fromMs = clock.monotonicMs();
      if (!request.mayLeave()) return { kind: 'withheld' };
      const one = { ...request, fromMs, atMs: clock.monotonicMs() };
      left.push(one);
      return reply(one, left.length);
    },
    async close() {},
  };
}

export function answered(status: number, body: unknown, headers: AnswerHeaders = {}): Sent {
  return { kind: 'answer', status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

export const ACCEPTED = answered(200, { data: 'tx_1' });

/** The most that left in any window of this length that is closed at its start and open at its end. */
export function mostInAnyWindow(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [last, timeMs] of sorted.entries()) {
    while ((sorted[first] as number) <= timeMs - windowMs) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
