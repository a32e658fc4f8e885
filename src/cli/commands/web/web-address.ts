import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { Settings } from '../../../compose/settings.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { isoUtc } from '../../../domain/time.ts';
import { readOwnersText } from '../../../keys/key-file.ts';
import type { Tls } from '../../../web/serve.ts';
import type { WebOptions } from '../../../web/web.ts';

/** Where the page listens, and how it is known. */
export type WebAddress = {
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
 * Only this machine, unless a certificate or a proxy makes the way to others a safe one. Throws a `Refusal` (`usage`), or
 * a `KeyFileError` for a private key that others can read.
 */
export function webAddress({ host, tlsCert, tlsKey, behindProxy }: Settings, nowMs: number): WebAddress {
  if (behindProxy !== undefined) return behind(behindProxy, host ?? LOOPBACK, tlsCert ?? tlsKey);
  if (tlsCert !== undefined || tlsKey !== undefined) return withTls(host ?? LOOPBACK, tlsCert, tlsKey, nowMs);
  const listens = host ?? LOOPBACK;
  if (!LOOPBACK_HOSTS.has(listens)) {
    throw refused(
      `--host ${listens}: passwords would cross the network in the clear.`,
      'Give a certificate (--tls-cert FILE --tls-key FILE), or name the proxy that does the TLS (--behind-proxy https://NAME).',
    );
  }
  return {
    ...listeningAt(listens),
    tls: null,
    known: (port) => ({ ...loopbackNames(port, 'http'), isBehindProxy: false }),
  };
}

function behind(origin: string, host: string, tls: string | undefined): WebAddress {
  const url = URL.parse(origin);
  const isOrigin = url !== null && url.protocol === 'https:' && (origin === url.origin || origin === `${url.origin}/`);
  if (!isOrigin) throw refused(`--behind-proxy: ${origin} is no https origin.`, 'Write it as https://pay.example.com.');
  if (tls !== undefined)
    throw refused('Behind a proxy the proxy does the TLS.', 'Leave out --tls-cert and --tls-key, or --behind-proxy.');
  return { host, also: null, tls: null, known: () => ({ origin: url.origin, alsoHosts: [], isBehindProxy: true }) };
}

function withTls(host: string, certFile: string | undefined, keyFile: string | undefined, nowMs: number): WebAddress {
  if (certFile === undefined || keyFile === undefined)
    throw refused('A certificate and its private key belong together.', 'Give both --tls-cert and --tls-key.');
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
  const why = nowMs > toMs ? `ended on ${isoUtc(toMs).slice(0, 10)}` : `begins on ${isoUtc(fromMs).slice(0, 10)}`;
  throw refused(`--tls-cert: ${file} ${why}.`, 'Give one that is valid now, or set the clock of this machine.');
}

/** What browsers call the page: the host, or where it listens everywhere, the first name of the certificate. */
function nameOf(host: string, certificate: X509Certificate): string {
  if (isIP(host) === 0 || LOOPBACK_HOSTS.has(host)) return host;
  const names = (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace(/^DNS:/, ''));
  const first = names.find((name) => !name.includes(':') && !name.includes('*') && name !== '');
  if (first !== undefined) return first;
  if (!EVERYWHERE.has(host)) return host;
  throw refused('The certificate names no host.', 'Give the name of the page: --host NAME.');
}

function listeningAt(host: string): Pick<WebAddress, 'host' | 'also'> {
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
    throw refused(`--tls-cert: ${error instanceof Error ? error.message : String(error)}.`, 'Check the path.');
  }
}

function certificateOf(cert: string, file: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch {
    throw refused(`--tls-cert: ${file} is no certificate.`, 'Give a PEM file that begins with the certificate.');
  }
}

function refused(message: string, remedy: string): Refusal {
  return new Refusal('usage', message, remedy);
}
