import { describe, expect, test } from 'vitest';
import { compilePreload } from '../support/preload.ts';
import { powerSoak } from './power-cuts.ts';

/** Minutes of patience on a busy machine; a quiet one needs half of one. */
const PATIENCE_MS = 600_000;

const preload = compilePreload('failing-disk');

describe.skipIf(preload === null)('the power goes', () => {
  test(
    'scenario 5, scenario 25: at random syncs no acknowledged intent is lost; old copies of the journal send nothing',
    async () => {
      const options = { rows: 20, everyRows: 7, cuts: 4, preload: preload ?? '' };
      const totals = await powerSoak(1, 20, options);
      // What each says names the folder that was kept.
      expect(totals.disagreements).toEqual([]);
      // One of each kind: before the sync and after it, with a part of what was not synced and without.
      expect([totals.cuts, totals.torn, totals.late]).toEqual([4, 2, 2]);
      expect(totals.transfers).toBeGreaterThanOrEqual(20);
      expect(totals.copies).toBeGreaterThanOrEqual(2);
      expect(totals.suspected).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );
});
