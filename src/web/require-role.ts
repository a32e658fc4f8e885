import type { MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Role } from '../app/people/grants.ts';
import type { Person } from '../app/people/people.ts';
import type { Sight } from '../app/people/sight.ts';
import { anyOf } from '../messages/text.ts';
import { t } from '../messages/translate.ts';
import { ROLE_WORDS } from './people/access-words.ts';
import { raw } from './shell/html.ts';
import { answerPart, errorPage } from './shell/layout.ts';
import { KNOWN_MS } from './sign-in/devices.ts';
import type { FromProvider } from './sign-in/sessions.ts';
import type { WebContext, WebEnv } from './web.ts';

export { SEEING } from './shell/navigation.ts';

/** Who may stop runs and let them go on. */
export const ACTING = ['preparer', 'approver'] as const;

/** Who may say that somebody must not be paid. Administrators see no recipients, and hold none. */
export const HOLDING = ['preparer', 'approver'] as const;

export function hasOneOf({ roles }: Pick<Person, 'roles'>, wanted: readonly Role[]): boolean {
  return wanted.some((role) => roles.includes(role));
}

type Requirement = MiddlewareHandler<WebEnv> & { readonly roles: readonly Role[] };

/** Events that the browser asks for on its own, and what htmx asks for again and again: nobody is at the keyboard for it. */
const BY_ITSELF = /\/events$/;

/** Where a page is by default, with and without TLS. */
const PORTS: ReadonlySet<string> = new Set(['', '8800']);

/**
 * The name that a browser keeps our token under: `__Host-` binds it to this very host, and works with TLS only. Browsers send
 * the cookies of a host to all of its ports, so that pages at two of them have names of their own.
 */
function cookieName(origin: string): string {
  const { protocol, port } = new URL(origin);
  const name = protocol === 'https:' ? '__Host-payrun' : 'payrun';
  return PORTS.has(port) ? name : `${name}-${port}`;
}

/** That of another token of ours. */
export function cookieNamed(origin: string, what: 'device' | 'provider'): string {
  return `${cookieName(origin)}-${what}`;
}

/** Finds out who asks. A person who was locked out meanwhile is nobody, and so is one whose second factor is missing. */
export const findPerson: MiddlewareHandler<WebEnv> = async (context, next) => {
  const { sessions, people, options } = context.var.web;
  const token = getCookie(context, cookieName(options.origin));
  const isActivity = !BY_ITSELF.test(context.req.path) && context.req.header('x-refresh') === undefined;
  const session = token === undefined ? null : await sessions.find(token, isActivity);
  const person = session === null ? null : await people.get(session.personId);
  if (session !== null && person !== null && person.lockedAt === null) {
    if (session.isHalf) context.set('halfIn', { person, session });
    else {
      context.set('session', session);
      context.set('person', person);
    }
  }
  await next();
};

/** Lets those pass who are half in: by their password, or by the provider. */
export function requireHalfIn(by: 'password' | 'provider'): Requirement {
  const require: MiddlewareHandler<WebEnv> = async (context, next) => {
    const { halfIn } = context.var;
    const isRight = halfIn !== null && (halfIn.session.provider !== null) === (by === 'provider');
    return isRight ? next() : askToSignIn(context);
  };
  return Object.assign(require, { roles: [] });
}

/**
 * Lets those pass who have one of the roles; with none named, everybody who has signed in. Others are asked to sign in,
 * or read who can help.
 */
export function requireRole(...roles: Role[]): Requirement {
  const require: MiddlewareHandler<WebEnv> = async (context, next) => {
    const { person } = context.var;
    if (person === null) return askToSignIn(context);
    if (roles.length > 0 && !hasOneOf(person, roles)) return refuseRole(context, roles, '');
    context.set('wanted', roles);
    return next();
  };
  return Object.assign(require, { roles });
}

function refuseRole(context: WebContext, roles: readonly Role[], where: string): Response | Promise<Response> {
  const wanted = anyOf(roles.map((role) => ROLE_WORDS[role].label.toLowerCase()));
  const message = t`Only a person with the role ${wanted} may do this${where}.`;
  return errorPage(context, {
    status: 403,
    message,
    remedy: t`Ask an administrator of this page to give you the role.`,
  });
}

/**
 * Counts who asks as who they are for what the address names, by the roles that they have there. Why they may not do there
 * what the route does, or null where they may.
 */
export async function enter(context: WebContext, { roles }: Sight): Promise<Response | null> {
  const { person, wanted } = context.var;
  // Who is an administrator is so everywhere.
  const own =
    person?.roles.includes('administrator') && !roles.includes('administrator') ? ['administrator' as const] : [];
  context.set('here', person && { ...person, roles: [...roles, ...own] });
  return wanted.length === 0 || hasOneOf({ roles }, wanted) ? null : refuseRole(context, wanted, t` here`);
}

/** Lets those pass who may not have signed in yet, where they can at a provider; else it is as any other page. */
export function requireProvider(): Requirement {
  const require: MiddlewareHandler<WebEnv> = async (context, next) =>
    context.var.web.provider === null ? askToSignIn(context) : next();
  return Object.assign(require, { roles: [] });
}

/** The roles that a handler asks for, or null for one that is no `requireRole`. */
export function rolesOf(handler: unknown): readonly Role[] | null {
  return typeof handler === 'function' && 'roles' in handler ? (handler as Requirement).roles : null;
}

/** The token by which this browser is known from an earlier sign-in, as it says itself; null where it says none. */
export function deviceToken(context: WebContext): string | null {
  return getCookie(context, cookieNamed(context.var.web.options.origin, 'device')) ?? null;
}

/** Begins a session in this browser, which is known from now on. Whatever it was before, it is a new one now. */
export async function beginSession(
  context: WebContext,
  personId: string,
  passphrase: string,
  provider: FromProvider | null = null,
): Promise<void> {
  const { sessions, devices, options } = context.var.web;
  await endToken(context);
  const device = await devices.remember(personId, deviceToken(context));
  const flags = { ...cookieFlags(options.origin), maxAge: KNOWN_MS / 1_000 };
  const token = await sessions.begin(personId, passphrase, { provider });
  setCookie(context, cookieName(options.origin), token, cookieFlags(options.origin));
  setCookie(context, cookieNamed(options.origin, 'device'), device, flags);
}

/** The password is proven in this browser, and the second factor is asked for; or the person is known to the provider, and their password is. */
export async function beginHalfSession(
  context: WebContext,
  personId: string,
  half: { passphrase: string } | { provider: FromProvider },
): Promise<void> {
  const { sessions, options } = context.var.web;
  await endToken(context);
  const { passphrase = '', provider = null } = { passphrase: undefined, provider: undefined, ...half };
  const token = await sessions.begin(personId, passphrase, { isHalf: true, provider });
  setCookie(context, cookieName(options.origin), token, cookieFlags(options.origin));
}

export async function endSession(context: WebContext): Promise<void> {
  const { origin } = context.var.web.options;
  await endToken(context);
  deleteCookie(context, cookieName(origin), cookieFlags(origin));
}

async function endToken(context: WebContext): Promise<void> {
  const { sessions, options } = context.var.web;
  const token = getCookie(context, cookieName(options.origin));
  if (token !== undefined) await sessions.end(token);
}

/**
 * A path of this page that a person was on their way to; anything else is the front page. It has to be written as a
 * browser would write it: `/.//evil.test` is a path here, and another host where its dot is taken out.
 */
export function nextPath(text: string | undefined, origin: string): string {
  if (text === undefined || !/^\/[\w\-./?=&%]{0,500}$/.test(text)) return '/';
  const url = URL.parse(text, origin);
  return url !== null && `${url.pathname}${url.search}` === text ? text : '/';
}

function cookieFlags(origin: string) {
  return { httpOnly: true, sameSite: 'Strict', path: '/', secure: origin.startsWith('https:') } as const;
}

/** Browsers follow a link from a mail without our cookie, which is for our own pages: this page asks once more, with it. */
const OPEN_AGAIN = raw(
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>payrun</title><meta http-equiv="refresh" content="0"></head><body></body></html>',
);

function isLedHere(context: WebContext): boolean {
  const site = context.req.header('sec-fetch-site');
  return context.req.header('cookie') === undefined && (site === 'cross-site' || site === 'same-site');
}

function askToSignIn(context: WebContext): Response | Promise<Response> {
  const isReading = context.req.method === 'GET' || context.req.method === 'HEAD';
  if (isReading && isLedHere(context)) return answerPart(context, OPEN_AGAIN);
  const { pathname, search } = new URL(context.req.url);
  const next = isReading ? `${pathname}${search}` : '/';
  const place = next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
  if (context.req.header('hx-request') !== undefined) {
    context.header('hx-redirect', place);
    return context.body(null, 401);
  }
  if (isReading) return context.redirect(place, 303);
  return errorPage(context, {
    status: 401,
    message: t`You are signed out.`,
    remedy: t`Sign in, and do it again.`,
  });
}
