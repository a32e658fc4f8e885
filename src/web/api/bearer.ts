import { mayHave, type Scope } from '../../app/people/api-tokens.ts';
import type { WebContext } from '../web.ts';
import type { Caller } from './operation.ts';
import { ApiProblem, type ProblemCode } from './problem.ts';

/** Requests of one token in a minute, on one host. */
export const REQUESTS_MAX = 300;
const WINDOW_MS = 60_000;
/** Tokens whose requests are counted; more are not in use at once. */
const COUNTED_MAX = 10_000;

/** Counts the requests of each token in windows of a minute, which begin with its first request. */
export class RateLimit {
  readonly #windows = new Map<string, { endsAt: number; used: number }>();

  /** Counts one more at `nowMs` (monotonic). `left` is negative where it is one too many. */
  take(tokenId: string, nowMs: number): { left: number; resetSeconds: number } {
    const known = this.#windows.get(tokenId);
    const window = known === undefined || known.endsAt <= nowMs ? { endsAt: nowMs + WINDOW_MS, used: 0 } : known;
    window.used = Math.min(window.used + 1, REQUESTS_MAX + 1);
    if (window !== known) this.#keep(tokenId, window, nowMs);
    return { left: REQUESTS_MAX - window.used, resetSeconds: Math.ceil((window.endsAt - nowMs) / 1_000) };
  }

  #keep(tokenId: string, window: { endsAt: number; used: number }, nowMs: number): void {
    if (this.#windows.size >= COUNTED_MAX)
      for (const [id, { endsAt }] of this.#windows) if (endsAt <= nowMs) this.#windows.delete(id);
    this.#windows.set(tokenId, window);
  }
}

const BEARER = /^Bearer +(\S+) *$/i;

/** Who asks, by the token of the request alone: cookies are not read here. Throws an `ApiProblem`. */
export async function callerOf(context: WebContext): Promise<Caller> {
  const { web } = context.var;
  const secret = BEARER.exec(context.req.header('authorization') ?? '')?.[1];
  if (secret === undefined) throw unauthorized('token_missing', 'Send the header “Authorization: Bearer payrun_…”.');
  const token = await web.tokens.byText(secret);
  if (token === null)
    throw unauthorized('token_unknown', 'payrun knows no such token. Make one under You, API tokens.');
  if (token.revokedAt !== null) throw unauthorized('token_revoked', 'Make another token under You, API tokens.');
  if (token.expiresAt <= web.deps.clock.wallMs())
    throw unauthorized('token_expired', 'Make another token under You, API tokens.');
  const person = await web.people.get(token.personId);
  if (person === null || person.lockedAt !== null)
    throw unauthorized('person_deactivated', 'An administrator can activate the person under Team.');
  return { web, person, token, secret };
}

/** Throws an `ApiProblem` where the token has none of the scopes, or its person not the role for one by now. */
export function requireScope({ token, person }: Caller, scopes: readonly Scope[]): void {
  const held = scopes.filter((scope) => token.scopes.includes(scope));
  if (held.length === 0)
    throw new ApiProblem('scope_missing', `This takes a token with the scope ${scopes.join(' or ')}.`);
  if (!held.some((scope) => mayHave(person.roles, scope)))
    throw new ApiProblem('role_missing', `${person.name} has no role any more that allows ${held.join(' or ')}.`);
}

/** Counts the request of a token: what the answer says of it. Throws an `ApiProblem` where it is one too many. */
export function counted(limit: RateLimit, { web, token }: Caller): Record<string, string> {
  const { left, resetSeconds } = limit.take(token.id, web.deps.clock.monotonicMs());
  const headers = {
    'ratelimit-policy': `"token";q=${REQUESTS_MAX};w=${WINDOW_MS / 1_000}`,
    ratelimit: `"token";r=${Math.max(left, 0)};t=${resetSeconds}`,
  };
  if (left >= 0) return headers;
  const detail = `A token may make ${REQUESTS_MAX} requests a minute. Try again in ${resetSeconds} s.`;
  throw new ApiProblem('rate_limited', detail, { headers: { ...headers, 'retry-after': String(resetSeconds) } });
}

function unauthorized(code: ProblemCode, detail: string): ApiProblem {
  const error = code === 'token_missing' ? '' : ', error="invalid_token"';
  return new ApiProblem(code, detail, { headers: { 'www-authenticate': `Bearer realm="payrun"${error}` } });
}
