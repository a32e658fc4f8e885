import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';
import { openTunnel, ProxyError, type TunnelProxy } from './tunnel.ts';

export type ConnectorOptions = {
  /** For the TCP connection, and again for TLS over it; with a proxy, for TLS with it and for its answer too. */
  timeoutMs: number;
  /** Whether a request is under way when all connections are closed at once. */
  hasUnanswered: () => boolean;
  /** Null: straight to the service. */
  proxy: TunnelProxy | null;
  /** The trusted certificate authorities. Null: those of Node, with NODE_EXTRA_CA_CERTS. */
  trust: SecureContext | null;
};

/**
 * Connects with sockets that end with a reset when a request is given up on them. After a plain close the kernel may
 * still deliver what was queued, minutes later; a reset throws it away.
 */
export function resettingConnector(options: ConnectorOptions): buildConnector.connector {
  const { timeoutMs, hasUnanswered, proxy, trust } = options;
  const connect = connectorOf({ timeout: timeoutMs, allowH2: false, ...(trust !== null && { secureContext: trust }) });
  return (to, callback) => {
    const port = portOf(to);
    // TCP is made first and on its own for TLS too: only a plain socket can be reset.
    if (proxy === null) {
      connect({ ...to, protocol: 'http:', port }, (error, plain) => {
        if (error) callback(error, null);
        else speakOver(plain, plain);
      });
      return;
    }
    connect({ protocol: 'http:', hostname: proxy.hostname, port: proxy.port }, (cause, plain) => {
      if (cause) return callback(new ProxyError(proxy, { cause }), null);
      const tunnel = openTunnel(plain, { proxy, to: { hostname: to.hostname, port }, timeoutMs, connect });
      tunnel.then(
        (stream) => speakOver(stream, plain),
        (error: Error) => {
          plain.destroy();
          callback(error, null);
        },
      );
    });

    /** `stream`: what leads to the service; `plain`: the TCP socket beneath it, which can be the same. */
    function speakOver(stream: Socket, plain: Socket): void {
      if (to.protocol !== 'https:') {
        resetWhenGivenUp(stream, plain, hasUnanswered);
        callback(null, stream);
        return;
      }
      connect({ ...to, httpSocket: stream }, (error, secure) => {
        if (error) return callback(error, null);
        resetWhenGivenUp(secure, plain, hasUnanswered);
        callback(null, secure);
      });
    }
  };
}

function portOf(to: buildConnector.Options): string {
  return to.port || (to.protocol === 'https:' ? '443' : '80');
}

/** `stream` is what undici writes to and destroys; `plain` the TCP socket beneath it, which can be the same. */
function resetWhenGivenUp(stream: Socket, plain: Socket, hasUnanswered: () => boolean): void {
  const destroy = stream.destroy.bind(stream);
  stream.destroy = (error?: Error) => {
    stream.destroy = destroy;
    if (!error || stream.destroyed || isPeaceful(error, hasUnanswered)) return destroy(error);
    // `resetAndDestroy` destroys without a reason. Where the two are one, the destroying is given the reason here, and
    // else the resetting takes the place of the destroying by which TLS closes what is beneath it.
    if (stream === plain) {
      plain.destroy = () => destroy(error);
      return plain.resetAndDestroy();
    }
    const destroyPlain = plain.destroy.bind(plain);
    plain.destroy = () => {
      plain.destroy = destroyPlain;
      return plain.resetAndDestroy();
    };
    return destroy(error);
  };
}

/** Ends of a connection on which nothing is under way: undici's idle limit, an answer with `connection: close`, our own close. */
function isPeaceful(error: Error, hasUnanswered: () => boolean): boolean {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_DESTROYED') return !hasUnanswered();
  return code === 'UND_ERR_INFO' && error.message !== 'aborted';
}
