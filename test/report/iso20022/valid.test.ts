import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../../support/cases.ts';
import { invalidIn, NO_VALIDATORS } from '../../support/iso-validators.ts';
import { completed, exampleRun, payoutRow } from '../example-run.ts';
import { bankFiles } from './bank-files.ts';
import { failed, named, RUNS } from './runs.ts';

describe.skipIf(NO_VALIDATORS !== null)('bank files are valid by libxml2-wasm and by xmllint', () => {
  test.each(Object.keys(RUNS))('of a run: %s', (name) => {
    for (const file of bankFiles(RUNS[name]?.() ?? exampleRun([]))) expect(invalidIn(file)).toEqual([]);
  });

  test('whatever names, references and reasons are', () => {
    const text = fc.string({ maxLength: 400, unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, (name, reference, reason) => {
        const rows = [named(payoutRow(2), name, reference), named(payoutRow(3), name, reference)];
        const files = bankFiles(exampleRun(rows, [...completed(2), ...failed(3, name, reason)]));
        for (const file of files) expect(invalidIn(file)).toEqual([]);
      }),
      { numRuns: cases(12, 40) },
    );
  });

  test('and the validators find what is not', () => {
    for (const file of bankFiles(RUNS['all paid']?.() ?? exampleRun([]))) {
      expect(invalidIn(file.replace('<CreDtTm>', '<CreDtTm>on '))).toHaveLength(2);
      expect(invalidIn(file.replace('</GrpHdr>', '<New/></GrpHdr>'))).toHaveLength(2);
    }
  });
});
