import { Buffer } from 'node:buffer';
import { Hono } from 'hono';
import type { RunState } from '../../domain/run/run-state.ts';
import { t } from '../../messages/translate.ts';
import { asViewer, type Viewer, viewer } from '../../messages/viewer.ts';
import { Places } from '../once.ts';
import { ACTING, hasOneOf, requireRole, SEEING } from '../require-role.ts';
import { RunViewers } from '../run-viewers.ts';
import { paymentName } from '../shell/words.ts';
import { unnamed } from '../sights.ts';
import { signedIn, type WebContext, type WebEnv } from '../web.ts';
import { NOT_DONE } from './counts-page.ts';
import type { WatchSnapshot } from './followed-run.ts';
import { noSuchRun, withoutWords } from './found-run.ts';
import type { Opened } from './live/live-side.ts';
import { nameLine, viewersPart } from './run-head.ts';
import { liveActs, livePart, sidePart } from './watch-page.ts';

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
  const viewers = new RunViewers();
  app.get('/runs/:run/events', requireRole(...SEEING), async (context) => {
    const { web, person } = signedIn(context);
    // Taken before anything is awaited: other tabs ask at the same moment.
    const leave = streams.enter(person.id);
    if (leave === null)
      return context.text(`${t`Close another page that is following a run.`}\n`, 429, { 'retry-after': '30' });
    const gone = new AbortController();
    gone.signal.addEventListener('abort', leave, { once: true });
    let isWatched = false;
    try {
      const runId = context.req.param('run');
      const run = (await web.runs.read(runId))?.run;
      const isSeen = run !== undefined && web.sight.of(person).ofRun(run.header).sees !== 'nothing';
      const looks = isSeen ? await web.runs.watch(runId, gone.signal) : null;
      if (run === undefined || looks === null) return noSuchRun(context);
      isWatched = true;
      gone.signal.addEventListener('abort', viewers.enter(web, runId, person), { once: true });
      const others = () => viewers.others(web, runId, person.id);
      const openedBy = () => viewers.openedByOthers(runId, person.id);
      const events = eventsOf(context, { run, looks, others, openedBy, reader: viewer() });
      return context.body(streamOf(events, gone), 200, HEADERS);
    } finally {
      if (!isWatched) gone.abort();
    }
  });
  return app;
}

/** Nothing is made ahead of the reader. `gone` is aborted when nobody reads any more, or nothing more comes. */
function streamOf(events: AsyncGenerator<string>, gone: AbortController): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await events.next();
        if (gone.signal.aborted) return;
        if (!done) return controller.enqueue(Buffer.from(value));
        gone.abort();
        controller.close();
      },
      async cancel() {
        gone.abort();
        await events.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** `others`: the names of the others who look at it now. */
type Watched = {
  run: RunState;
  looks: AsyncIterable<WatchSnapshot>;
  others(): Promise<string[]>;
  openedBy(): Opened[];
  reader: Viewer;
};

/** Without an `over` at its end the browser asks again, until the page is there again, or its database. */
async function* eventsOf(context: WebContext, watched: Watched): AsyncGenerator<string> {
  const { web } = signedIn(context);
  try {
    yield* partsOf(context, watched);
    if (!web.stopping.signal.aborted) yield OVER;
  } catch (error) {
    web.deps.log.warn({ error, run: context.req.param('run') }, 'a run cannot be watched any more');
  }
}

async function* partsOf(
  context: WebContext,
  { run, looks, others, openedBy, reader }: Watched,
): AsyncGenerator<string> {
  const { web, session } = signedIn(context);
  const { header } = run;
  const runId = context.req.param('run') ?? '';
  let shown = '';
  let shownN = -1;
  let sentAt = web.deps.clock.monotonicMs();
  for await (const snapshot of looks) {
    const person = await web.people.get(session.personId);
    if (web.stopping.signal.aborted || !(await web.sessions.isOpen(session)) || person?.lockedAt !== null) break;
    const { sees, roles } = web.sight.of(person).ofRun(header);
    if (sees === 'nothing') break;
    const [isBrief, mayAct] = [sees === 'counts', hasOneOf({ roles }, ACTING)];
    const going = await web.runTasks.going(runId);
    const why = await asViewer(reader, () => web.runTasks.refusal(runId));
    const seen = isBrief ? { snapshot: withoutWords(snapshot), refused: why && NOT_DONE } : { snapshot, refused: why };
    const named = await others();
    const opened = openedBy();
    const readNow = { ...reader, nowMs: web.deps.clock.wallMs() };
    const part = asViewer(readNow, () => {
      const awaits = web.runTasks.awaited.of(runId);
      const live = { runId, ...seen, going, awaits, mayAct, isBrief };
      const name = header === null ? '' : paymentName(isBrief ? unnamed(header) : header);
      return `${livePart(live)}${nameLine(name, liveActs(live), true)}${viewersPart(named, true)}${sidePart(run, { ...seen, opened, isBrief }, true)}`;
    });
    const now = web.deps.clock.monotonicMs();
    if (part !== shown) {
      yield `${dataOf(part)}${snapshot.n === shownN ? '' : ROWS}`;
      [shown, shownN, sentAt] = [part, snapshot.n, now];
    } else if (now - sentAt >= HEARTBEAT_MS) {
      yield HEARTBEAT;
      sentAt = now;
    }
    if (snapshot.phase === 'finished' || isNotStarted(snapshot, going)) break;
  }
}

/** A plan that was to be started and was not: the page of the plan says why. */
function isNotStarted({ isStarted, phase }: WatchSnapshot, going: string | null): boolean {
  return !isStarted && phase === 'planned' && going === null;
}

function dataOf(text: string): string {
  const lines = text.split('\n').map((line) => `data: ${line}\n`);
  return `${lines.join('')}\n`;
}
