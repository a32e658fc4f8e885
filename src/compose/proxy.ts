import { BlockList, isIP } from 'node:net';
import type { TunnelProxy } from '../client/tunnel.ts';
import { Refusal } from '../domain/refusal.ts';

/**
 * The proxy that the environment names for a service, or null. `https_proxy` and `no_proxy` come before their upper-case
 * spellings, as for curl. A service on this machine is reached directly, since to a proxy its address is the proxy itself;
 * `http_proxy` is not asked, since only a service on this machine is spoken to without TLS. Throws a `Refusal` (`usage`).
 */
export function proxyFor(service: URL, environment: NodeJS.ProcessEnv): TunnelProxy | null {
  const name = environment.https_proxy ? 'https_proxy' : 'HTTPS_PROXY';
  const text = environment[name] ?? '';
  if (text === '' || isLoopback(service)) return null;
  if (isExempt(service, environment.no_proxy || environment.NO_PROXY || '')) return null;
  const proxy = readProxy(text.includes('://') ? text : `http://${text}`);
  // The text is not repeated: a password may stand in it.
  if (proxy === null) throw new Refusal({ code: 'wrong_credentials', fault: { why: 'not_a_proxy', variable: name } });
  return proxy;
}

function readProxy(text: string): TunnelProxy | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const isTls = url.protocol === 'https:';
  const port = url.port || (isTls ? '443' : '80');
  const credentials = credentialsIn(url);
  if (credentials === null) return null;
  return {
    name: `${url.hostname}:${port}`,
    hostname: bare(url.hostname),
    port,
    isTls,
    authorization: credentials === ':' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

/** `user:password`; null where they cannot be decoded. */
function credentialsIn({ username, password }: URL): string | null {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return null;
  }
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Whether NO_PROXY, a list by commas or spaces, has the host: `*`, a name with all below it, `.name` for what is below it, an
 * address or a network such as 10.0.0.0/8; each but `*` with `:port` where only that port is meant.
 */
function isExempt(service: URL, list: string): boolean {
  const host = bare(service.hostname).replace(/\.$/, '');
  const port = service.port || '443';
  const entries = list.toLowerCase().split(/[\s,]+/);
  return entries.some((entry) => {
    const [, before, onlyPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    if (onlyPort !== undefined && onlyPort !== port) return false;
    const name = bare(before ?? entry);
    if (name === '' || name === '*') return name === '*';
    return isIP(host) === 0 ? isNamed(host, name) : isInNetwork(host, name);
  });
}

function isNamed(host: string, name: string): boolean {
  const below = name.replace(/^\*?\./, '');
  return host.endsWith(`.${below}`) || (host === below && below === name);
}

function isInNetwork(host: string, name: string): boolean {
  const [address = '', bits] = name.split('/');
  const [family, longest] = isIP(address) === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
  const length = bits === undefined ? longest : Number(bits);
  if (isIP(address) === 0 || !Number.isInteger(length) || length < 0 || length > longest) return false;
  const network = new BlockList();
  network.addSubnet(address, length, family);
  return network.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}
