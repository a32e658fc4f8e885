/** Latin letters that do not fall apart into a letter and an accent. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Signs that are words: `Employee #` is no `Employee`. */
const SIGNS: Readonly<Record<string, string>> = { '#': ' no ', '№': ' no ', '°': 'o', '%': ' percent ' };

/** What makes a column optional or not, and is no part of its name: `Amount (required)`, `IBAN [Pflichtfeld]`. */
const MARK =
  /[([]\s*(?:required|mandatory|optional|pflicht|pflichtfeld|obligatoire|facultatif|optionnel|obligatorio|opcional|obrigat[oó]rio|obbligatorio|facoltativo|opzionale|verplicht|optioneel|wymagane|opcjonalne)\s*[)\]]/giu;

/** A header as it is compared: without case, accents, blanks, punctuation. Empty for one of punctuation only. */
export function headerKey(header: string): string {
  return PLAIN_HEADER.test(header) ? header.toLowerCase().replace(/[ _-]+/g, '') : foldedKey(header);
}

/** What most headers are made of. */
const PLAIN_HEADER = /^[A-Za-z0-9 _-]*$/;

/** What has a mark or a sign in it. Few have, and thousands of words are folded. */
const WITH_SIGNS = /[([#№%°]/;

function foldedKey(header: string): string {
  const words = WITH_SIGNS.test(header)
    ? header.replace(MARK, ' ').replace(/[#№%°]/g, (sign) => SIGNS[sign] ?? sign)
    : header;
  return words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßłøæœđðþı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** What two headers must share to be the same header of a table. Unlike the key it keeps `#` apart from `%`. */
export function headerIdentity(header: string): string {
  return headerKey(header) || header.trim();
}

/** The keys under which a word is found: German umlauts are written out as often as their dots are left off. */
export function keysOf(word: string): string[] {
  const key = headerKey(word);
  if (!/[äöü]/i.test(word)) return [key];
  return [key, headerKey(word.replace(/[äöü]/gi, (letter) => `${letter}e`))];
}

/** The keys of a header's words, `amountCents` and `amount_cents` alike, and of 金额（分）. */
export function headerWords(header: string): string[] {
  return header
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(headerKey)
    .filter((word) => word !== '');
}
