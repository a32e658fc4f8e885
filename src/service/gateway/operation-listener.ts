import type { IncomingMessage, ServerResponse } from 'node:http';
import { REHEARSAL_HEADER } from '../../contract/rehearsal.ts';
import type { Log } from '../time/clock.ts';
import { type Answer, answerOf, BROKEN, type Cut } from './answers.ts';
import type { Gateway } from './gateway.ts';
import { BODY_BYTES_MAX } from './incoming.ts';

/** Takes the request and will answer it, or leaves it alone and says false. */
export type DirectListener = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

/**
 * Takes what nearly every client sends, straight from Node: a POST below `/v1/` to one of our own hosts, with a body of
 * a stated length that is within the limit. Everything else goes by `app.ts`, over the web's Request and Response; both
 * end in the same gateway.
 */
export function operationListener(
  gateway: Gateway,
  isOwnHost: (authority: string) => boolean,
  log: Log,
): DirectListener {
  return (incoming, outgoing) => {
    const { method, url: target, headers } = incoming;
    const { host: authority } = headers;
    if (method !== 'POST' || target === undefined || !target.startsWith(PREFIX)) return false;
    if (authority === undefined || !isOwnHost(authority) || !isShort(headers['content-length'])) return false;
    const operation = target.slice(PREFIX.length);
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    // A body that ends early never ends, and its request has no effect.
    incoming.on('end', () => {
      const body = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      gateway.handle({ operation, method, target, authority, headers, body: () => body }).then(
        (answer) => send(outgoing, answer),
        (error: unknown) => {
          log.error({ error }, 'a request could not be answered');
          send(outgoing, answerOf(BROKEN));
        },
      );
    });
    return true;
  };
}

const PREFIX = '/v1/';

/** Whether a body of this stated length is within the limit. Node reads no more than was stated. */
function isShort(length: string | undefined): boolean {
  return length !== undefined && /^\d{1,15}$/.test(length) && Number(length) <= BODY_BYTES_MAX;
}

function send(outgoing: ServerResponse, answer: Answer): void {
  if (answer.cut) {
    cutConnection(outgoing, answer, answer.cut);
    return;
  }
  answer.headers[REHEARSAL_HEADER] = 'true';
  answer.headers['content-length'] = String(Buffer.byteLength(answer.body));
  outgoing.writeHead(answer.status, answer.headers);
  outgoing.end(answer.body);
}

/** What a fault does to the connection in place of sending the whole answer. */
export function cutConnection(outgoing: ServerResponse, answer: Answer, how: Cut): void {
  const { socket } = outgoing;
  if (!socket) return;
  switch (how) {
    case 'close':
      socket.destroy();
      break;
    case 'reset':
      socket.resetAndDestroy();
      break;
    case 'truncate': {
      const bytes = Buffer.from(answer.body);
      outgoing.writeHead(answer.status, { ...answer.headers, 'content-length': bytes.length });
      outgoing.write(bytes.subarray(0, bytes.length >> 1), () => socket.destroySoon());
      break;
    }
  }
}
