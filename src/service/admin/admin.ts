import { answerOf, BROKEN, malformed, type Outcome, refused } from '../gateway/answers.ts';
import { parseStrictJson } from '../gateway/strict-json.ts';
import type { Handle, HttpRequest } from '../http.ts';
import { INSTANCE_HEADER } from '../listening-file.ts';
import type { AdminOperation, AdminTools } from './operation.ts';
import { ADMIN_OPERATIONS } from './operations.ts';

/**
 * The admin port, for rehearsals and tests: JSON over `POST /<operation>`, unsigned. Only a loopback port of its own
 * reaches it. It wants a Host of its own and JSON as content-type, so no page in a browser can use it: a page may send
 * neither to another origin without being asked first.
 */
export function createAdmin(
  toolsOfNow: () => AdminTools,
  isOwnHost: (authority: string) => boolean,
  instance: string,
): Handle {
  // Nobody keeps tools from before a restore: that waits until the other operations have ended.
  const lock = new ReaderWriterLock();
  return async (request) => {
    const outcome = await perform(request).catch((error: unknown) => {
      toolsOfNow().core.log.error({ error }, 'an admin operation failed');
      return BROKEN;
    });
    return answerOf(outcome, { [INSTANCE_HEADER]: instance });
  };

  async function perform({ method, target, authority, headers, body }: HttpRequest): Promise<Outcome> {
    const name = /^\/([^/?]+)(?:\?|$)/.exec(target)?.[1];
    if (method !== 'POST' || name === undefined) return refused('NOT_FOUND', 'admin operations are POST /<operation>');
    const operation = ADMIN_OPERATIONS.get(name);
    if (!operation) return refused('NOT_FOUND', 'there is no such admin operation');
    if (!isOwnHost(authority)) return refused('FORBIDDEN', 'the Host is not one of this service');
    const meant = headers[INSTANCE_HEADER];
    if (meant !== undefined && meant !== instance)
      return refused('FORBIDDEN', 'another service than the one that is meant listens here');
    if (!/^application\/json(;|$)/i.test(String(headers['content-type'])))
      return refused('UNSUPPORTED_MEDIA_TYPE', 'the content-type must be application/json');
    if (body === null) return refused('PAYLOAD_TOO_LARGE', 'the body is larger than 1 MiB');
    const json = parseStrictJson(body);
    if (!json.ok) return refused('PARSE_ERROR', json.problem);
    const parsed = operation.schema.safeParse(json.value);
    if (!parsed.success) return malformed(parsed.error);
    const run = async (): Promise<Outcome> => carryOut(operation, toolsOfNow(), parsed.data);
    return operation.kind === 'alone' ? lock.alone(run) : lock.together(run);
  }
}

function carryOut({ kind, run }: AdminOperation, tools: AdminTools, body: unknown): Outcome | Promise<Outcome> {
  // A change answers at once: it cannot wait inside a transaction.
  return kind === 'change' ? tools.core.committer.submit(() => run(tools, body) as Outcome) : run(tools, body);
}

/**
 * Any number of operations run together, or one runs alone. One that wants to be alone waits for those that run and keeps
 * new ones waiting, so none waits for ever. Those that wait are the connections of one port, which has a maximum of them.
 */
export class ReaderWriterLock {
  readonly #running = new Set<Promise<unknown>>();
  #alone: Promise<unknown> | null = null;

  async together<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== null) await this.#alone;
    const running = work();
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== null) await this.#alone;
    const running = Promise.allSettled(this.#running).then(work);
    this.#alone = running.catch(() => {});
    return running.finally(() => {
      this.#alone = null;
    });
  }
}
