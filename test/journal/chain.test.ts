import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { genesis, linkHash, type StoredEntry } from '../../src/journal/chain.ts';

const ENTRY: Omit<StoredEntry, 'hash'> = { n: 5, at: 1_800_000_000_000, epoch: 2, kind: 'doubt', row: 7, data: '{}' };
const PREVIOUS = 'a'.repeat(64);

describe('the chain of entries', () => {
  it('starts with the run', () => {
    expect(genesis('R1')).toEqual({ n: 0, hash: sha256('payrun journal 1 R1') });
    expect(genesis('R2').hash).not.toBe(genesis('R1').hash);
  });

  // Others may verify a journal with a program of their own, so the text that is hashed never changes.
  it('hashes a text that is fixed for ever', () => {
    const text = `${PREVIOUS} 2:R1 5 1800000000000 2 7 5:doubt {}`;
    expect(linkHash(PREVIOUS, 'R1', ENTRY)).toBe(sha256(text));
    expect(linkHash(PREVIOUS, 'R1', { ...ENTRY, row: null })).toBe(sha256(text.replace(' 7 ', ' - ')));
  });

  it.each([16_383, 16_384, 140_000])('hashes it of an entry of %s characters too', (length) => {
    const data = 'Łódź €'.repeat(length).slice(0, length);
    expect(linkHash(PREVIOUS, 'R1', { ...ENTRY, data })).toBe(
      sha256(`${PREVIOUS} 2:R1 5 1800000000000 2 7 5:doubt ${data}`),
    );
  });

  it('gives two entries one hash only if they are equal in everything', () => {
    const number = fc.integer({ min: 0, max: 12 });
    const text = fc.string({ unit: fc.constantFrom('1', ':', ' ', '-', 'a'), maxLength: 5 });
    const row = fc.option(number, { nil: null });
    const link = fc.tuple(text, fc.record({ n: number, at: number, epoch: number, kind: text, row, data: text }));
    fc.assert(
      fc.property(link, link, ([runId, entry], [otherId, other]) => {
        const equal = JSON.stringify([runId, entry]) === JSON.stringify([otherId, other]);
        expect(linkHash(PREVIOUS, runId, entry) === linkHash(PREVIOUS, otherId, other)).toBe(equal);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(Object.keys(ENTRY) as (keyof typeof ENTRY)[])('covers %s', (field) => {
    const changed = { ...ENTRY, [field]: typeof ENTRY[field] === 'number' ? 11 : 'x' };
    expect(linkHash(PREVIOUS, 'R1', changed)).not.toBe(linkHash(PREVIOUS, 'R1', ENTRY));
  });

  it('covers the hash before and the run', () => {
    expect(linkHash('b'.repeat(64), 'R1', ENTRY)).not.toBe(linkHash(PREVIOUS, 'R1', ENTRY));
    expect(linkHash(PREVIOUS, 'R2', ENTRY)).not.toBe(linkHash(PREVIOUS, 'R1', ENTRY));
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
