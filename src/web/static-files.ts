import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { LOOK_CSS } from '../report/html/look.ts';
import { PICTURES_CSS } from '../report/html/pictures.ts';
import type { WebEnv } from './web.ts';

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

/** All that there is. What a browser asks for is looked up here, and never in the file system. */
const FILES: readonly { name: string; type: keyof typeof TYPES; before?: string; also?: string[] }[] = [
  {
    name: 'page.css',
    type: 'css',
    before: `${LOOK_CSS}\n${PICTURES_CSS}\n`,
    also: ['frame.css', 'pay.css', 'book.css', 'review.css', 'settings.css'],
  },
  { name: 'page.js', type: 'js', also: ['picker.js'] },
  { name: 'icon.svg', type: 'svg' },
  { name: 'icon-test.svg', type: 'svg' },
  { name: 'icons.svg', type: 'svg' },
  { name: 'states.svg', type: 'svg' },
  { name: 'vendor/htmx.min.js', type: 'js' },
  { name: 'vendor/hx-sse.min.js', type: 'js' },
  ...['index', 'ios-gesture', 'lazy-measurements', 'scroll-classifier', 'utils'].map(
    (name) => ({ name: `vendor/virtual-core/${name}.js`, type: 'js' }) as const,
  ),
  ...[
    'acts',
    'cell-panel',
    'clipboard',
    'grid',
    'head',
    'keys',
    'panels',
    'process',
    'recipients',
    'review',
    'row',
    'rows',
    'tip',
  ].map((name) => ({ name: `review/${name}.js`, type: 'js' }) as const),
];

/** Style sheet and scripts, as they are beside this file. */
export function staticRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const read = (name: string) => readFileSync(new URL(`static/${name}`, import.meta.url));
  for (const { name, type, before = '', also = [] } of FILES) {
    const bytes = Buffer.concat([Buffer.from(before), read(name), ...also.map(read)]);
    const etag = `"${hash('sha256', bytes, 'hex').slice(0, 32)}"`;
    const headers = { 'content-type': TYPES[type], etag, 'cache-control': 'no-cache' };
    app.get(`/static/${name}`, (context) => {
      // One that was compressed on its way has a weak mark.
      if (context.req.header('if-none-match')?.replace(/^W\//, '') === etag)
        return context.body(null, 304, { etag, 'cache-control': 'no-cache' });
      return context.body(bytes, 200, headers);
    });
  }
  return app;
}
