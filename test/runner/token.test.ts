import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describe, hasToken, newToken } from '../../src/runner/token.ts';

const randomness = { bytes: (count: number) => new Uint8Array(randomBytes(count)) };

test('a token is PR and 13 characters of Crockford base32, and no two are the same', () => {
  const tokens = Array.from({ length: 10_000 }, () => newToken(randomness));
  for (const token of tokens) expect(token).toMatch(/^PR[0-9A-HJKMNP-TV-Z]{13}$/);
  expect(new Set(tokens).size).toBe(tokens.length);
});

test('every character of the alphabet comes in every place', () => {
  const seen = Array.from({ length: 13 }, () => new Set<string>());
  for (let made = 0; made < 5_000; made++) {
    const token = newToken(randomness).slice(2);
    for (const [place, character] of [...token].entries()) seen[place]?.add(character);
  }
  for (const characters of seen) expect(characters.size).toBe(32);
});

test('a token is found as a whole word only', () => {
  const token = 'PR0123456789ABC';
  expect(hasToken(token, token)).toBe(true);
  expect(hasToken(`salary May ${token}`, token)).toBe(true);
  expect(hasToken(`${token}, again`, token)).toBe(true);
  expect(hasToken(`x${token}`, token)).toBe(false);
  expect(hasToken(`${token}D`, token)).toBe(false);
  expect(hasToken(`${token}é`, token)).toBe(false);
  expect(hasToken(token.slice(0, -1), token)).toBe(false);
  expect(hasToken(`salary ${token.toLowerCase()}`, token)).toBe(true);
  expect(hasToken(null, token)).toBe(false);
});

test('whatever the note is, the description has its token', () => {
  fc.assert(
    fc.property(fc.option(fc.string({ unit: 'grapheme' }), { nil: null }), (note) => {
      const token = newToken(randomness);
      expect(hasToken(describe(note, token), token)).toBe(true);
    }),
  );
});
