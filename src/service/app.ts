import { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { REHEARSAL_HEADER } from '../contract/rehearsal.ts';
import type { Answer, Cut } from './gateway/answers.ts';
import type { Gateway } from './gateway/gateway.ts';
import { incomingRequest } from './gateway/incoming.ts';
import { cutConnection } from './gateway/operation-listener.ts';
import { OPENAPI_PATH, openapiEndpoint } from './openapi/endpoint.ts';

/** Without a port there is no connection to cut, so a fault that would cut it rejects the call with this. */
export class ConnectionCut extends Error {
  readonly how: Cut;
  constructor(how: Cut) {
    super(`a fault cut the connection (${how})`);
    this.name = 'ConnectionCut';
    this.how = how;
  }
}

type Bindings = { Bindings: Partial<HttpBindings> };

/** The public port: `app.fetch(request)` answers without one. */
export function createApp(gateway: Gateway, isOwnHost: (authority: string) => boolean): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const openapi = openapiEndpoint(isOwnHost);
  app.all(OPENAPI_PATH, (context) => openapi(context.req.raw));
  app.all('/v1/:operation', (context) => respond(context, context.req.param('operation')));
  app.notFound((context) => respond(context, ''));
  app.onError((error) => {
    throw error;
  });
  return app;

  async function respond(context: Context<Bindings>, operation: string): Promise<Response> {
    const { incoming } = context.env ?? {};
    const answer = await gateway.handle(incomingRequest(context.req.raw, operation, incoming));
    if (answer.cut) return cut(context, answer, answer.cut);
    return new Response(answer.body, {
      status: answer.status,
      headers: { ...answer.headers, [REHEARSAL_HEADER]: 'true' },
    });
  }
}

function cut(context: Context<Bindings>, answer: Answer, how: Cut): Response {
  const { outgoing } = context.env ?? {};
  if (!(outgoing instanceof ServerResponse)) throw new ConnectionCut(how);
  cutConnection(outgoing, answer, how);
  return RESPONSE_ALREADY_SENT;
}
