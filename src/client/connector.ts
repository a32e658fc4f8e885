import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';

/**
 * Connects with sockets that end with a reset when a request is given up on them. After a plain close the kernel may
 * still deliver what was queued, minutes later; a reset throws it away. `timeoutMs` is for the TCP connection, and again
 * for TLS over it. `hasUnanswered`: whether a request is under way when all connections are closed at once.
 */
export function resettingConnector(options: {
  timeoutMs: number;
  hasUnanswered: () => boolean;
}): buildConnector.connector {
  const { timeoutMs, hasUnanswered } = options;
  const connect = connectorOf({ timeout: timeoutMs, allowH2: false });
  return (to, callback) => {
    // TCP is made first and on its own for TLS too: only a plain socket can be reset.
    connect({ ...to, protocol: 'http:', port: portOf(to) }, (error, plain) => {
      if (error) return callback(error, null);
      if (to.protocol !== 'https:') {
        resetWhenGivenUp(plain, plain, hasUnanswered);
        return callback(null, plain);
      }
      connect({ ...to, httpSocket: plain }, (tlsError, secure) => {
        if (tlsError) return callback(tlsError, null);
        resetWhenGivenUp(secure, plain, hasUnanswered);
        callback(null, secure);
      });
    });
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
