import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/platform/log.ts';
import { listenForWeb, type WebServer } from '../../src/web/serve.ts';
import { type Browser, openPage, type PageOptions, type TestPage } from './web-page.ts';

export type Wire = {
  socket: Socket;
  /** What has come so far. */
  said(): string;
  /** All that came, when the other side has closed. */
  closed: Promise<string>;
};

export type Served = {
  server: WebServer;
  /** Asks as the browser would, over a socket: posts where there is a form. */
  ask(
    browser: Browser,
    path: string,
    form?: Record<string, string>,
  ): Promise<{ status: number; location: string; text: string }>;
  /** A connection on which these very bytes are sent first. */
  wire(bytes: string): Wire;
  /** The head of a post of this browser's, with the lines that are still to be said. */
  head(browser: Browser, path: string, lines: readonly string[]): string;
};

/** The page behind a real port, in its own time. Its origin has another port: what counts is what a browser says. */
export async function served(page: TestPage): Promise<Served> {
  const server = await listenForWeb({ host: '127.0.0.1', also: null, port: 0, tls: null, log: silentLog });
  onTestFinished(() => server.close(Promise.resolve()));
  server.use(page.app);
  const { port } = server;
  const host = new URL(page.origin).host;
  return {
    server,
    ask: (browser, path, form) =>
      new Promise((resolve, reject) => {
        const headers = { host, origin: page.origin, cookie: browser.cookie, connection: 'close' };
        const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
        const method = form === undefined ? 'GET' : 'POST';
        const asked = request({ port, path, method, headers: { ...headers, ...type } }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (more: string) => {
            text += more;
          });
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? '', text }),
          );
        });
        asked.on('error', reject).end(form === undefined ? undefined : String(new URLSearchParams(form)));
      }),
    wire(bytes) {
      const socket = connect(port, '127.0.0.1');
      socket.write(bytes);
      let said = '';
      socket.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      const closed = new Promise<string>((resolve) => {
        socket.on('error', () => {}).on('close', () => resolve(said));
      });
      return { socket, said: () => said, closed };
    },
    head: (browser, path, lines) =>
      `${[`POST ${path} HTTP/1.1`, `host: ${host}`, `origin: ${page.origin}`, `cookie: ${browser.cookie}`, ...lines].join('\r\n')}\r\n\r\n`,
  };
}

/** The page behind a real port that is its own, for browsers and clients that ask as browsers do. */
export async function pageAtPort(options: PageOptions): Promise<TestPage> {
  const server = await listenForWeb({ host: '127.0.0.1', also: '::1', port: 0, tls: null, log: silentLog });
  const page = await openPage({
    ...options,
    options: { origin: `http://localhost:${server.port}`, ...options.options },
  });
  onTestFinished(() => server.close(Promise.resolve()));
  server.use(page.app);
  return page;
}
