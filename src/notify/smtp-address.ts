import { Refusal } from '../domain/refusal.ts';
import type { Secrets } from './notice.ts';

/** A mail server, and the login there. */
export type SmtpAddress = {
  host: string;
  port: number;
  /** TLS from the first byte. */
  isSecure: boolean;
  /** Plain text only there. */
  isLoopback: boolean;
  login: { user: string; password: string } | null;
};

const PORTS = { 'smtps:': 465, 'smtp:': 587 } as const;

/**
 * Reads `smtps://user:password@host:465` (TLS), or `smtp://…`, which begins TLS with STARTTLS or ends, but on loopback.
 * Null for anything else. Nothing in it but these parts counts: the mail library would take options from a query.
 */
export function parseSmtpAddress(text: string): SmtpAddress | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'smtps:' && url.protocol !== 'smtp:')) return null;
  const { protocol, hostname, username, password, port } = url;
  const hasMore = url.search !== '' || url.hash !== '' || (url.pathname !== '' && url.pathname !== '/');
  if (hasMore || hostname === '' || (username === '') !== (password === '')) return null;
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  try {
    return {
      host,
      port: port === '' ? PORTS[protocol] : Number(port),
      isSecure: protocol === 'smtps:',
      isLoopback: /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host),
      login: username === '' ? null : { user: decodeURIComponent(username), password: decodeURIComponent(password) },
    };
  } catch {
    // A per cent sign that begins nothing.
    return null;
  }
}

/** Throws a `Refusal` (`usage`) that does not repeat what stands there. */
export function readSmtpAddress(reference: string, secrets: Secrets): SmtpAddress {
  const address = parseSmtpAddress(secrets(reference, 'smtp'));
  if (address !== null) return address;
  const remedy = 'Write it as smtps://user:password@host:465, with %40 for an @ in the name or the password.';
  throw new Refusal('usage', `smtp: ${reference} holds no address of a mail server.`, remedy);
}
