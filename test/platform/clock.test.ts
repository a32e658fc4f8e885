import process from 'node:process';
import { expect, test } from 'vitest';
import { within } from '../../src/platform/clock.ts';
import { machineClock } from '../../src/platform/machine.ts';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('work in time leaves no timer behind, nor does work that fails or is stopped', async () => {
  const before = timers();
  expect(await within(machineClock, 60_000, Promise.resolve('done'))).toBe('done');
  await expect(within(machineClock, 60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const stop = new AbortController();
  const stopped = within(machineClock, 60_000, new Promise(() => {}), stop.signal);
  expect(timers()).toBe(before + 1);
  stop.abort();
  expect(await stopped).toBeNull();
  expect(timers()).toBe(before);
});

test('work that is late gives null', async () => {
  expect(await within(machineClock, 1, new Promise(() => {}))).toBeNull();
});
