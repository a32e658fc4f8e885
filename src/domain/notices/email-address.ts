import type { Mailbox } from './notify.ts';

/** RFC 5321, 4.5.3.1: 64 octets before the @, 254 in all. */
const LOCAL_MAX = 64;
const ADDRESS_MAX = 254;
const NAME_MAX = 100;

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Whether a text is one address and nothing else: a dot-string of RFC 5321, an @ and a domain, in ASCII. Quoted local
 * parts, comments, lists and names are none, so that nothing in a cell can become a second address or a header.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > ADDRESS_MAX) return false;
  const at = text.lastIndexOf('@');
  return at > 0 && at <= LOCAL_MAX && LOCAL.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1));
}

/** `pay@example.org`, or `Example Pty Ltd <pay@example.org>`; null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  if (isEmailAddress(text)) return { name: null, address: text };
  const parts = /^([^<>"\\,;:@]+) <([^<>]+)>$/.exec(text);
  const [, name = '', address = ''] = parts ?? [];
  const isName = name === name.trim() && name.length <= NAME_MAX && !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(name);
  return parts !== null && isName && isEmailAddress(address) ? { name, address } : null;
}
