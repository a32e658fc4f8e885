/** Damage to JSON that no reader may overlook: each makes a text that must not be understood. */
export const DAMAGE: readonly (readonly [
  what: string,
  damage: (text: string, at: number) => string | Uint8Array | null,
])[] = [
  ['is cut off', (text, at) => text.slice(0, at % text.length)],
  ['has a name twice', (text, at) => replaceAt(text, /"(\w+)":/g, at, (whole, name) => `"${name}":null,${whole}`)],
  [
    'has a name twice, once escaped',
    (text, at) =>
      replaceAt(
        text,
        /"(\w)(\w*)":/g,
        at,
        (whole, first, rest) => `"\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}${rest}":null,${whole}`,
      ),
  ],
  ['has half of a surrogate pair', (text, at) => replaceAt(text, /:"/g, at, () => ':"\\ud800')],
  ['has a NUL', (text, at) => `${text.slice(0, at % text.length)}\u0000${text.slice(at % text.length)}`],
  ['has a comma before its end', (text) => text.replace(/\}$/, ',}')],
  ['goes on after its end', (text) => `${text}{}`],
  ['begins with a byte order mark', (text) => `\ufeff${text}`],
  ['is nested ten thousand deep', (text) => text.replace(/^\{/, `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)},`)],
  ['has bytes that are no UTF-8', (text, at) => replaceBytes(Buffer.from(text), at, Buffer.from([0xc3, 0x28]))],
  ['is Latin-1', (text) => Buffer.from(text.replace('{', '{"é":1,'), 'latin1')],
  ['is UTF-16', (text) => Buffer.from(text, 'utf16le')],
  ['has NaN', (text, at) => replaceAt(text, /:"[^"]*"/g, at, () => ':NaN')],
  ['has a number with a leading zero', (text, at) => replaceAt(text, /:"[^"]*"/g, at, () => ':01')],
  ['has a line end in a text', (text, at) => replaceAt(text, /:"/g, at, () => ':"\n')],
];

/** Replaces the `at`th of the matches, or gives null where there is none. */
function replaceAt(text: string, pattern: RegExp, at: number, by: (...match: string[]) => string): string | null {
  const matches = [...text.matchAll(pattern)];
  const match = matches[at % Math.max(matches.length, 1)];
  if (!match) return null;
  return text.slice(0, match.index) + by(...match) + text.slice(match.index + match[0].length);
}

function replaceBytes(bytes: Buffer, at: number, by: Buffer): Uint8Array {
  const place = at % bytes.length;
  return Buffer.concat([bytes.subarray(0, place), by, bytes.subarray(place)]);
}
