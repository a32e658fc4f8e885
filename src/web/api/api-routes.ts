import { Buffer } from 'node:buffer';
import { Hono } from 'hono';
import type { z } from 'zod';
import { refusalIn } from '../../app/runs/known-run.ts';
import { messages } from '../../messages/messages.ts';
import { asViewer, viewer } from '../../messages/viewer.ts';
import { authorityOf } from '../guard.ts';
import { FormFault, paced } from '../uploads/multipart.ts';
import { seenBy } from '../viewing.ts';
import type { WebContext, WebEnv } from '../web.ts';
import { callerOf, counted, RateLimit, requireScope } from './bearer.ts';
import { connectionOperations } from './connection-operations.ts';
import { fingerprintOf, idempotencyKeyOf, once } from './idempotency.ts';
import { openApiDocument } from './openapi.ts';
import type { Call, Operation, Result } from './operation.ts';
import { payoutOperations } from './payout-operations.ts';
import { planOperations } from './plan-operations.ts';
import { ApiProblem, type ProblemPlace, problemAnswer } from './problem.ts';
import { recipientOperations } from './recipient-operations.ts';
import { runOperations } from './run-operations.ts';
import { uploadOperations } from './upload-operations.ts';

export const API_PATH = '/api/v1';

/** Bodies other than files have some lines. */
const JSON_BYTES_MAX = 64 * 1024;

const OPERATIONS: readonly Operation[] = [
  ...uploadOperations,
  ...planOperations,
  ...runOperations,
  ...payoutOperations,
  ...recipientOperations,
  ...connectionOperations,
];

/**
 * The API: the use cases of the page for programs, each of which acts for a person by a token. Nothing here reads a cookie, so
 * that no other page can make a browser ask; and nothing approves.
 */
export function apiRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const limit = new RateLimit();
  let document: string | null = null;
  app.get(`${API_PATH}/openapi.json`, (context) => {
    document ??= JSON.stringify(openApiDocument(OPERATIONS));
    return context.body(document, 200, { 'content-type': 'application/json', 'cache-control': 'no-cache' });
  });
  for (const one of OPERATIONS)
    app.on(one.method.toUpperCase(), routeOf(one), (context) =>
      answered(context, (headers) => serve(context, one, limit, headers)),
    );
  app.all(`${API_PATH}/*`, (context) =>
    answered(context, async () => {
      throw unknownPath(context);
    }),
  );
  return app;
}

function routeOf({ path }: Pick<Operation, 'path'>): string {
  return `${API_PATH}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

/** What `work` gives, or why it was refused; with the headers that it has put into `headers` by then. */
async function answered(
  context: WebContext,
  work: (headers: Record<string, string>) => Promise<Response>,
): Promise<Response> {
  const headers: Record<string, string> = {};
  const answer = await work(headers).catch((error: unknown) => problemAnswer(problemOf(context, error)));
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  return answer;
}

function problemOf(context: WebContext, error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  const refusal = refusalIn(error);
  const { log } = context.var.web.deps;
  log.error({ error, path: context.req.path }, 'a request of the API could not be answered');
  if (refusal === null)
    return new ApiProblem('internal', 'The log file in the data directory says why. Nothing was sent because of it.');
  const { message, remedy } = messages.refusals.refusalOnPage(refusal);
  return new ApiProblem('unavailable', `${message} ${remedy}`.trim());
}

async function serve(
  context: WebContext,
  one: Operation,
  limit: RateLimit,
  headers: Record<string, string>,
): Promise<Response> {
  requireHost(context);
  const caller = await callerOf(context);
  Object.assign(headers, counted(limit, caller));
  requireScope(caller, one.scopes);
  await caller.web.tokens.noteUsed(caller.token);
  const given = {
    ...caller,
    context,
    params: paramsOf(context, one),
    query: one.query === null ? {} : parsed(one.query, context.req.query(), 'query'),
    idempotencyKey: one.method === 'get' ? '' : idempotencyKeyOf(context),
  };
  const result = await asViewer({ ...viewer(), ...(await seenBy(caller.web, caller.person)) }, () =>
    resultOf(context, one, given),
  );
  return result instanceof Response ? result : jsonAnswer(one, result);
}

async function resultOf(context: WebContext, one: Operation, given: Omit<Call, 'body'>): Promise<Result | Response> {
  if (one.body === null || one.body === 'bytes') return one.handle({ ...given, body: null });
  const text = await textOf(context);
  const body = parsed(one.body, jsonOf(text), 'body');
  return once(given, fingerprintOf(context, text), async () => {
    const result = await one.handle({ ...given, body });
    if (result instanceof Response) throw new Error(`${one.id} answers with no JSON`);
    return result;
  });
}

/** The answer has the shape that is documented, and nothing else. */
function jsonAnswer({ answers }: Operation, { status, body, headers = {} }: Result): Response {
  const shape = (answers as Readonly<Record<number, z.ZodType | undefined>>)[status];
  if (shape === undefined) throw new Error(`an answer ${status} is not documented`);
  const text = JSON.stringify(shape.parse(body));
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** Other names of ours are fine: no browser is led here, and nothing counts but the token. */
function requireHost(context: WebContext): void {
  const { origin, alsoHosts } = context.var.web.options;
  const host = authorityOf(context);
  if (host === new URL(origin).host || alsoHosts.includes(host)) return;
  throw new ApiProblem('wrong_host', `The API is at ${origin}${API_PATH}.`);
}

function paramsOf(context: WebContext, { params }: Operation): unknown {
  if (params === null) return {};
  const read = params.safeParse(context.req.param());
  if (read.success) return read.data;
  throw new ApiProblem('not_found', 'There is nothing with this id.');
}

function parsed(shape: z.ZodType, value: unknown, where: 'query' | 'body'): unknown {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ path, message }): ProblemPlace => {
    const names = path.map(String);
    const pointer =
      where === 'body'
        ? names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
        : names.join('.');
    return { in: where, pointer, detail: message };
  });
  throw new ApiProblem(
    'invalid_input',
    errors.map(({ pointer, detail }) => `${pointer || where}: ${detail}`).join('; '),
    { errors },
  );
}

async function textOf(context: WebContext): Promise<string> {
  if (!/^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? ''))
    throw new ApiProblem('unsupported_media_type', 'Send the body as application/json.');
  const { body } = context.req.raw;
  const pieces: Uint8Array[] = [];
  try {
    if (body !== null)
      for await (const piece of paced(body, { clock: context.var.web.deps.clock, bytesMax: JSON_BYTES_MAX }))
        pieces.push(piece);
  } catch (error) {
    throw error instanceof FormFault ? bodyProblem(error) : error;
  }
  return Buffer.concat(pieces).toString('utf8');
}

export function bodyProblem({ why }: FormFault): ApiProblem {
  switch (why) {
    case 'too_large':
      return new ApiProblem('too_large', `A body has at most ${JSON_BYTES_MAX / 1_024} KiB.`);
    case 'too_slow':
      return new ApiProblem('too_slow', 'Nothing was done. Send it again.');
    case 'unreadable':
      return new ApiProblem('cut_off', 'Nothing was done. Send it again.');
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiProblem('invalid_json', 'Send a JSON object.');
  }
}

function unknownPath(context: WebContext): ApiProblem {
  const { path } = context.req;
  const methods = OPERATIONS.filter((one) => isPathOf(one, path)).map(({ method }) => method.toUpperCase());
  if (methods.length === 0)
    return new ApiProblem('not_found', `There is no such path. ${API_PATH}/openapi.json lists them.`);
  const allow = methods.join(', ');
  return new ApiProblem('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
}

function isPathOf({ path }: Operation, asked: string): boolean {
  return new RegExp(`^${API_PATH}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(asked);
}
