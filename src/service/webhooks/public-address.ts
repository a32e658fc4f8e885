import assert from 'node:assert/strict';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * What an IP address leads to. `never`: nothing that a webhook may be sent to, wherever the service runs: link-local,
 * metadata services of clouds, multicast, unspecified, documentation, what IANA reserves, and tunnels to such.
 */
export type AddressClass = 'public' | 'loopback' | 'private' | 'never';

/** The class of an address as `dns.lookup` writes it, with or without a zone. Throws for what is no IP address. */
export function addressClass(address: string): AddressClass {
  if (isIPv4(address)) return classOfIpv4(ipv4Bits(address));
  assert(isIPv6(address), 'an address was to be checked that is none');
  return classOfIpv6(ipv6Bits(address));
}

type Network<Class> = readonly [address: string, prefix: number, found: Class];

/** The first that holds counts. IANA IPv4 Special-Purpose Address Registry (RFC 6890), and services of clouds. */
const IPV4: readonly Network<AddressClass>[] = [
  ['0.0.0.0', 8, 'never'], // this network; connects to the machine itself on Linux
  ['10.0.0.0', 8, 'private'],
  ['100.100.100.200', 32, 'never'], // metadata of Alibaba Cloud
  ['100.64.0.0', 10, 'private'], // behind a carrier's NAT
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
 * The first that holds counts. IANA IPv6 Special-Purpose Address Registry. `same` has the class of the IPv4 address in
 * its lowest 32 bits; `low` and `high` (the 32 bits after the first 16) lead there through somebody else's gateway, so
 * only public ones count as what they hold.
 */
const IPV6: readonly Network<AddressClass | 'same' | 'low' | 'high'>[] = [
  ['::1', 128, 'loopback'],
  ['::ffff:0:0', 96, 'same'], // IPv4-mapped (RFC 4291)
  ['64:ff9b::', 96, 'low'], // NAT64 (RFC 6052)
  ['2002::', 16, 'high'], // 6to4 (RFC 3056)
  ['2001::', 23, 'never'], // protocol assignments: Teredo, ORCHID
  ['2001:db8::', 32, 'never'], // documentation
  ['3fff::', 20, 'never'], // documentation
  ['2000::', 3, 'public'], // global unicast
  ['fd00:ec2::254', 128, 'never'], // metadata of AWS
  ['fd20:ce::254', 128, 'never'], // metadata of Google Cloud
  ['fc00::', 7, 'private'], // unique local
  // All else, among it ::, ::/96, link-local fe80::/10, site-local, multicast, 64:ff9b:1::/48, is not to be reached.
];

function classOfIpv4(bits: bigint): AddressClass {
  const found = IPV4.find(([network, prefix]) => isWithin(bits, ipv4Bits(network), prefix, 32));
  return found?.[2] ?? 'public';
}

function classOfIpv6(bits: bigint): AddressClass {
  const found = IPV6.find(([network, prefix]) => isWithin(bits, ipv6Bits(network), prefix, 128))?.[2] ?? 'never';
  if (found === 'same') return classOfIpv4(bits & LOW_32);
  if (found !== 'low' && found !== 'high') return found;
  const embedded = classOfIpv4((found === 'low' ? bits : bits >> 80n) & LOW_32);
  return embedded === 'public' ? 'public' : 'never';
}

const LOW_32 = 0xffff_ffffn;

function isWithin(bits: bigint, network: bigint, prefix: number, width: number): boolean {
  const host = BigInt(width - prefix);
  return bits >> host === network >> host;
}

function ipv4Bits(address: string): bigint {
  return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

/** Of a text that `isIPv6` has let pass. */
function ipv6Bits(address: string): bigint {
  const [plain = ''] = address.split('%');
  const [head = '', tail] = withoutDots(plain).split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  return [...front, ...zeros, ...back].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

/** `::ffff:127.0.0.1` as `::ffff:7f00:1`. */
function withoutDots(address: string): string {
  const colon = address.lastIndexOf(':');
  const last = address.slice(colon + 1);
  if (!last.includes('.')) return address;
  const bits = ipv4Bits(last);
  return `${address.slice(0, colon + 1)}${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
}
