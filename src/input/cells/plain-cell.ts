/** Before it in ASCII are blanks, `#` and signs with which few cells begin. */
export const APOSTROPHE = 0x27;

export const EQUALS_SIGN = 0x3d;

/** Whether all characters are those of ASCII that show: a loop is several times as fast as a regular expression. */
export function isPlainAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20 || unit > 0x7e) return false;
  }
  return true;
}

/**
 * Whether there is nothing to trim and nothing unusual in front: nearly every cell begins and ends with a letter or digit,
 * and `text.trim()` is slow to find that.
 */
export function isPlain(text: string): boolean {
  if (text === '') return true;
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  return first > APOSTROPHE && first < 0x7f && first !== EQUALS_SIGN && last > 0x20 && last < 0x7f;
}
