import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/domain/entry.ts';
import { Bug } from '../../src/domain/refusal.ts';
import { decodeEntry, ENTRY_TEXT_MAX, encodeEntry } from '../../src/journal/entries.ts';
import { ANY_OF_KIND } from './any-entry.ts';
import { sampleHeader, sampleIntent, sampleRows } from './samples.ts';

describe('the text of an entry', () => {
  it.each(Object.entries(ANY_OF_KIND))('of kind %s is read back equal', (kind, arbitrary) => {
    fc.assert(
      fc.property(arbitrary as fc.Arbitrary<Entry>, (entry) => {
        const encoded = encodeEntry(entry);
        expect(encoded.kind).toBe(kind);
        expect(encoded.row).toBe('row' in entry ? entry.row : null);
        expect(decodeEntry(encoded.data)).toEqual({ ok: true, entry });
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['an unknown kind', { ...sampleIntent(2), kind: 'payed' }],
    ['no kind', {}],
    ['a missing field', { ...sampleIntent(2), token: undefined }],
    ['an unknown field', { ...sampleIntent(2), colour: 'red' }],
    ['an amount that is a number', { ...sampleIntent(2), amount_minor: 1234 }],
    ['an amount with a point', { ...sampleIntent(2), amount_minor: '12.34' }],
    ['a row that is a fraction', { ...sampleIntent(2), row: 2.5 }],
    ['a time that is not a number', { ...sampleHeader('R1'), settings: { poll_every_ms: NaN, wait_timeout_ms: 1 } }],
  ])('with %s is neither written nor read', (_, entry) => {
    expect(() => encodeEntry(entry as Entry)).toThrow(Bug);
    expect(decodeEntry(JSON.stringify(entry)).ok).toBe(false);
  });

  it('of a run from before there were webhooks reads as one without', () => {
    const header = sampleHeader('R1');
    const { webhooks: _, ...profile } = header.profile;
    expect(decodeEntry(JSON.stringify({ ...header, profile }))).toEqual({ ok: true, entry: header });
  });

  it.each(['', '{', 'null', '[]', '"intent"', '{"kind":"intent"}{}'])('%j is not an entry', (data) => {
    expect(decodeEntry(data).ok).toBe(false);
  });

  it('never shows a value of a damaged entry, which may be an account number', () => {
    const { data } = encodeEntry(sampleRows(1));
    const damaged = [
      data.replace('"12345678"', '12345678'),
      data.replace('"12345678"', 'x12345678'),
      `${data}12345678`,
    ];
    for (const text of damaged) {
      const decoded = decodeEntry(text);
      expect(decoded.ok).toBe(false);
      expect(JSON.stringify(decoded)).not.toContain('12345678');
    }
  });

  it('names the place of the damage', () => {
    const { data } = encodeEntry(sampleRows(1));
    const problem = 'invalid_type at rows.0.order.destination.fields.account_number';
    expect(decodeEntry(data.replace('"12345678"', '12345678'))).toEqual({
      ok: false,
      why: { text: 'malformed', problem },
    });
  });

  it('has a longest length', () => {
    expect(() => encodeEntry({ kind: 'doubt', row: 2, attempt: 1, reason: 'x'.repeat(ENTRY_TEXT_MAX) })).toThrow(Bug);
  });
});
