import { expect, test } from 'vitest';
import { type PayrollEnd, soak } from './soak.ts';

/** A lease of 30 s has to run out in real time, and a freeze within a commit is no takeover, so there may be several. */
const PATIENCE_MS = 600_000;

test(
  'scenario 23: a process that was frozen past its lease writes nothing and sends nothing more',
  async () => {
    const ends: PayrollEnd[] = [];
    for (let seed = 100; !ends.some(({ freeze }) => freeze?.outcome === 'taken_over'); seed += 10) {
      await soak({ mode: 'freeze', kills: 0, freezes: 2, rows: 40, seed, lanes: 2 }, (end) => ends.push(end));
      expect(ends.filter(({ disagreements }) => disagreements.length > 0)).toEqual([]);
    }
  },
  PATIENCE_MS,
);
