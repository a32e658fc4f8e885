import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import {
  constants,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Certificate } from './certificate.ts';
import { atEnd } from './side-by-side.ts';

export type Http2Front = {
  baseUrl: string;
  /** What each connection chose by ALPN. */
  protocols: string[];
  /** Requests that came by HTTP/2, and were refused so that a client may send them again. */
  byHttp2: string[];
};

/**
 * TLS in front of the service at this address, on its port of `[::1]`. It prefers HTTP/2; whoever speaks it is answered
 * by REFUSED_STREAM and GOAWAY in turn, after which some clients send a request a second time. HTTP/1.1 passes.
 */
export async function http2Front(serviceUrl: string, certificate: Certificate): Promise<Http2Front> {
  const port = Number(new URL(serviceUrl).port);
  const state: Http2Front = { baseUrl: `https://[::1]:${port}`, protocols: [], byHttp2: [] };
  const server = createSecureServer({ ...certificate, allowHTTP1: true });
  server.on('secureConnection', (socket: TLSSocket) => state.protocols.push(String(socket.alpnProtocol)));
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    state.byHttp2.push(String(headers[':path']));
    if (state.byHttp2.length % 2 === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else goAway(stream.session);
  });
  server.on('sessionError', () => {});
  server.on('request', (incoming, outgoing) => {
    if (incoming.httpVersionMajor === 1) forward(port, incoming, outgoing);
  });
  server.listen(port, '::1');
  await once(server, 'listening');
  atEnd(() => void server.close());
  return state;
}

function goAway(session: Http2Session | undefined): void {
  session?.goaway(constants.NGHTTP2_NO_ERROR, 0);
  session?.destroy();
}

function forward(port: number, incoming: Http2ServerRequest, outgoing: Http2ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const onward = plainRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}
