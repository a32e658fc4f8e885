import { expect, test } from 'vitest';
import type { Entry, RunRow } from '../../../src/domain/entry.ts';
import { RunProjection } from '../../../src/journal/projections/run-projection.ts';
import { sampleHeader, samplePlan, sampleRow } from '../samples.ts';

const UNPAYABLE: RunRow = { ...sampleRow(3), order: null, problem: { code: 'amount_not_a_number', message: 'no' } };

test('who was paid has a letter for each payable row alone, also once a plan is discarded with all its rows', () => {
  const projection = new RunProjection('R1');
  const header = sampleHeader('R1');
  const entries: Entry[] = [
    header,
    { kind: 'rows', rows: [sampleRow(2), UNPAYABLE, sampleRow(4)] },
    { kind: 'rows', rows: [] },
    { kind: 'rows', rows: [sampleRow(7)] },
    { kind: 'planned', plan: samplePlan(header) },
  ];
  for (const [at, entry] of entries.entries()) projection.follow({ n: at + 1, at, entry });
  expect(Array.from(projection.pages(), ({ states }) => states)).toEqual(['ww', '', 'w']);
  projection.follow({ n: 6, at: 6, entry: { kind: 'cancelled', by: 'ada@desk' } });
  expect(Array.from(projection.pages(), ({ states }) => states)).toEqual(['nn', '', 'n']);
});
