import { z } from 'zod';
import type { ApiKeys } from '../accounts/api-keys.ts';
import type { Caller, Core } from '../core.ts';
import type { Outcome } from '../gateway/answers.ts';
import type { Faults } from '../gateway/faults.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { LiveData } from '../live-data.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** What admin operations work with: the parts on the data of now, and what outlives a restore. */
export type AdminTools = {
  core: Core;
  keys: ApiKeys;
  /** The customer that the operations mean. */
  customer: Caller;
  webhooks: Webhooks;
  faults: Faults;
  gateway: Gateway;
  data: LiveData;
  dataDir: string;
};

/**
 * An operation of the admin port. A `change` runs inside a transaction of the committer, a `direct` one outside, and one
 * that is `alone` runs while no other does.
 */
export type AdminOperation = {
  kind: 'direct' | 'change' | 'alone';
  /** In a few words, for people. */
  does: string;
  schema: z.ZodType;
  /** A body that it takes. */
  example: Record<string, unknown>;
  run(tools: AdminTools, body: unknown): Outcome | Promise<Outcome>;
};

export type AdminOperations = Readonly<Record<string, AdminOperation>>;

type Run<Body, Result> = (tools: AdminTools, body: Body) => Result;
type Later = Outcome | Promise<Outcome>;
type Example = AdminOperation['example'];

export function direct<Body>(does: string, schema: z.ZodType<Body>, example: Example, run: Run<Body, Later>) {
  return { kind: 'direct', does, schema, example, run: run as AdminOperation['run'] } as const;
}

export function change<Body>(does: string, schema: z.ZodType<Body>, example: Example, run: Run<Body, Outcome>) {
  return { kind: 'change', does, schema, example, run: run as AdminOperation['run'] } as const;
}

export function alone<Body>(does: string, schema: z.ZodType<Body>, example: Example, run: Run<Body, Later>) {
  return { kind: 'alone', does, schema, example, run: run as AdminOperation['run'] } as const;
}

export const nothing = z.strictObject({});
export const byId = z.strictObject({ id: z.string().max(200) });
