import { describe, expect, it } from 'vitest';
import { Exchange, type ExchangeOptions } from '../../src/client/exchange.ts';
import type { Outgoing, Sent } from '../../src/client/transport.ts';
import { silentLog } from '../../src/platform/log.ts';
import { ACCEPTED } from './fake-transport.ts';
import { virtualClock } from './virtual-clock.ts';

const WITHHELD: Sent = { kind: 'withheld' };

/** A request whose turn has these places one after another, over a transport that says what `become` makes of it. */
async function transmitted(
  places: boolean[],
  become: (mayLeave: boolean, nth: number) => Sent,
  { isOurs = true, gates = [true, true, true] } = {},
) {
  const clock = virtualClock();
  const given: Outgoing[] = [];
  const transport = {
    ...{ authority: 'pay.example', prefix: '', close: async () => {} },
    async send(request: Outgoing) {
      given.push(request);
      return become(request.mayLeave(), given.length);
    },
  };
  let signed = 0;
  const signer = { sign: () => ({ signature: String(++signed) }) };
  const randomness = { bytes: (count: number) => new Uint8Array(count) };
  const options = { transport, signer, clock, randomness, log: silentLog, requestLifetimeMs: 30_000 };
  const exchange = new Exchange(options as unknown as ExchangeOptions);
  const turn = { gate: async () => gates.shift() ?? false, leaves: () => places.shift() ?? false };
  const request = exchange.compose('transaction.transfer', {});
  const { sent } = await exchange.transmit(request, turn, clock.monotonicMs(), () => isOurs);
  return { sent, times: given.length, signed };
}

describe('a request whose place in the rate was lost', () => {
  it('that was held back for it waits for another place, and leaves as it was signed', async () => {
    const held = (mayLeave: boolean) => (mayLeave ? ACCEPTED : WITHHELD);
    expect(await transmitted([false, false, true], held)).toEqual({ sent: ACCEPTED, times: 3, signed: 1 });
    // No other place comes before its deadline.
    expect(await transmitted([false], held, { gates: [true, false] })).toEqual({ sent: WITHHELD, times: 1, signed: 1 });
  });

  it.each<Sent>([{ kind: 'lost', reason: 'reset' }, { kind: 'not_connected', reason: 'refused' }, ACCEPTED])(
    'is never sent again where the transport says anything but that no byte left: $kind',
    async (sent) => {
      expect(await transmitted([false, true], () => sent)).toEqual({ sent, times: 1, signed: 1 });
    },
  );
});

it('a request that is held back for another reason is not sent again', async () => {
  expect(await transmitted([true, true], () => WITHHELD)).toMatchObject({ sent: WITHHELD, times: 1 });
  expect(await transmitted([true, true], () => WITHHELD, { isOurs: false })).toMatchObject({
    sent: WITHHELD,
    times: 1,
  });
});
