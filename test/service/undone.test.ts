import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { signingKey } from '../../src/keys/ed25519.ts';
import { assetOf } from '../../src/service/accounts/assets.ts';
import { prepareRehearsal, type Rehearsal } from '../../src/service/first-start.ts';
import { assemble, type Parts } from '../../src/service/live-data.ts';
import { parseOptions, type ServiceOptions } from '../../src/service/options.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';
import { machineClock as machineClockOf } from '../../src/service/time/clock.ts';
import { machineClock, memoryLog, randomness, temporaryDirectory } from './harness.ts';

/*
 * What is kept in memory beside the database follows a transaction that is undone. One is undone whenever a change in it
 * throws or has become late, and then it is run again.
 */

const GBP = assetOf('GBP', null) ?? expect.fail();
let options: ServiceOptions;
let opened: OpenStore;
let parts: Parts;
let rehearsal: Rehearsal;
const open = (): Parts =>
  assemble(opened.store, { ...options, parsed: parseOptions(options), machine: machineClockOf(machineClock) });
beforeEach(() => {
  const dataDir = temporaryDirectory();
  options = { dataDir, clock: machineClock, randomness, log: memoryLog(), port: 0, adminPort: null };
  opened = openStore(dataDir);
  parts = open();
  rehearsal = prepareRehearsal(parts, signingKey(new Uint8Array(randomBytes(32))));
});
afterEach(() => {
  opened.close();
  rmSync(options.dataDir, { recursive: true, force: true });
});

const submit = (run: () => unknown): Promise<unknown> => parts.core.committer.submit(run, { crashed: () => 'crashed' });
const failing = (): never => {
  throw new Error('on purpose');
};
const addKey = (id: string) => () => {
  const key = signingKey(new Uint8Array(randomBytes(32)));
  return parts.keys.add(rehearsal.customer, key.publicKey, id);
};
const active = ({ keys }: Parts): string[] => keys.activeOf(rehearsal.customer.customer).map(({ id }) => id);

it('a key is added once, though its transaction was run again', async () => {
  const [added] = await Promise.all([submit(addKey('key_second')), submit(failing)]);
  expect(added).toMatchObject({ id: 'key_second', revoked: false });
  expect(active(parts)).toEqual([rehearsal.apiKey, 'key_second']);
  expect(active(open())).toEqual(active(parts));
});

it('a key and a price of a change that throws are not there', async () => {
  const { market } = parts.core;
  const priceBefore = market.usdAttos(GBP);
  const results = await Promise.all([
    submit(() => {
      addKey('key_lost')();
      parts.keys.revoke(rehearsal.apiKey);
      market.setBase(GBP, 1n);
      market.setWalk({ seed: 1, bps: 50 });
      failing();
    }),
    submit(addKey('key_second')),
  ]);
  expect(results).toEqual(['crashed', expect.objectContaining({ id: 'key_second' })]);
  expect(parts.keys.find('key_lost')).toBeUndefined();
  expect(active(parts)).toEqual([rehearsal.apiKey, 'key_second']);
  expect([market.usdAttos(GBP), market.walk()]).toEqual([priceBefore, null]);
  expect(active(open())).toEqual(active(parts));
});
