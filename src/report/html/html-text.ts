/**
 * The text as it stands in HTML, between tags and in quoted attributes. Controls and marks that turn the direction of
 * writing become visible: a stranger's file could otherwise show another account or amount than it holds.
 */
export function htmlText(text: string): string {
  return PLAIN.test(text)
    ? text
    : text.replace(UNPRINTABLE, '\uFFFD').replace(SPECIAL, (found) => ENTITIES[found] ?? '');
}

const PLAIN = /^[ !#$%(-;=?-~•]*$/;

/** Line breaks and tabs stay: they are blanks in HTML. */
const UNPRINTABLE = /[\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|(?![\t\r\n])\p{Cc}/gu;

const SPECIAL = /[&<>"']/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
