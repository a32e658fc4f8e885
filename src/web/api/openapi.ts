import { z } from 'zod';
import { SCOPES } from '../../app/people/api-tokens.ts';
import { REQUESTS_MAX } from './bearer.ts';
import { EVENTS } from './events.ts';
import type { Operation } from './operation.ts';
import { PROBLEMS, type ProblemCode, problemSchema } from './problem.ts';

type Json = Record<string, unknown>;

/** Every operation may refuse by these. */
const OF_ALL: readonly ProblemCode[] = [
  'token_missing',
  'token_unknown',
  'token_expired',
  'token_revoked',
  'person_deactivated',
  'scope_missing',
  'role_missing',
  'wrong_host',
  'rate_limited',
  'internal',
  'unavailable',
];

const OF_WRITING: readonly ProblemCode[] = [
  'idempotency_key_missing',
  'idempotency_key_in_use',
  'idempotency_key_reused',
];
const OF_BODIES: readonly ProblemCode[] = ['cut_off', 'too_slow', 'too_large'];
const OF_JSON: readonly ProblemCode[] = ['invalid_json', 'unsupported_media_type', 'invalid_input'];

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'Another one for each new request. The same request with the same key gets the first answer again for 24 hours. What was refused did nothing, and may be sent again.',
};

const ABOUT = `The use cases of the page for programs. A token acts for the person who made it: it never does more than its scopes and the roles that the person has at the time, and never approves. A token may make ${REQUESTS_MAX} requests a minute on each host. Amounts are decimal texts, times are RFC 3339 in UTC.`;

/** The document that describes the API (OpenAPI 3.1), made of the shapes that requests and answers are checked with. */
export function openApiDocument(operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {};
  for (const one of operations) paths[one.path] = { ...paths[one.path], [one.method]: operationOf(one) };
  return {
    openapi: '3.1.0',
    info: { title: 'payrun', version: '1.0.0', description: ABOUT },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    paths,
    webhooks: Object.fromEntries(EVENTS.map(([name, shape]) => [name, { post: eventOf(name, shape) }])),
    components: {
      schemas: components(operations),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'payrun_…',
          description: `Scopes: ${SCOPES.join(', ')}.`,
        },
      },
    },
  };
}

/** What is posted to the endpoints that people add on the page (Standard Webhooks, signature `v1`). */
function eventOf(name: string, shape: z.ZodType): Json {
  return {
    operationId: name.replaceAll('.', '_'),
    summary: shape.meta()?.description ?? name,
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: refTo(shape) } } },
    responses: { '2XX': { description: 'It is taken. After anything else it is posted again.' } },
  };
}

function operationOf(one: Operation): Json {
  const { id, summary, description, body, method } = one;
  const parameters = [
    ...parametersOf(one.params, 'path'),
    ...parametersOf(one.query, 'query'),
    ...(method === 'post' ? [IDEMPOTENCY_KEY] : []),
  ];
  const scopes = `Scope: ${one.scopes.join(' or ')}.`;
  return {
    operationId: id,
    summary,
    description: description === undefined ? scopes : `${description} ${scopes}`,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== null && { requestBody: bodyOf(body) }),
    responses: { ...answersOf(one), ...refusalsOf(one) },
  };
}

function bodyOf(body: NonNullable<Operation['body']>): Json {
  const content =
    body === 'bytes'
      ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': { schema: refTo(body) } };
  return { required: true, content };
}

function answersOf({ answers, files }: Operation): Json {
  const byStatus = Object.entries(answers).map(([status, shape]) => {
    const description = shape.meta()?.description ?? 'A page of a list.';
    return [status, { description, content: { 'application/json': { schema: refTo(shape) } } }];
  });
  if (files.length === 0) return Object.fromEntries(byStatus);
  const content = Object.fromEntries(files.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));
  return { 200: { description: 'The file.', content } };
}

/** By status; the codes are in the description. */
function refusalsOf(one: Operation): Json {
  const codes = [
    ...OF_ALL,
    ...(one.method === 'post' ? [...OF_WRITING, ...OF_BODIES] : []),
    ...(one.body !== null && one.body !== 'bytes' ? OF_JSON : []),
    ...(one.query !== null ? (['invalid_input'] as const) : []),
    ...one.problems,
  ];
  const content = { 'application/problem+json': { schema: refTo(problemSchema) } };
  const byStatus = Map.groupBy(new Set(codes), (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    Array.from(byStatus, ([status, of]) => [
      status,
      { description: of.map((code) => `\`${code}\``).join(', '), content },
    ]),
  );
}

function parametersOf(shape: z.ZodObject | null, where: 'path' | 'query'): Json[] {
  if (shape === null) return [];
  const { properties = {}, required = [] } = withOurRefs(z.toJSONSchema(shape, { io: 'input', override }));
  return Object.entries(properties).map(([name, member]) => {
    const { description, ...schema } = member as Json;
    const isRequired = where === 'path' || required.includes(name);
    return { name, in: where, required: isRequired, ...(description !== undefined && { description }), schema };
  });
}

/** The schemas of everything that has a name, as they are read and as they are answered. */
function components(operations: readonly Operation[]): Json {
  const sent = operations.flatMap(({ params, query, body }) => [params, query, body === 'bytes' ? null : body]);
  const answered = operations.flatMap(({ answers }) => Object.values(answers));
  return {
    ...definitionsOf(
      sent.filter((shape) => shape !== null),
      'input',
    ),
    ...definitionsOf([...answered, ...EVENTS.map(([, shape]) => shape), problemSchema], 'output'),
  };
}

function definitionsOf(shapes: readonly z.ZodType[], io: 'input' | 'output'): Json {
  const all = z.object(Object.fromEntries(shapes.map((shape, at) => [String(at), shape])));
  return withOurRefs(z.toJSONSchema(all, { io, override })).$defs ?? {};
}

function withOurRefs(schema: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** Answers may get more members; and the bounds of a safe integer of JavaScript mean nothing to a reader. */
function override({
  zodSchema,
  jsonSchema: schema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (zodSchema._zod.def.type === 'object' && zodSchema._zod.def.catchall === undefined)
    delete schema.additionalProperties;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  delete schema.id;
}

function refTo(shape: z.ZodType): Json {
  const id = shape.meta()?.id;
  if (id === undefined) throw new Error('a shape of the API without a name');
  return { $ref: `#/components/schemas/${id}` };
}
