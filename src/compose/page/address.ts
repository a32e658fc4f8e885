import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Refusal } from '../../domain/refusal.ts';
import type { AddressFault } from '../../domain/refusals/command-reasons.ts';
import { isoUtc } from '../../domain/time.ts';
import { readOwnersText } from '../../keys/key-file.ts';
import type { Tls } from '../../web/serve.ts';
import type { WebOptions } from '../../web/web.ts';
import type { Settings } from '../settings.ts';

/** Where the page listens, and how it is known. */
export type PageAddress = {
  host: string;
  /** The other address that `localhost` may be, where the page is known by that name. */
  also: string | null;
  tls: Tls | null;
  /** What browsers call it, when the port is known. */
  known(port: number): Pick<WebOptions, 'origin' | 'alsoHosts' | 'isBehindProxy'>;
};

const LOOPBACK = '127.0.0.1';
const LOOPBACK_6 = '::1';
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set([LOOPBACK, '::1', 'localhost']);
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * Only this machine, unless a certificate or a proxy makes the way to others a safe one. Throws a `Refusal`
 * (`page_address_unusable`), or a `KeyFileError` for a private key that others can read.
 */
export function pageAddress({ host, tlsCert, tlsKey, behindProxy }: Settings, nowMs: number): PageAddress {
  const listens = host ?? LOOPBACK;
  if (behindProxy !== undefined) return behind(behindProxy, listens, tlsCert ?? tlsKey);
  if (tlsCert !== undefined || tlsKey !== undefined) return withTls(listens, tlsCert, tlsKey, nowMs);
  if (!LOOPBACK_HOSTS.has(listens)) throw unusable({ why: 'in_the_clear', host: listens });
  return {
    ...listeningAt(listens),
    tls: null,
    known: (port) => ({ ...loopbackNames(port, 'http'), isBehindProxy: false }),
  };
}

function behind(origin: string, host: string, tls: string | undefined): PageAddress {
  const url = URL.parse(origin);
  const isOrigin = url !== null && url.protocol === 'https:' && (origin === url.origin || origin === `${url.origin}/`);
  if (!isOrigin) throw unusable({ why: 'no_https_origin', origin });
  if (tls !== undefined) throw unusable({ why: 'proxy_and_tls' });
  return { host, also: null, tls: null, known: () => ({ origin: url.origin, alsoHosts: [], isBehindProxy: true }) };
}

function withTls(host: string, certFile: string | undefined, keyFile: string | undefined, nowMs: number): PageAddress {
  if (certFile === undefined || keyFile === undefined) throw unusable({ why: 'half_tls' });
  const cert = textOf(certFile);
  const key = readOwnersText(keyFile);
  const certificate = certificateOf(cert, certFile);
  requireValid(certificate, certFile, nowMs);
  const name = nameOf(host, certificate);
  return {
    ...listeningAt(host),
    tls: { cert, key },
    known(port) {
      if (LOOPBACK_HOSTS.has(name)) return { ...loopbackNames(port, 'https'), isBehindProxy: false };
      const { origin } = new URL(`https://${name.includes(':') ? `[${name}]` : name}:${port}`);
      return { origin, alsoHosts: [], isBehindProxy: false };
    },
  };
}

/** With one that is not, browsers warn of the page, and people learn to pass over it. */
function requireValid({ validFromDate, validToDate }: X509Certificate, file: string, nowMs: number): void {
  const [fromMs, toMs] = [validFromDate.getTime(), validToDate.getTime()];
  if (fromMs <= nowMs && nowMs <= toMs) return;
  const hasEnded = nowMs > toMs;
  const day = isoUtc(hasEnded ? toMs : fromMs).slice(0, 10);
  throw unusable({ why: 'out_of_time', file, hasEnded, day });
}

/** What browsers call the page: the host, or where it listens everywhere, the first name of the certificate. */
function nameOf(host: string, certificate: X509Certificate): string {
  if (isIP(host) === 0 || LOOPBACK_HOSTS.has(host)) return host;
  const names = (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace(/^DNS:/, ''));
  const first = names.find((name) => !name.includes(':') && !name.includes('*') && name !== '');
  if (first !== undefined) return first;
  if (!EVERYWHERE.has(host)) return host;
  throw unusable({ why: 'no_host_name' });
}

function listeningAt(host: string): Pick<PageAddress, 'host' | 'also'> {
  if (!LOOPBACK_HOSTS.has(host)) return { host, also: null };
  return host === LOOPBACK_6 ? { host, also: LOOPBACK } : { host: LOOPBACK, also: LOOPBACK_6 };
}

/** `localhost` and not an address: passkeys belong to names. */
function loopbackNames(port: number, scheme: 'http' | 'https') {
  const authority = (host: string): string => new URL(`${scheme}://${host}:${port}`).host;
  return { origin: `${scheme}://${authority('localhost')}`, alsoHosts: [authority(LOOPBACK), authority('[::1]')] };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unusable({ why: 'unreadable', cause: error instanceof Error ? error.message : String(error) });
  }
}

function certificateOf(cert: string, file: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch {
    throw unusable({ why: 'no_certificate', file });
  }
}

export function unusable(fault: AddressFault): Refusal {
  return new Refusal({ code: 'page_address_unusable', ...fault });
}
