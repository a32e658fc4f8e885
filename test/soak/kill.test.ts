import { expect, test } from 'vitest';
import { type PayrollEnd, soak } from './soak.ts';

/** Minutes of patience on a busy machine; a quiet one needs half of one. */
const PATIENCE_MS = 600_000;

test(
  '12 kills of the runner anywhere (scenario 1, scenario 2, scenario 3, scenario 4): ledger, journal and report agree',
  async () => {
    const ends: PayrollEnd[] = [];
    const totals = await soak({ mode: 'kill', kills: 12, freezes: 0, rows: 40, seed: 326, lanes: 2 }, (end) =>
      ends.push(end),
    );
    // What each says names the folder that was kept.
    expect(ends.filter(({ disagreements }) => disagreements.length > 0)).toEqual([]);
    expect(totals.kills).toBeGreaterThanOrEqual(12);
    expect([...totals.killsByPhase.keys()]).toEqual(expect.arrayContaining(['preparing payees', 'submitting']));
    expect(totals.found).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);
