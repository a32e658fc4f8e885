import { z } from 'zod';

type Kind = { status: number; title: string };

/** Everything that an answer may refuse by. A code never changes its meaning. */
export const PROBLEMS = {
  invalid_json: { status: 400, title: 'The body is not JSON' },
  cut_off: { status: 400, title: 'The body did not arrive whole' },
  idempotency_key_missing: { status: 400, title: 'An Idempotency-Key is required' },
  token_missing: { status: 401, title: 'A token is required' },
  token_unknown: { status: 401, title: 'The token is not valid' },
  token_expired: { status: 401, title: 'The token has expired' },
  token_revoked: { status: 401, title: 'The token was revoked' },
  person_deactivated: { status: 401, title: 'The person of the token is deactivated' },
  scope_missing: { status: 403, title: 'The token lacks the scope' },
  role_missing: { status: 403, title: 'The person of the token lacks the role' },
  details_hidden: { status: 403, title: 'Names and amounts are hidden from the person of the token' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  too_slow: { status: 408, title: 'The body came too slowly' },
  idempotency_key_in_use: { status: 409, title: 'A request with this Idempotency-Key is under way' },
  not_checked: { status: 409, title: 'The file is still being checked' },
  not_approved: { status: 409, title: 'The plan is not approved' },
  discarded: { status: 409, title: 'The plan was ended or replaced' },
  busy: { status: 409, title: 'Something else is being done to the run' },
  start_refused: { status: 409, title: 'The run was not started' },
  file_removed: { status: 410, title: 'The file was removed' },
  too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  wrong_host: { status: 421, title: 'This is not the address of the page' },
  invalid_input: { status: 422, title: 'The input is not valid' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key came with another request' },
  file_refused: { status: 422, title: 'The file cannot be used' },
  plan_refused: { status: 422, title: 'No plan was made' },
  rate_limited: { status: 429, title: 'Too many requests' },
  too_many_uploads: { status: 429, title: 'Too many uploads at once' },
  internal: { status: 500, title: 'Something went wrong' },
  unavailable: { status: 503, title: 'Not available now' },
  storage_full: { status: 507, title: 'No room is left' },
} as const satisfies Readonly<Record<string, Kind>>;

export type ProblemCode = keyof typeof PROBLEMS;

const place = z.object({
  in: z.enum(['body', 'query', 'path', 'header']),
  pointer: z.string().describe('JSON Pointer in the body; else the name of the parameter or header.'),
  detail: z.string(),
});

/**
 * Refusals that the same request always gets: the answer is given again under its Idempotency-Key, as an answer that did something
 * is. The others say what to wait for or to change elsewhere, and then the same request may do it.
 */
const FINAL: ReadonlySet<ProblemCode> = new Set([
  'discarded',
  'file_removed',
  'too_large',
  'unsupported_media_type',
  'invalid_input',
  'file_refused',
  'plan_refused',
]);

export function isFinal({ code }: ApiProblem): boolean {
  return FINAL.has(code);
}

/** RFC 9457. */
export const problemSchema = z
  .object({
    type: z.string().describe('`urn:payrun:problem:` and the code.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What happened, and what to do.'),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    errors: z.array(place).optional().describe('Where in the input.'),
    reason: z.string().optional().describe('Of a plan that was refused: why, as a code.'),
  })
  .meta({ id: 'ApiProblem', description: 'Why nothing was done (RFC 9457).' });

export type ProblemPlace = z.output<typeof place>;

type More = { errors?: ProblemPlace[]; reason?: string; headers?: Record<string, string> };

/** A request that is refused. */
export class ApiProblem extends Error {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly more: More;

  constructor(code: ProblemCode, detail: string, more: More = {}) {
    super(code);
    this.code = code;
    this.detail = detail;
    this.more = more;
  }
}

export function problemAnswer(problem: ApiProblem): Response {
  const body = problemBody(problem);
  const { status } = body;
  const { headers = {} } = problem.more;
  const type = { 'content-type': 'application/problem+json' };
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } });
}

/** As it is sent, and kept. */
export function problemBody({
  code,
  detail,
  more: { headers: _, ...more },
}: ApiProblem): z.output<typeof problemSchema> {
  const { status, title } = PROBLEMS[code];
  return { type: `urn:payrun:problem:${code}`, title, status, detail, code, ...more };
}

/** One that was kept. */
export function problemOf(body: unknown, headers: Record<string, string>): ApiProblem {
  const { code, detail, errors, reason } = problemSchema.parse(body);
  return new ApiProblem(code, detail, { ...(errors && { errors }), ...(reason !== undefined && { reason }), headers });
}
