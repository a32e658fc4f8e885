import { z } from 'zod';
import { mayHave } from '../../app/people/api-tokens.ts';
import type { Sees } from '../../app/people/sight.ts';
import type { WebhookEndpoint } from '../../app/people/webhook-endpoints.ts';
import { time } from '../../domain/result.ts';
import { isoUtc } from '../../domain/time.ts';
import { UNNAMED } from '../sights.ts';
import type { Web } from '../web.ts';
import { type ApiEvent, PLAN_EVENTS, pastEvents, RUN_EVENTS, STOPPED_FOR_MS } from './past-events.ts';
import { planOf, shownPlan } from './plan-operations.ts';
import { shownRun } from './run-operations.ts';
import type { Asking } from './seen-run.ts';
import { shapes } from './shapes.ts';

const planEvent = z
  .object({ type: z.enum(PLAN_EVENTS), timestamp: time, data: shapes.plan })
  .meta({ id: 'PlanEvent', description: 'The plan as it was when the page noticed the event.' });

const runEvent = z
  .object({ type: z.enum(RUN_EVENTS), timestamp: time, data: shapes.run })
  .meta({ id: 'RunEvent', description: 'The run as it was when the page noticed the event.' });

/** What is posted to endpoints, by the name of the event in the document. */
export const EVENTS: readonly (readonly [name: string, shape: z.ZodType])[] = [
  ...PLAN_EVENTS.map((name) => [name, planEvent] as const),
  ...RUN_EVENTS.map((name) => [name, runEvent] as const),
];

/** Newer runs than these are looked at. */
const RUNS_LOOKED_AT = 200;
const LOOK_EVERY_MS = 2_000;

/** What has happened to the newest plans and runs, as far as their journals show by now. */
export async function eventsNow({ deps, waitingPlans }: Web): Promise<ApiEvent[]> {
  const history = (await deps.reads.history()).slice(0, RUNS_LOOKED_AT);
  const approved = await waitingPlans.approved();
  const events: ApiEvent[] = [];
  for (const { state, summary } of history.toReversed()) {
    const { run_id: runId, entries } = summary;
    const add = (type: ApiEvent['type'], place = '') => events.push({ key: `${type} ${runId}${place}`, type, runId });
    switch (state) {
      case 'planned':
        add('plan.created');
        if (approved.has(runId)) add('plan.approved');
        break;
      case 'running':
        add('run.started');
        break;
      case 'stopped':
        add('run.started');
        add('run.stopped', ` ${entries}`);
        break;
      case 'finished':
        add('run.started');
        add('run.finished');
        break;
      default:
        add('plan.ended');
    }
  }
  return events;
}

/** Posts events to the endpoints of people, until the signal. Never rejects. */
export async function sendEvents(web: Web, signal: AbortSignal): Promise<void> {
  const { clock, log } = web.deps;
  const looked: Looked = { stopped: new Map(), takenUp: new Set() };
  while (!signal.aborted && web.deps.webhooks !== undefined) {
    await sendNow(web, looked, signal).catch((error: unknown) => log.error({ error }, 'webhooks could not be sent'));
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
}

/**
 * `stopped`: since when runs were seen stopped (Unix ms), by the key of the event. `takenUp`: by endpoint and run, what was under way
 * when this page first looked: something may have happened to it before.
 */
export type Looked = { stopped: Map<string, number>; takenUp: Set<string> };

/** Notes and posts what there is now, and what happened before to runs of which something is new. */
export async function sendNow(web: Web, looked: Looked, signal: AbortSignal): Promise<void> {
  const endpoints = await web.endpoints.list();
  if (endpoints.length === 0) return;
  const events = settled(await eventsNow(web), looked.stopped, web.deps.clock.wallMs());
  await Promise.all(
    endpoints.map((endpoint) => toEndpoint(web, endpoint, { events, takenUp: looked.takenUp }, signal)),
  );
}

/** What is new for an endpoint, oldest first: of each run that something happened to since, also what is over by now. */
async function newFor(web: Web, { id, createdAt }: WebhookEndpoint, { events, takenUp }: Now): Promise<ApiEvent[]> {
  const known = await web.endpoints.known(id);
  const finished = new Set(events.flatMap(({ type, runId }) => (type === 'run.finished' ? [runId] : [])));
  const fresh: ApiEvent[] = [];
  for (const [runId, now] of Map.groupBy(events, (event) => event.runId)) {
    const isUnderWay = now.some(({ type }) => type === 'run.started') && !finished.has(runId);
    const isFirst = isUnderWay && !takenUp.has(`${id} ${runId}`);
    if (isFirst) takenUp.add(`${id} ${runId}`);
    const unknown = now.filter(({ key }) => !known.has(key));
    if (unknown.length === 0 && !isFirst) continue;
    const followed = await web.runs.read(runId);
    const past = (followed === null ? [] : pastEvents(followed)).filter(
      (event) => event.at >= createdAt && !known.has(event.key),
    );
    const keys = new Set(past.map(({ key }) => key));
    fresh.push(...past, ...unknown.filter(({ key }) => !keys.has(key)));
  }
  return fresh;
}

type Now = { events: readonly ApiEvent[]; takenUp: Set<string> };

/** Without runs that were seen stopped for too short a time. */
function settled(events: readonly ApiEvent[], stopped: Map<string, number>, now: number): ApiEvent[] {
  const current = new Set(events.map(({ key }) => key));
  for (const key of stopped.keys()) if (!current.has(key)) stopped.delete(key);
  return events.filter(({ key, type }) => {
    if (type !== 'run.stopped') return true;
    const since = stopped.get(key) ?? now;
    stopped.set(key, since);
    return now - since >= STOPPED_FOR_MS;
  });
}

/** Its person may see payments no more, or is deactivated: nothing is posted. */
async function toEndpoint(web: Web, endpoint: WebhookEndpoint, now: Now, signal: AbortSignal) {
  const { people, endpoints, deps } = web;
  const { id, url, secret } = endpoint;
  const person = await people.get(endpoint.personId);
  if (person === null || person.lockedAt !== null || !mayHave(person.roles, 'payments:read')) return;
  for (const { key, type, runId } of await newFor(web, endpoint, now)) {
    const by = { web, person };
    if ((await seenOf(by, runId)) === 'nothing') continue;
    const data = type.startsWith('plan.') ? await shownPlan(by, await planOf(by, runId)) : await shownRun(by, runId);
    const body = { type, timestamp: isoUtc(Math.trunc(deps.clock.wallMs())), data };
    await endpoints.note(id, key, JSON.stringify(body));
  }
  for (const due of await endpoints.due(id)) {
    // Names and amounts may have been hidden from them since it was noted.
    const isSeen = (await seenOf({ web, person }, due.key.split(' ')[1] ?? '')) === 'all' || !hasFile(due.body);
    if (!isSeen || signal.aborted || deps.webhooks === undefined || !(await endpoints.claim(id, due))) continue;
    const webhook = { id: `${due.key}_${id}`.replaceAll(/[^A-Za-z0-9-]/g, '_'), url, secret, body: due.body };
    const failure = await deps.webhooks.send(webhook, signal);
    await endpoints.noteTried(id, due.key, failure);
    if (failure !== null) deps.log.warn({ endpoint: id, key: due.key, failure }, 'a webhook was not taken');
  }
}

async function seenOf({ web, person }: Asking, runId: string): Promise<Sees> {
  return web.sight.of(person).ofRun((await web.runs.read(runId))?.run.header ?? null).sees;
}

/** Whether an event names the file of its payment, as for who sees names and amounts. */
function hasFile(body: string): boolean {
  const { data } = z.object({ data: z.object({ file: z.string() }) }).parse(JSON.parse(body));
  return data.file !== UNNAMED;
}
