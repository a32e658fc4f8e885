/** How the bytes of an XML file are decoded. */
export type XmlEncoding = { encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'; isAscii: boolean };

/** The encodings that are read, by the names under which a declaration has them. */
const READ: Readonly<Record<string, XmlEncoding['encoding'] | 'utf-16'>> = {
  'utf-8': 'utf-8',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
};

/**
 * The encoding of an XML file by its first bytes and its declaration (XML 1.0, appendix F); the name of one that is not
 * read, or that the first bytes contradict.
 */
export function xmlEncoding(head: Uint8Array): XmlEncoding | { unread: string } {
  const byBytes = encodingByBytes(head);
  const text = new TextDecoder(byBytes ?? 'windows-1252').decode(head.subarray(0, 1_024));
  const declared = /^\ufeff?\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)["']/.exec(text)?.[1];
  if (declared === undefined) return { encoding: byBytes ?? 'utf-8', isAscii: false };
  const named = READ[declared.trim().toLowerCase()];
  if (named === undefined) return { unread: declared };
  const isSame = byBytes === null || named === byBytes || (named === 'utf-16' && byBytes.startsWith('utf-16'));
  // Without a mark, and with one byte a letter, a declaration cannot have been read that says UTF-16.
  if (!isSame || (byBytes === null && named.startsWith('utf-16'))) return { unread: declared };
  const encoding = named === 'utf-16' ? (byBytes ?? 'utf-16le') : named;
  return { encoding, isAscii: /ascii/i.test(declared) };
}

function encodingByBytes([first, second, third]: Uint8Array): XmlEncoding['encoding'] | null {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null;
}
