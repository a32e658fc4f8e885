import type { z } from 'zod';
import type { ApiToken, Scope } from '../../app/people/api-tokens.ts';
import type { Person } from '../../app/people/people.ts';
import type { Web, WebContext } from '../web.ts';
import type { ProblemCode } from './problem.ts';

/** Who asks: a person by one of their tokens. */
export type Caller = {
  web: Web;
  person: Person;
  token: ApiToken;
  /** The token itself, which opens the key that signs its plans. */
  secret: string;
};

/** A request that was understood, by somebody who may make it. */
export type Call<Params = unknown, Query = unknown, Body = unknown> = Caller & {
  context: WebContext;
  params: Params;
  query: Query;
  body: Body;
  /** Empty where the method only reads. */
  idempotencyKey: string;
};

type Answers = Readonly<Partial<Record<200 | 201 | 202, z.ZodType>>>;

type ResultOf<Of extends Answers> = {
  [Status in keyof Of]: { status: Status; body: z.input<NonNullable<Of[Status]>> };
}[keyof Of];

export type Result = { status: number; body: unknown; headers?: Record<string, string> };

type Described = {
  /** By which clients call it. */
  id: string;
  method: 'get' | 'post';
  /** Below `/api/v1`, as OpenAPI writes it: `/runs/{run_id}`. */
  path: string;
  summary: string;
  description?: string;
  /** One of them is enough. */
  scopes: readonly Scope[];
  /** The refusals beside those that every operation has. */
  problems: readonly ProblemCode[];
};

/** An operation as it is routed and documented: what it is given has the shapes that it names. */
export type Operation = Described & {
  params: z.ZodObject | null;
  query: z.ZodObject | null;
  /** `bytes`: a file, which the operation reads itself. */
  body: z.ZodType | 'bytes' | null;
  answers: Answers;
  /** The media types of an answer that is a file. */
  files: readonly string[];
  handle(call: Call): Promise<Result | Response>;
};

type Given<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Of extends Answers,
> = Described & {
  params?: Params;
  query?: Query;
  body?: Body | 'bytes';
  answers?: Of;
  files?: readonly string[];
  handle(call: Call<z.output<Params>, z.output<Query>, z.output<Body>>): Promise<ResultOf<Of> | Response>;
};

export function operation<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  const Of extends Answers,
>(given: Given<Params, Query, Body, Of>): Operation {
  const { params = null, query = null, body = null, answers = {}, files = [] } = given;
  return { ...given, params, query, body, answers, files } as unknown as Operation;
}
