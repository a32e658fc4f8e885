import assert from 'node:assert/strict';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

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
