import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { type Clock, within } from '../../platform/clock.ts';

/** All addresses of a name, as texts. Rejects where the name has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export type AddressChecks = {
  resolve: Resolve;
  allowPrivate: boolean;
  /** The machine's. */
  clock: Clock;
  /** For resolving, and for an attempt as a whole. */
  timeoutMs: number;
};

/** The addresses of a URL's host, or what is wrong with them: the end of a sentence about the URL. */
export type CheckedAddresses = { ok: true; addresses: readonly string[] } | { ok: false; problem: string };

export type EndpointUrl = { ok: true; url: URL } | { ok: false; problem: string };

/** More has no use, and every delivery would carry it. */
const URL_CHARACTERS_MAX = 2_048;

/**
 * Reads a URL that webhooks are to be sent to: https, or http where private ones are allowed (`addressProblem` then
 * wants loopback). The URL parser of the runtime has turned every spelling of an IPv4 address into four decimal numbers
 * and every name into ASCII by the time that it is looked at. `problem` is a sentence without the URL in it.
 */
export function readEndpointUrl(text: string, allowPrivate: boolean): EndpointUrl {
  if (text.length > URL_CHARACTERS_MAX) return refuse(`is longer than ${URL_CHARACTERS_MAX} characters`);
  // The parser drops or repairs these without a word, and another parser might not.
  if (/[\s\\\p{Cc}]/u.test(text)) return refuse('has blanks, control characters or backslashes');
  if (!URL.canParse(text)) return refuse('is no URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowPrivate))
    return refuse(allowPrivate ? 'is neither https nor http' : NOT_HTTPS);
  if (url.username !== '' || url.password !== '') return refuse('has a user name or a password in it');
  if (url.hash !== '') return refuse('has a fragment, which is never sent');
  if (url.port === '0') return refuse('has port 0');
  // `example.com.` is the same name, but not to certificates.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const problem = hostProblem(url, allowPrivate);
  return problem === null ? { ok: true, url } : refuse(problem);
}

function hostProblem(url: URL, allowPrivate: boolean): string | null {
  const host = hostOf(url);
  if (isIP(host) !== 0) return addressProblem(url, [host], allowPrivate);
  if (host.split('.').includes('')) return 'has a host name with nothing between two dots';
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  return isLocal && !allowPrivate ? NOT_PUBLIC : null;
}

/** The machine's own resolver, hosts file and all: what a connection would use. */
export const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** More are not looked at: a name with so many is no receiver of webhooks. */
const ADDRESSES_MAX = 64;

/** Resolves the host and checks every address. Never rejects. */
export async function checkAddresses(url: URL, checks: AddressChecks): Promise<CheckedAddresses> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await resolveInTime(host, checks) : [host];
  if (typeof addresses === 'string') return refuse(addresses);
  if (addresses.length > ADDRESSES_MAX) return refuse('has a host name with too many addresses');
  const problem = addressProblem(url, addresses, checks.allowPrivate);
  return problem === null ? { ok: true, addresses } : refuse(problem);
}

async function resolveInTime(host: string, checks: AddressChecks): Promise<readonly string[] | string> {
  const found = checks.resolve(host).then(
    (addresses) => addresses.filter((address) => isIP(address) !== 0),
    () => 'has a host name that cannot be resolved',
  );
  return (await within(checks.clock, checks.timeoutMs, found)) ?? 'has a host name that nobody resolves';
}

/** The name or the address, without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

/**
 * What is wrong with the addresses that the URL's host has, or null. One bad address among good ones refuses all:
 * which of them a connection takes is chance.
 */
export function addressProblem(url: URL, addresses: readonly string[], allowPrivate: boolean): string | null {
  if (addresses.length === 0) return 'has a host name without addresses';
  const classes = addresses.map(addressClass);
  if (!allowPrivate) return classes.every((found) => found === 'public') ? null : NOT_PUBLIC;
  if (classes.includes('never')) return NEVER;
  const isPlain = url.protocol === 'http:' && classes.some((found) => found !== 'loopback');
  return isPlain ? 'is http, which is for loopback only' : null;
}

const NOT_HTTPS = 'is not https; http is for loopback, where the service is started with --allow-private-webhooks';
const NOT_PUBLIC =
  'leads to an address that is not public; those are taken where the service is started with --allow-private-webhooks';
const NEVER = 'leads to a link-local, metadata, multicast, unspecified or reserved address';

function refuse(problem: string): { ok: false; problem: string } {
  return { ok: false, problem };
}

/**
 * What an IP address leads to. `never`: nothing that a webhook may be sent to, wherever the service runs: link-local,
 * metadata services of clouds, multicast, unspecified, documentation, what IANA reserves, and tunnels to such.
 */
export type AddressClass = 'public' | 'loopback' | 'private' | 'never';

type Network = readonly [address: string, prefix: number, found: AddressClass];

/**
 * IANA IPv4 Special-Purpose Address Registry (RFC 6890), and services of clouds. All other addresses are public. Of several
 * that hold, `never` counts.
 */
const IPV4: readonly Network[] = [
  ['0.0.0.0', 8, 'never'], // this network; connects to the machine itself on Linux
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private'], // behind a carrier's NAT
  ['100.100.100.200', 32, 'never'], // metadata of Alibaba Cloud
  ['127.0.0.0', 8, 'loopback'],
  ['168.63.129.16', 32, 'never'], // the host of a machine in Azure
  ['169.254.0.0', 16, 'never'], // link-local; metadata of most clouds
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'never'], // protocol assignments; metadata of Oracle's cloud
  ['192.0.2.0', 24, 'never'], // documentation
  ['192.88.99.0', 24, 'never'], // 6to4 relays
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'never'], // benchmarks
  ['198.51.100.0', 24, 'never'], // documentation
  ['203.0.113.0', 24, 'never'], // documentation
  ['224.0.0.0', 4, 'never'], // multicast
  ['240.0.0.0', 4, 'never'], // reserved, and broadcast
];

/**
 * IANA IPv6 Special-Purpose Address Registry. All other addresses are `never`, among them ::, ::/96, link-local fe80::/10,
 * site-local, multicast and 64:ff9b:1::/48.
 */
const IPV6: readonly Network[] = [
  ['::1', 128, 'loopback'],
  ['fc00::', 7, 'private'], // unique local
  ['fd00:ec2::254', 128, 'never'], // metadata of AWS
  ['fd20:ce::254', 128, 'never'], // metadata of Google Cloud
  ['2000::', 3, 'public'], // global unicast
  ['2001::', 23, 'never'], // protocol assignments: Teredo, ORCHID
  ['2001:db8::', 32, 'never'], // documentation
  ['3fff::', 20, 'never'], // documentation
  ['::ffff:0:0', 96, 'public'], // IPv4-mapped (RFC 4291): as the IPv4 address in it
  ['64:ff9b::', 96, 'public'], // NAT64 (RFC 6052): a tunnel, as 6to4 in 2002::/16 (RFC 3056) is
];

/** Tunnels lead through somebody else's gateway, so only public addresses may be in them. */
const TUNNELS: readonly Network[] = IPV4.flatMap(([address, prefix]): Network[] => {
  const [a, b, c, d] = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return [
    [`64:ff9b::${address}`, 96 + prefix, 'never'],
    [`2002:${a}${b}:${c}${d}::`, 16 + prefix, 'never'],
  ];
});

const NETWORKS = {
  ipv4: listsOf('ipv4', IPV4),
  // A list of IPv4 networks holds IPv4-mapped addresses too.
  ipv6: listsOf('ipv6', [...IPV6, ...TUNNELS]),
};

function listsOf(family: 'ipv4' | 'ipv6', networks: readonly Network[]): Record<AddressClass, BlockList> {
  const lists = {
    never: new BlockList(),
    loopback: new BlockList(),
    private: new BlockList(),
    public: new BlockList(),
  };
  for (const [address, prefix, found] of networks) lists[found].addSubnet(address, prefix, family);
  return lists;
}

const ORDER = ['never', 'loopback', 'private', 'public'] as const;

/** The class of an address as `dns.lookup` writes it, with or without a zone. Throws for what is no IP address. */
export function addressClass(address: string): AddressClass {
  if (isIPv4(address)) return ORDER.find((found) => NETWORKS.ipv4[found].check(address)) ?? 'public';
  assert(isIPv6(address), 'an address was to be checked that is none');
  const [plain = ''] = address.split('%');
  const isIn = (found: AddressClass) =>
    NETWORKS.ipv4[found].check(plain, 'ipv6') || NETWORKS.ipv6[found].check(plain, 'ipv6');
  return ORDER.find(isIn) ?? 'never';
}
