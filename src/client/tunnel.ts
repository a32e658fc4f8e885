import { isIPv6, type Socket } from 'node:net';
import type { buildConnector } from 'undici';
import util from 'undici/lib/core/util.js';

/** A proxy that makes tunnels (RFC 9110, section 9.3.6): it carries bytes, so it can neither answer nor repeat a request. */
export type TunnelProxy = {
  /** `host:port`, for people. */
  name: string;
  /** An IPv6 address is without brackets. */
  hostname: string;
  port: string;
  /** Whether TLS is spoken with the proxy itself. */
  isTls: boolean;
  /** What `proxy-authorization` says, which is a secret; null for none. */
  authorization: string | null;
};

/** No tunnel was made, so nothing was sent to the service. */
export class ProxyError extends Error {
  /** `host:port` of the proxy. */
  readonly proxy: string;
  /** What the proxy answers; null where it is not reached. */
  readonly status: number | null;

  constructor({ name }: TunnelProxy, answer: { status: number } | { cause: Error }) {
    super('status' in answer ? `HTTP ${answer.status} of the proxy ${name}` : answer.cause.message);
    if ('cause' in answer) this.cause = answer.cause;
    this.proxy = name;
    this.status = 'status' in answer ? answer.status : null;
  }
}

type Options = {
  proxy: TunnelProxy;
  /** Where the tunnel leads. */
  to: { hostname: string; port: string };
  /** For TLS with the proxy, and again for its answer. */
  timeoutMs: number;
  connect: buildConnector.connector;
};

/** A stream to the service through the proxy, over a connection with the proxy. Rejects with a `ProxyError`. */
export async function openTunnel(plain: Socket, { proxy, to, timeoutMs, connect }: Options): Promise<Socket> {
  const stream = proxy.isTls ? await secured(plain, proxy, connect) : plain;
  const host = `${isIPv6(to.hostname) ? `[${to.hostname}]` : to.hostname}:${to.port}`;
  const headers = { host, ...(proxy.authorization !== null && { 'proxy-authorization': proxy.authorization }) };
  // Loaded for those who have a proxy: it takes time at each start.
  const { request } = process.getBuiltinModule('node:http');
  return new Promise((resolve, reject) => {
    const asked = request({ method: 'CONNECT', path: host, headers, createConnection: () => stream });
    const settle = util.setupConnectTimeout(new WeakRef(stream), { timeout: timeoutMs, ...to });
    asked.once('error', (cause) => {
      settle();
      reject(new ProxyError(proxy, { cause }));
    });
    asked.once('connect', ({ statusCode: status = 0 }, tunnel: Socket, ahead: Buffer) => {
      settle();
      if (status < 200 || status > 299) return reject(new ProxyError(proxy, { status }));
      if (ahead.length > 0) tunnel.unshift(ahead);
      resolve(tunnel);
    });
    asked.end();
  });
}

function secured(plain: Socket, proxy: TunnelProxy, connect: buildConnector.connector): Promise<Socket> {
  const { hostname, port } = proxy;
  return new Promise((resolve, reject) => {
    connect({ protocol: 'https:', hostname, host: hostname, port, httpSocket: plain }, (cause, stream) => {
      if (cause) reject(new ProxyError(proxy, { cause }));
      else resolve(stream);
    });
  });
}
