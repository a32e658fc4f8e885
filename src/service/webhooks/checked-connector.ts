import { lookup } from 'node:dns/promises';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { Clock } from '../../domain/clock.ts';
import { addressProblem, hostOf, type Resolve } from './endpoint-url.ts';

/** The addresses of a URL's host, or what is wrong with them. */
export type CheckedAddresses = { ok: true; addresses: readonly string[] } | { ok: false; problem: string };

export type AddressChecks = {
  resolve: Resolve;
  allowPrivate: boolean;
  /** The machine's. */
  clock: Clock;
  /** For resolving, and again for connecting. */
  timeoutMs: number;
};

/** The machine's own resolver, hosts file and all: what a connection would use. */
export const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** More are not looked at: a name with so many is no receiver of webhooks. */
const ADDRESSES_MAX = 64;

/** Resolves the host and checks every address. Never rejects. */
export async function checkAddresses(url: URL, checks: AddressChecks): Promise<CheckedAddresses> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await resolveInTime(host, checks) : [host];
  if (typeof addresses === 'string') return { ok: false, problem: addresses };
  if (addresses.length > ADDRESSES_MAX) return { ok: false, problem: 'has a host name with too many addresses' };
  const problem = addressProblem(url, addresses, checks.allowPrivate);
  return problem === null ? { ok: true, addresses } : { ok: false, problem };
}

async function resolveInTime(host: string, checks: AddressChecks): Promise<readonly string[] | string> {
  const alarm = new AbortController();
  const found = checks.resolve(host).then(
    (addresses) => addresses.filter((address) => isIP(address) !== 0),
    () => 'has a host name that cannot be resolved',
  );
  const late = checks.clock.sleep(checks.timeoutMs, alarm.signal).then(() => 'has a host name that nobody resolves');
  const first = await Promise.race([found, late]);
  alarm.abort();
  return first;
}

/**
 * Connects to addresses that were checked for this very connection: the name is resolved once, so nobody can give
 * another address between the check and the connecting. TLS and the Host header go by the name.
 */
export function checkedConnector(url: URL, checks: AddressChecks): buildConnector.connector {
  return (to, callback) => {
    void checkAddresses(url, checks).then((checked) => {
      if (!checked.ok) return callback(new Error(checked.problem), null);
      const connect = buildConnector({
        timeout: checks.timeoutMs,
        allowH2: false,
        maxCachedSessions: 0,
        lookup: lookupOf(checked.addresses),
      });
      connect(to, callback);
    });
  };
}

/** In place of a resolver, for a socket that connects to a name. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_hostname, options, done) => {
    const fitting =
      options.family === 4 || options.family === 6 ? found.filter((a) => a.family === options.family) : found;
    const [first] = fitting;
    if (!first) return done(new Error('has no address of that family'), '', 4);
    if (options.all) return done(null, fitting);
    done(null, first.address, first.family);
  };
}
