import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeEscapes, decodeXml } from '../../../src/platform/xlsx/xml-scanner.ts';
import { textElement } from '../../../src/platform/xlsx/xml-text.ts';

const READ = /^<t(?: xml:space="preserve")?>([^<]*)<\/t>$/;

/** A text as it is read from what is written of it. XML makes line feeds of carriage returns. */
function readBack(text: string): string {
  const written = READ.exec(textElement('', text))?.[1] ?? '';
  return decodeEscapes(decodeXml(written.replaceAll(/\r\n?/g, '\n')));
}

const piece = fc.constantFrom(
  '_x0041_',
  '_x005F_',
  '_x',
  '_',
  '&amp;',
  '<',
  ']]>',
  '\r',
  '\r\n',
  '\t',
  '\0',
  '\v',
  '\uffff',
  '😀',
);

it('any text is read as it was written', () => {
  const texts = fc
    .array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 8 })
    .map((parts) => parts.join(''));
  fc.assert(fc.property(texts, (text) => readBack(text) === text));
});

it('half a character becomes the sign for what cannot be shown', () => {
  expect(readBack('a\ud83d')).toBe('a\ufffd');
});
