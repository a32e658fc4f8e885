import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/open.ts';
import { machineRandomness } from '../../src/platform/machine.ts';
import { anotherProcess, ManualClock, type OpenOptions } from './place.ts';

export default open;

/** Opens the journal at `url`; by default as one living process, whose own clock stands still. */
export function open(url: string, options: OpenOptions = {}): Promise<Journal> {
  return openJournal(url, {
    clock: options.clock ?? new ManualClock(),
    randomness: options.randomness ?? machineRandomness,
    process: options.process ?? anotherProcess(1),
    isAlive: options.isAlive ?? (() => true),
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
  });
}
