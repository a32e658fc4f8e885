import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { answerOf, BROKEN, badRequest, type Outcome, refused } from '../gateway/answers.ts';
import { readBody } from '../gateway/incoming.ts';
import { schemaMessage } from '../gateway/schema-message.ts';
import { parseStrictJson } from '../gateway/strict-json.ts';
import { INSTANCE_HEADER } from '../listening-file.ts';
import { ADMIN_OPERATIONS, type AdminOperation } from './admin-operations.ts';
import type { AdminTools } from './admin-tools.ts';
import { ReaderWriterLock } from './reader-writer-lock.ts';

type Bindings = { Bindings: Partial<HttpBindings> };

/**
 * The admin port, for rehearsals and tests: JSON over `POST /<operation>`, unsigned. Only a loopback port of its own
 * reaches it. It wants a Host of its own and JSON as content-type, so no page in a browser can use it: a page may send
 * neither to another origin without being asked first.
 */
export function createAdmin(
  toolsOfNow: () => AdminTools,
  isOwnHost: (authority: string) => boolean,
  instance: string,
): Hono<Bindings> {
  const admin = new Hono<Bindings>();
  // Nobody keeps tools from before a restore: that waits until the other operations have ended.
  const lock = new ReaderWriterLock();
  admin.use(async (context, next) => {
    await next();
    context.header(INSTANCE_HEADER, instance);
  });
  admin.post('/:operation', async (context) => {
    const handler = ADMIN_OPERATIONS.get(context.req.param('operation'));
    if (!handler) return send(refused('NOT_FOUND', 'there is no such admin operation'));
    return send(await perform(context, handler));
  });
  admin.notFound(() => send(refused('NOT_FOUND', 'admin operations are POST /<operation>')));
  admin.onError((error) => {
    toolsOfNow().core.log.error({ error }, 'an admin operation failed');
    return send(BROKEN);
  });
  return admin;

  async function perform(context: Context<Bindings>, handler: AdminOperation): Promise<Outcome> {
    if (!isOwnHost(context.req.header('host') ?? new URL(context.req.url).host))
      return refused('FORBIDDEN', 'the Host is not one of this service');
    const meant = context.req.header(INSTANCE_HEADER);
    if (meant !== undefined && meant !== instance)
      return refused('FORBIDDEN', 'another service than the one that is meant listens here');
    if (!/^application\/json(;|$)/i.test(context.req.header('content-type') ?? ''))
      return refused('UNSUPPORTED_MEDIA_TYPE', 'the content-type must be application/json');
    const bytes = await readBody(context.req.raw, context.req.header('content-length'));
    if (bytes === 'TOO_LARGE') return refused('PAYLOAD_TOO_LARGE', 'the body is larger than 1 MiB');
    const json = parseStrictJson(bytes);
    if (!json.ok) return refused('PARSE_ERROR', json.problem);
    const parsed = handler.schema.safeParse(json.value);
    if (!parsed.success) return badRequest('INVALID', schemaMessage(parsed.error));
    if (handler.kind === 'alone') return lock.alone(() => handler.run(toolsOfNow(), parsed.data));
    return lock.together(() => carryOut(handler, toolsOfNow(), parsed.data));
  }
}

function carryOut(handler: AdminOperation, tools: AdminTools, body: unknown): Outcome | Promise<Outcome> {
  if (handler.kind === 'direct') return handler.run(tools, body);
  return tools.core.committer.submit<Outcome>({
    // A change answers at once: it cannot wait inside a transaction.
    run: () => handler.run(tools, body) as Outcome,
    notAfterMs: null,
    late: () => BROKEN,
    crashed: () => BROKEN,
  });
}

function send(outcome: Outcome): Response {
  const { status, body } = answerOf(outcome);
  return new Response(body, { status, headers: { 'content-type': 'application/json' } });
}
