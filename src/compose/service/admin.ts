import { Buffer } from 'node:buffer';
import type { z } from 'zod';
import { Refusal } from '../../domain/refusal.ts';
import type { AdminBodyFault } from '../../domain/refusals/command-reasons.ts';
import { ADMIN_OPERATIONS } from '../../service/admin/operations.ts';
import { WEBHOOK_ANSWERS } from '../../service/admin/webhooks.ts';
import { parseStrictJson } from '../../service/gateway/strict-json.ts';
import { callAdmin, findRunningService } from '../running-service.ts';

/** An operation of the admin port. `body`: an example of one. */
export type AdminOperation = { name: string; does: string; body: object };

export function adminOperations(): AdminOperation[] {
  return Array.from(ADMIN_OPERATIONS, ([name, { does, example }]) => ({ name, does, body: example }));
}

/** The schemas of what the operations `webhook.…` answer, by their names without `webhook.`. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, z.ZodType>> = WEBHOOK_ANSWERS;

/**
 * Performs one operation of the admin port of the service that has the data directory open, or listens at `adminUrl`, and
 * gives its answer. Throws a `Refusal`.
 */
export function performAdmin(
  { dataDir, adminUrl }: { dataDir: string; adminUrl: string | undefined },
  operation: string,
  body: unknown,
): Promise<unknown> {
  return callAdmin(findRunningService(dataDir, adminUrl), operation, body);
}

/** Words of a command line as the body of an operation. Throws a `Refusal` (`admin_body`). The service checks its members. */
export function adminBody(operation: string, words: readonly string[]): unknown {
  const [first = '{}', ...others] = words;
  if (!first.trimStart().startsWith('{')) return readPairs(operation, words);
  if (others[0] !== undefined) throw noBody({ why: 'no_pair', word: others[0] });
  const parsed = parseStrictJson(Buffer.from(first));
  if (parsed.ok) return parsed.value;
  throw noBody({ why: 'no_json', operation, problem: parsed.problem });
}

/**
 * `ms=1000 code=GBP` as an object of texts, where a text that has to be something else by the operation's schema is read as
 * JSON.
 */
function readPairs(operation: string, words: readonly string[]): Record<string, unknown> {
  const texts: Record<string, unknown> = Object.create(null);
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw noBody({ why: 'no_pair', word });
    const name = word.slice(0, at);
    if (Object.hasOwn(texts, name)) throw noBody({ why: 'given_twice', name });
    texts[name] = word.slice(at + 1);
  }
  const schema = ADMIN_OPERATIONS.get(operation)?.schema;
  if (!schema) return texts;
  const literals = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, literal(String(text))]));
  const issues = schema.safeParse(texts).error?.issues ?? [];
  const wrong = new Set(issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => path[0]));
  const mixed = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, wrong.has(name) ? literals[name] : text]),
  );
  return [texts, mixed, literals].find((body) => schema.safeParse(body).success) ?? mixed;
}

function literal(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function noBody(fault: AdminBodyFault): Refusal {
  return new Refusal({ code: 'admin_body', ...fault });
}
