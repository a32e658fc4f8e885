const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The key for an authenticator app that a page shows as text, and its bytes. */
export function appKey(html: string): { shown: string; secret: Uint8Array } {
  const shown = /aria-label="The key as text">([A-Z2-7 ]+)</.exec(html)?.[1]?.replaceAll(' ', '') ?? '';
  const bits = [...shown].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return { shown, secret: Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2)) };
}
