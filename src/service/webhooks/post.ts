import { isIPv6, type LookupFunction } from 'node:net';
import type { buildConnector, Pool } from 'undici';
import { type AddressChecks, checkAddresses } from './endpoint-url.ts';

/** What became of one attempt. `failed`: there was no whole answer head in time; `problem` is a sentence. */
export type Attempt =
  | { kind: 'answered'; status: number; retryAfter: string | null }
  | { kind: 'failed'; problem: string };

export type Post = {
  /** Sends once, follows nothing, repeats nothing. Never rejects, and takes `timeoutMs` at most. */
  send(headers: Record<string, string>, body: string): Promise<Attempt>;
  /** Ends every connection at once; attempts that are under way fail. */
  close(): Promise<void>;
};

/** Deliveries to one endpoint that are under way at once, each on a connection of its own. */
export const CONNECTIONS_MAX = 8;

/** Of an answer's body, which nobody looks at: read so that the connection can be used again. */
const ANSWER_BYTES_MAX = 4_096;

/** Shorter than the idle limits of common servers (5 s and more), so that it is rarely they who close first. */
const KEEP_ALIVE_MS = 4_000;

/**
 * Posts to one URL over HTTP/1.1. Every connection's address is checked when it is made. undici is loaded for the first
 * attempt: most services have no endpoint.
 */
export function openPost(url: URL, checks: AddressChecks): Post {
  let opened: Promise<Pool> | null = null;
  const path = url.pathname + url.search;
  return {
    async send(headers, body) {
      const over = new AbortController();
      let attempt: Attempt = { kind: 'failed', problem: 'did not answer in time' };
      const exchange = async (): Promise<void> => {
        opened ??= openPool(url, checks);
        const answer = await (await opened).request({ path, method: 'POST', headers, body, signal: over.signal });
        const { 'retry-after': asked } = answer.headers;
        // An answer whose head is there counts, whatever its body does.
        attempt = { kind: 'answered', status: answer.statusCode, retryAfter: typeof asked === 'string' ? asked : null };
        await answer.body.dump({ limit: ANSWER_BYTES_MAX, signal: over.signal });
      };
      const failed = (error: Error): void => {
        if (attempt.kind === 'failed') attempt = { kind: 'failed', problem: problemOf(error) };
      };
      await Promise.race([exchange().catch(failed), checks.clock.sleep(checks.timeoutMs, over.signal)]);
      const result = attempt;
      over.abort(new Error('given up'));
      return result;
    },
    close: async () => (await opened)?.destroy(),
  };
}

async function openPool(url: URL, checks: AddressChecks): Promise<Pool> {
  const { buildConnector, Pool } = await import('undici');
  return new Pool(url.origin, {
    connections: CONNECTIONS_MAX,
    pipelining: 1,
    allowH2: false,
    // The attempt's own limit counts from its beginning, and is by the clock that was given.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: checkedConnector(url, checks, buildConnector),
  });
}

/**
 * Connects to addresses that were checked for this very connection: the name is resolved once, so nobody can give
 * another address between the check and the connecting. TLS and the Host header go by the name.
 */
function checkedConnector(url: URL, checks: AddressChecks, build: typeof buildConnector): buildConnector.connector {
  return (to, callback) => {
    void checkAddresses(url, checks).then((checked) => {
      if (!checked.ok) return callback(new Error(checked.problem), null);
      const connect = build({
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

/** Longest reason that is kept. */
const PROBLEM_CHARACTERS_MAX = 200;

/** In words of the network, for the person who repairs the receiver. */
function problemOf(error: Error): string {
  // A host with several addresses fails with one error for each, and an empty message.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  return (first.message.trim() || first.name).slice(0, PROBLEM_CHARACTERS_MAX);
}
