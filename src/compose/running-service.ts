import { Agent, request } from 'undici';
import { z } from 'zod';
import { Refusal } from '../domain/refusal.ts';
import type { NoAdminFault } from '../domain/refusals/settings-reasons.ts';
import { INSTANCE_HEADER, readListeningFile } from '../service/listening-file.ts';
import { servicePaths } from '../service/store/open.ts';

/** A service that is running, as its admin port is reached. `instance` is null where only its URL was named. */
export type RunningAdmin = { url: string; instance: string | null; where: string };

/** The admin port answers at once; a restore may read gigabytes. */
const ANSWER_TIMEOUT_MS = 600_000;
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

const answerShape = z.union([
  z.object({ data: z.unknown() }),
  z.object({ error: z.object({ code: z.string(), message: z.string() }) }),
]);

/**
 * Finds the service that has a data directory open, or takes the URL that was named. Throws a `Refusal`: `usage` for a
 * URL that is not on loopback, `unreachable` where no service is running.
 */
export function findRunningService(dataDir: string, adminUrl: string | undefined): RunningAdmin {
  if (adminUrl !== undefined) return { url: loopbackUrl(adminUrl), instance: null, where: adminUrl };
  const found = readListeningFile(servicePaths(dataDir).listening);
  if (found === null) throw notRunning({ why: 'none_running', dataDir });
  return { url: loopbackUrl(found.admin_url), instance: found.instance, where: dataDir };
}

/** The shipped service that stands on its own on a data directory, as payouts are sent to it. */
export type RunningShipped = { baseUrl: string; apiKey: string; signingKeyFile: string };

/**
 * Finds the service that has a data directory open and stands on its own. Null where none does: what was started inside
 * another command ends with that command.
 */
export async function findRunningShipped(dataDir: string): Promise<RunningShipped | null> {
  const { listening, signingKey } = servicePaths(dataDir);
  const found = readListeningFile(listening);
  if (found === null) return null;
  try {
    // It answers for this very start, so that no other program on a port that was its own is given a payout.
    await callAdmin({ url: loopbackUrl(found.admin_url), instance: found.instance, where: dataDir }, 'fault.list', {});
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
  return { baseUrl: loopbackUrl(found.base_url), apiKey: found.api_key, signingKeyFile: signingKey };
}

/**
 * Calls one operation and gives its data. Throws a `Refusal`: `usage` where the service refuses the call, `unreachable`
 * where nobody answers, or another service than the one that was meant.
 */
export async function callAdmin(service: RunningAdmin, operation: string, body: unknown): Promise<unknown> {
  const answer = await send(service, operation, body);
  if ('error' in answer) {
    const { code, message } = answer.error;
    if (code === 'SERVICE_UNAVAILABLE') throw new Refusal({ code: 'admin_unavailable', message });
    if (code === 'INTERNAL_SERVER_ERROR') throw new Error(`the service says: ${message}; its log says more`);
    throw new Refusal({ code: 'admin_refused', operation, message });
  }
  return answer.data;
}

async function send({ url, instance, where }: RunningAdmin, operation: string, body: unknown) {
  const dispatcher = new Agent({ headersTimeout: ANSWER_TIMEOUT_MS, maxResponseSize: ANSWER_BYTES_MAX });
  try {
    const answer = await request(`${url}/${encodeURIComponent(operation)}`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(instance !== null && { [INSTANCE_HEADER]: instance }) },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    const own = answer.headers[INSTANCE_HEADER];
    if (own === undefined && instance === null) throw notRunning({ why: 'no_admin_port', url });
    if (own === undefined || (instance !== null && own !== instance)) throw notRunning({ why: 'ended', where, url });
    return answerShape.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const cause = error instanceof Error ? (error as NodeJS.ErrnoException).code || error.message : String(error);
    throw notRunning({ why: 'silent', where, url, cause });
  } finally {
    await dispatcher.close();
  }
}

function loopbackUrl(text: string): string {
  const url = URL.parse(text);
  const isLoopback = url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (isLoopback && url.pathname === '/' && url.search === '') return url.origin;
  throw new Refusal({ code: 'admin_not_on_loopback', url: text });
}

function notRunning(fault: NoAdminFault): Refusal {
  return new Refusal({ code: 'no_service_running', fault });
}
