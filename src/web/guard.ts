import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { t, textTable } from '../messages/translate.ts';
import { within } from './once.ts';
import { errorPage } from './shell/layout.ts';
import type { WebContext, WebEnv } from './web.ts';

/** A form of ours has some kilobytes. Uploads have a limit of their own, where they are read. */
const FORM_BYTES_MAX = 256 * 1024;
const FORM_MAX_MS = 30_000;
const UPLOAD_PATH = '/uploads';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Everything comes from this origin, no other page frames it, and no script or style stands in a page itself. */
const CONTENT_SECURITY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With `no-referrer` browsers would send `Origin: null` with forms.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
};

/** On every answer. The caching that a route asks for stays. */
export const securityHeaders: MiddlewareHandler<WebEnv> = async (context, next) => {
  await next();
  setSecurityHeaders(context.res.headers, context.var.web.options.origin.startsWith('https:'));
};

export function setSecurityHeaders(headers: Headers, isSecure: boolean): void {
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  if (isSecure) headers.set('strict-transport-security', 'max-age=31536000');
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
}

/**
 * Before anything else: the request names our host and no other (a rebound name of somebody else's would pass every
 * check that compares Origin with Host), reads or posts, and, where it is not only read, comes from our own pages.
 */
export const guard: MiddlewareHandler<WebEnv> = async (context, next) => {
  const { origin, alsoHosts } = context.var.web.options;
  const { method } = context.req;
  const host = authorityOf(context);
  const isReading = READING.has(method);
  if (host !== new URL(origin).host) {
    if (isReading && alsoHosts.includes(host)) return context.redirect(`${origin}${pathOf(context.req.url)}`, 307);
    return refuse(context, 403, t`This is not the page's address.`, t`Open ${origin} instead.`);
  }
  if (!isReading && method !== 'POST')
    return refuse(context, 405, t`This cannot be done here.`, t`Open ${origin} instead.`);
  if (!(isReading ? isReadByUs(context) : isWrittenByUs(context, origin)))
    return refuse(context, 403, t`This request came from another site.`, t`Open ${origin} and do it there.`);
  return next();
};

/**
 * Forms that are larger or slower than any of ours are not read. The others are read whole before the session is looked up,
 * so that a person who is locked out while sending one has sent none.
 */
export const limitBody: MiddlewareHandler<WebEnv> = async (context, next) => {
  if (READING.has(context.req.method) || context.req.path === UPLOAD_PATH) return next();
  const read = limitForms(context, async () => void (await context.req.arrayBuffer())).catch(() => CUT_OFF);
  const refused = await within(context.var.web.deps.clock, read, FORM_MAX_MS);
  if (refused === undefined) return next();
  if (refused instanceof Response) return refused;
  const { status, message } = refused ?? TOO_SLOW;
  return refuse(context, status, message, t`Send it again.`);
};

const CUT_OFF = textTable({ status: 400, message: 'The request was incomplete. Nothing was done.' });
const TOO_SLOW = textTable({ status: 408, message: 'The request was too slow. Nothing was done.' });

const limitForms = bodyLimit({
  maxSize: FORM_BYTES_MAX,
  onError: (context) => refuse(context as WebContext, 413, t`That is too much for this form.`, t`Send less at once.`),
});

/** Empty where there are two Hosts, or one in the request line that differs: no browser of ours sends that. */
export function authorityOf(context: WebContext): string {
  const { host } = new URL(context.req.url);
  const header = context.req.header('host');
  return header === undefined || header.toLowerCase() === host ? host : '';
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `/${pathname.replace(/^\/+/, '')}${search}`;
}

/** Another page may lead here, and may not show, load or run what is here. */
function isReadByUs(context: WebContext): boolean {
  const site = context.req.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  return context.req.header('sec-fetch-mode') === 'navigate' && context.req.header('sec-fetch-dest') === 'document';
}

/** Browsers send Origin with every post. */
function isWrittenByUs(context: WebContext, origin: string): boolean {
  const site = context.req.header('sec-fetch-site');
  return context.req.header('origin') === origin && (site === undefined || site === 'same-origin');
}

function refuse(context: WebContext, status: 400 | 403 | 405 | 408 | 413, message: string, remedy: string) {
  return errorPage(context, { status, message, remedy });
}
