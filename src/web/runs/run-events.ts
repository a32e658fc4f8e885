import { Buffer } from 'node:buffer';
import { Hono } from 'hono';
import { Places } from '../once.ts';
import type { Person } from '../people/people.ts';
import { requireRole } from '../require-role.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import type { Watching } from './followed-runs.ts';
import { ACTING, hasOneOf, noSuchRun, SEEING } from './found-run.ts';
import type { WatchSnapshot } from './snapshot.ts';
import { livePart } from './watch-page.ts';

/** Runs that one person watches at once, in all tabs of all their browsers. */
const STREAMS_MAX = 12;
/** Proxies cut a stream that is quiet for longer. */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ': still here\n\n';
const ROWS = 'event: rows\ndata: rows\n\n';
const OVER = 'event: over\ndata: over\n\n';

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // For proxies that gather what they pass on.
  'x-accel-buffering': 'no',
};

/**
 * How a run goes, as server-sent events: a message without a name is the part of the page that is exchanged, `rows` says
 * that rows have changed, `over` that nothing more comes and the page is to be asked for again. A browser that reads slowly
 * misses what was in between: the next event is made only when the last was taken.
 */
export function runEventRoutes(): Hono<WebEnv> {
  const app = new Hono<WebEnv>();
  const streams = new Places(STREAMS_MAX);
  app.get('/runs/:run/events', requireRole(...SEEING), async (context) => {
    const { web, person } = signedIn(context);
    // Taken before anything is awaited: other tabs ask at the same moment.
    const leave = streams.enter(person.id);
    if (leave === null) return context.text('Close another page that watches a run.\n', 429, { 'retry-after': '30' });
    let watching: Watching | null = null;
    try {
      watching = await web.runs.watch(context.req.param('run'));
    } finally {
      if (watching === null) leave();
    }
    if (watching === null) return noSuchRun(context);
    return context.body(eventStream(context, watching, leave), 200, HEADERS);
  });
  return app;
}

function eventStream(context: WebContext, watching: Watching, leave: () => void): ReadableStream<Uint8Array> {
  const events = eventsOf(context, watching);
  let isOpen = true;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    watching.leave();
    leave();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await events.next();
        if (!isOpen) return;
        if (!done) return controller.enqueue(Buffer.from(value));
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

async function* eventsOf(context: WebContext, watching: Watching): AsyncGenerator<string> {
  const { web, session } = signedIn(context);
  const runId = context.req.param('run') ?? '';
  let shown = '';
  let shownN = -1;
  let sentAt = web.deps.clock.monotonicMs();
  for (;;) {
    const snapshot = await watching.next();
    // Without an `over` the browser asks again, until the page is there again.
    if (web.stopping.signal.aborted) return;
    const person = web.people.get(session.personId);
    if (snapshot === null || !web.sessions.isOpen(session) || !isSeeing(person)) return yield OVER;
    const going = web.runTasks.going(runId);
    const refused = await web.runTasks.refusal(runId);
    const part = String(livePart({ runId, snapshot, going, refused, mayAct: hasOneOf(person, ACTING) }));
    const now = web.deps.clock.monotonicMs();
    if (part !== shown) {
      yield `${dataOf(part)}${snapshot.n === shownN ? '' : ROWS}`;
      [shown, shownN, sentAt] = [part, snapshot.n, now];
    } else if (now - sentAt >= HEARTBEAT_MS) {
      yield HEARTBEAT;
      sentAt = now;
    }
    if (snapshot.phase === 'finished' || isNotStarted(snapshot, going)) return yield OVER;
  }
}

/** Roles are taken and people are locked out while they watch. */
function isSeeing(person: Person | null): person is Person {
  return person !== null && person.lockedAt === null && hasOneOf(person, SEEING);
}

/** A plan that was to be started and was not: the page of the plan says why. */
function isNotStarted({ isStarted, phase }: WatchSnapshot, going: string | null): boolean {
  return !isStarted && phase === 'planned' && going === null;
}

function dataOf(text: string): string {
  const lines = text.split('\n').map((line) => `data: ${line}\n`);
  return `${lines.join('')}\n`;
}
