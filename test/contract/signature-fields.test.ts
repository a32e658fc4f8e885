import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkContentDigest, contentDigest } from '../../src/contract/signature-base.ts';
import { parseDictionary, serialiseString } from '../../src/contract/structured-fields.ts';

describe('a structured dictionary (RFC 8941)', () => {
  it('is read with every type of item', () => {
    const read = parseDictionary(
      's="a \\"b\\" \\\\c", t=*to/k:en!, i=-42, d=4.25, b=?0, y=:aGVsbG8=:, flag, other;q=1;r, l=("a";sf b  2);w="x"',
    );
    expect([...(read ?? [])].map(([key, member]) => [key, plain(member)])).toEqual([
      ['s', 'a "b" \\c'],
      ['t', '*to/k:en!'],
      ['i', -42],
      ['d', 4.25],
      ['b', false],
      ['y', 'hello'],
      ['flag', true],
      ['other', [true, { q: 1, r: true }]],
      ['l', { items: [['a', { sf: true }], 'b', 2], parameters: { w: 'x' } }],
    ]);
  });

  it.each(['', '   ', 'a=1', ' a=1 ', 'a=1,b=2', 'a=1 \t,\t b=2', 'a=()', 'a=( )', 'a=("x" )', 'a; b=1'])(
    'accepts %j',
    (text) => expect(parseDictionary(text)).not.toBeNull(),
  );

  it.each([
    ['a comma at the end', 'a=1,'],
    ['a comma at the start', ',a=1'],
    ['two commas', 'a=1,,b=2'],
    ['no comma', 'a=1 b=2'],
    ['no value', 'a='],
    ['a blank after =', 'a= 1'],
    ['an upper-case key', 'A=1'],
    ['a key twice', 'a=1, a=2'],
    ['a parameter twice', 'a=1;b=1;b=2'],
    ['a parameter twice on a list', 'a=("x");b=1;b=2'],
    ['an open list', 'a=("x"'],
    ['a list in a list', 'a=(("x"))'],
    ['items without a blank', 'a=("x""y")'],
    ['a comma in a list', 'a=("x","y")'],
    ['a tab in a list', 'a=("x"\t"y")'],
    ['an open string', 'a="x'],
    ['an escape of another letter', 'a="\\n"'],
    ['a control character in a string', 'a="\u0001"'],
    ['a letter outside of ASCII', 'a="é"'],
    ['an integer of 16 digits', 'a=1234567890123456'],
    ['a number that ends in a point', 'a=1.'],
    ['four decimals', 'a=1.2345'],
    ['a lone minus', 'a=-'],
    ['a boolean that is none', 'a=?2'],
    ['open bytes', 'a=:aGVsbG8='],
    ['bytes without padding', 'a=:aGVsbG8:'],
    ['bytes with spare bits set', 'a=:aGVsbG9=:'],
    ['base64url', 'a=:_-__:'],
    ['a date of RFC 9651', 'a=@1659578233'],
    ['a display string of RFC 9651', 'a=%"x"'],
    ['a line end', 'a=1\nb=2'],
    ['a tab at the start', '\ta=1'],
    ['33 members', Array.from({ length: 33 }, (_, place) => `k${place}=1`).join(',')],
    ['33 parameters', `a=1${Array.from({ length: 33 }, (_, place) => `;k${place}=1`).join('')}`],
    ['33 items in a list', `a=(${'x '.repeat(33)})`],
    ['more than 8,192 characters', `a="${'x'.repeat(8_200)}"`],
  ])('refuses %s', (_why, text) => expect(parseDictionary(text)).toBeNull());

  it('takes 32 of each', () => {
    const keys = Array.from({ length: 32 }, (_, place) => `k${place}=1`);
    expect(parseDictionary(keys.join(', '))?.size).toBe(32);
    expect(parseDictionary(`a=1;${keys.join(';')}`)?.get('a')?.parameters.size).toBe(32);
    expect(parseDictionary(`a=(${'x '.repeat(32)})`)).not.toBeNull();
  });

  it('never throws, whatever the text', () => {
    const pieces = fc.array(
      fc.constantFrom('a', '=', '"', '\\', '(', ')', ';', ',', ' ', '\t', ':', '?1', '1', '.', '-', '*', 'é', '\u0000'),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((list) => list.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (text) => {
          const read = parseDictionary(text);
          expect(read === null || read instanceof Map).toBe(true);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('gives back every string that is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(plain(parseDictionary(`a=${serialiseString(text)}`)?.get('a'))).toBe(text);
      }),
    );
  });
});

describe('Content-Digest (RFC 9530)', () => {
  /** The body and its digests in RFC 9421, B.2, and RFC 9530, appendix B. */
  const body = Buffer.from('{"hello": "world"}');
  const sha256 = 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:';
  const sha512 = 'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:';
  const other = contentDigest('another body');

  it('is written as published, of text and of its bytes', () => {
    expect(contentDigest(body)).toBe(sha256);
    expect(contentDigest(body.toString())).toBe(sha256);
    expect(contentDigest('é €')).toBe(contentDigest(Buffer.from('é €')));
  });

  it.each([
    { why: 'sha-256', field: sha256, check: 'matches' },
    { why: 'sha-512', field: sha512, check: 'matches' },
    { why: 'both', field: `${sha256}, ${sha512}`, check: 'matches' },
    { why: 'one that is known beside one that is not', field: `md5=:AAAA:, ${sha512}`, check: 'matches' },
    { why: 'the digest of other bytes', field: other, check: 'differs' },
    { why: 'one good and one wrong', field: `${sha512}, ${other}`, check: 'differs' },
    { why: 'a digest cut short', field: 'sha-256=:X48E9qOokqqrvdts8nOJRA==:', check: 'differs' },
    { why: 'no bytes', field: 'sha-256=::', check: 'differs' },
    { why: 'a name of another case', field: sha256.replace('sha', 'SHA'), check: 'malformed' },
    { why: 'a string', field: 'sha-256="X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE="', check: 'malformed' },
    { why: 'a list', field: 'sha-256=(:AAAA:)', check: 'malformed' },
    { why: 'the same twice', field: `${sha256}, ${sha256}`, check: 'malformed' },
    { why: 'only weak ones', field: 'md5=:AAAA:, sha=:AAAA:', check: 'unsupported' },
    { why: 'nothing', field: '', check: 'unsupported' },
  ])('with $why: $check', ({ field, check }) => expect(checkContentDigest(field, body)).toBe(check));
});

/** Values without their types: a list as an object, an item with parameters as a pair. */
function plain(member: unknown): unknown {
  const one = member as {
    kind: 'item' | 'list';
    items: unknown[];
    value: { type: string; value: unknown };
    parameters: Map<string, { value: unknown }>;
  };
  const parameters = Object.fromEntries([...one.parameters].map(([name, { value }]) => [name, value]));
  if (one.kind === 'list') return { items: one.items.map(plain), parameters };
  const { type, value } = one.value;
  const bare = type === 'bytes' ? Buffer.from(value as Uint8Array).toString() : value;
  return one.parameters.size > 0 ? [bare, parameters] : bare;
}
