import { expect, test } from 'vitest';
import type { Calls } from '../../src/app/background/calls.ts';
import type { Entry } from '../../src/domain/entry.ts';
import type { RunWriter } from '../../src/journal/journal.ts';
import { planExtras } from '../../src/web/plans/plan-view.ts';
import { LINGER_MS } from '../../src/web/runs/followed-runs.ts';
import { sampleHeader, sampleIntent, samplePlan, sampleRow } from '../journal/samples.ts';
import { shownNpp } from './shown-account.ts';
import { type Browser, openPage, PASSWORD, type TestPage } from './web-page.ts';

const RUN_WHOLE = { name: 'run' as const, onlyValid: false, allowRepeat: [] };

const RUN = 'R20261125-7K3M9QZ2';

test('two browsers that ask for a run in the same moment are given one reading of it', async () => {
  const page = await openPage({ isAlive: () => true });
  await startedRun(page, 20);
  const follow = countFollows(page);
  const [one, other] = await Promise.all([page.web.runs.read(RUN), page.web.runs.read(RUN)]);
  expect(one).toBe(other);
  expect([follow.count, page.web.runs.load.runs]).toEqual([1, 1]);
});

test('two browsers that watch one run are told the same truth, of one reading, until it is over', async () => {
  const page = await openPage({ isAlive: () => true });
  const writer = await startedRun(page, 200);
  const follow = countFollows(page);
  const [anna, vera] = [await page.first('Anna', ['preparer']), await page.person('Vera', ['viewer'])];
  const streams = [await watch(page, anna), await watch(page, vera)];
  await Promise.all(streams.map((stream) => stream.read()));
  expect(page.web.runs.load).toEqual({ runs: 1, viewers: 2 });

  await writer.append([...sent(2), ...sent(3), sampleIntent(4)]);
  await page.clock.pass(600);
  const texts = [];
  for (const stream of streams) texts.push(await stream.read());
  for (const text of texts) {
    expect(text).toContain('<data id="sent-count" value="2">');
    expect(text).toContain('<span>sending</span> <b>3</b>');
    expect(text).toContain('event: rows');
  }
  // Who only looks has nothing to press.
  expect([texts[0]?.includes('Stop…'), texts[1]?.includes('Stop…')]).toEqual([true, false]);

  await writer.append([...final(2), ...final(3), { kind: 'cancelled', by: 'anna' }]);
  await writer.append([{ kind: 'doubt', row: 4, attempt: 1, reason: 'lost' }, finished()]);
  const ends = await Promise.all(streams.map((stream) => stream.rest()));
  for (const text of ends) {
    expect(text).toContain('<span>completed</span> <b>2</b>');
    expect(text.endsWith('event: over\ndata: over\n\n')).toBe(true);
  }
  expect(follow.count).toBe(1);
  await page.clock.pass(LINGER_MS + 1_000);
  expect(page.web.runs.load).toEqual({ runs: 0, viewers: 0 });
});

test('a browser that leaves takes everything with it, and one that is slow is given the newest and no queue', async () => {
  const page = await openPage({ isAlive: () => true });
  const writer = await startedRun(page, 10);
  const anna = await page.first('Anna', ['preparer']);
  const stream = await watch(page, anna);
  await stream.read();
  for (const row of [2, 3, 4, 5]) {
    await writer.append(sent(row));
    await page.clock.pass(1_000);
  }
  expect(await stream.read()).toContain('<data id="sent-count" value="4">');
  await stream.leave();
  expect(page.web.runs.load.viewers).toBe(0);
  await page.clock.pass(LINGER_MS + 1_000);
  expect(page.web.runs.load.runs).toBe(0);
});

test('a stream ends with its session, and one person has so many in all browsers and no more', async () => {
  const page = await openPage({ isAlive: () => true });
  await startedRun(page, 1);
  const anna = await page.first('Anna', ['preparer']);
  const streams = [];
  const elsewhere = page.browser();
  await elsewhere.post('/sign-in', { name: 'Anna', password: PASSWORD });
  for (let at = 0; at < 12; at++) streams.push(await watch(page, at < 6 ? anna : elsewhere));
  for (const browser of [anna, elsewhere]) expect((await browser.get(`/runs/${RUN}/events`)).status).toBe(429);
  const bea = await page.person('Bea', ['viewer']);
  await (await watch(page, bea)).leave();
  for (const stream of streams.slice(1)) await stream.leave();
  await (await watch(page, anna)).leave();

  await streams[0]?.read();
  await page.web.sessions.endOf((await page.web.people.byName('Anna'))?.id ?? '');
  expect(await streams[0]?.rest()).toBe('event: over\ndata: over\n\n');
  expect(page.web.runs.load.viewers).toBe(0);
});

test('a stream shows what the roles of now allow, and ends when none is left that sees', async () => {
  const page = await openPage({ isAlive: () => true });
  const writer = await startedRun(page, 3);
  const anna = await page.first('Anna', ['preparer']);
  const id = (await page.web.people.byName('Anna'))?.id ?? '';
  const stream = await watch(page, anna);
  expect(await stream.read()).toContain('Stop…');
  await page.web.people.setRoles(id, ['viewer']);
  await writer.append(sent(2));
  expect(await stream.read()).not.toContain('Stop…');
  await page.web.people.setRoles(id, ['administrator']);
  await writer.append(sent(3));
  expect(await stream.rest()).toBe('event: over\ndata: over\n\n');
});

test('who looks reads who else does, once for all of their tabs, and those who left or may not see it are not named', async () => {
  const page = await openPage({ isAlive: () => true });
  await startedRun(page, 3);
  const anna = await page.first('Anna', ['preparer']);
  const [vera, olga] = [await page.person('Vera', ['viewer']), await page.person('Olga', ['administrator'])];
  const stream = await watch(page, vera);
  expect(await stream.read()).not.toContain('viewing');
  expect((await olga.get(`/runs/${RUN}/events`)).status).toBe(403);
  const [one, two] = [await watch(page, anna), await watch(page, anna)];
  expect(await one.read()).toContain('Vera is viewing');
  await two.read();
  expect(await stream.read()).toContain('>Anna is viewing<');
  await one.leave();
  const bea = await watch(page, await page.person('Bea', ['approver']));
  expect(await bea.read()).toContain('Anna and Vera are viewing');
  expect(await stream.read()).toContain('Anna and Bea are viewing');
  await two.leave();
  expect(await stream.read()).toContain('>Bea is viewing<');
  for (const left of [bea, stream]) await left.leave();
});

test('what many look at is asked once: the proof of a journal, and what a plan has to do with earlier runs', async () => {
  const asked: string[] = [];
  const calls: Partial<Calls> = {
    async comparePlan(runId) {
      asked.push(`comparePlan ${runId}`);
      await new Promise<void>((resolve) => setImmediate(resolve));
      return null;
    },
    async verifyRun(runId) {
      asked.push(`verifyRun ${runId}`);
      await new Promise<void>((resolve) => setImmediate(resolve));
      return { outcome: 'unknown_run' };
    },
  };
  const page = await openPage({ isAlive: () => true, calls });
  await startedRun(page, 3);
  const followed = await page.web.runs.read(RUN);
  if (followed === null) throw new Error('no run');
  await Promise.all([1, 2, 3].map(() => planExtras(page.web, followed)));
  expect(asked).toEqual([`comparePlan ${RUN}`]);
  const anna = await page.first('Anna', ['preparer']);
  await page.clock.until(Promise.all([1, 2, 3].map(() => anna.get(`/runs/${RUN}/audit`))));
  expect(asked).toEqual([`comparePlan ${RUN}`, `verifyRun ${RUN}`]);
});

test('rows are found by state, by text and by page, and nowhere is an account number', async () => {
  const page = await openPage({ isAlive: () => true });
  const writer = await startedRun(page, 120);
  await writer.append([...sent(70), ...sent(71), sampleIntent(72)]);
  await page.first('Anna');
  const vera = await page.person('Vera', ['viewer']);
  const rows = async (asked: string) => (await vera.get(`/runs/${RUN}/rows${asked}`, { 'hx-request': 'true' })).text;
  // As often as the counts above them, else both say different things.
  expect((await vera.get(`/runs/${RUN}`)).text).toContain('hx-trigger="rows from:#live"');
  expect(await rows('?q=payee')).toContain('hx-trigger="rows from:#live throttle:2s"');

  expect(shownRows(await rows(''))).toEqual(Array.from({ length: 50 }, (_, at) => at + 2));
  expect(shownRows(await rows('?page=3'))).toEqual(Array.from({ length: 20 }, (_, at) => at + 102));
  expect(shownRows(await rows('?page=99999'))).toContain(121);
  expect(shownRows(await rows('?state=accepted'))).toEqual([70, 71]);
  expect(shownRows(await rows('?state=accepted&q=TX_71'))).toEqual([71]);
  expect(shownRows(await rows('?q=e119'))).toEqual([119]);
  // Its id is no name: it stands under Verification.
  expect((await vera.get(`/runs/${RUN}`)).text).not.toContain(`>${RUN}<`);
  expect(await rows('?q=<b>nobody')).toContain('No row matches.');
  expect(shownRows(await rows('?state=nonsense'))).toHaveLength(50);
  // What people choose by a click, with its count above the rows; both are exchanged together.
  expect(shownRows(await rows('?state=under_way'))).toEqual([70, 71, 72]);
  expect(shownRows(await rows('?state=not_sent&page=3'))).toEqual(Array.from({ length: 17 }, (_, at) => at + 105));
  const chips = (text: string) =>
    Array.from(text.matchAll(/>([A-Z][a-z ]+) <b>(\d+)<\/b><\/a>/g), ([, ...chip]) => chip);
  await writer.append([{ kind: 'doubt', row: 72, attempt: 1, reason: 'lost' }]);
  const narrowed = await rows('?state=attention&columns=transaction+row');
  expect(narrowed).toContain('id="rows-narrowing" hx-swap-oob="outerMorph"');
  expect(chips(narrowed)).toEqual([
    ['All', '120'],
    ['Needs attention', '1'],
    ['Sending', '2'],
    ['Not sent', '117'],
  ]);
  expect(narrowed).toContain('Transaction</th>');
  const attended = (await vera.get(`/runs/${RUN}`)).text;
  expect(shownRows(attended)).toEqual([72]);
  expect(attended).toContain('Sent, no answer yet. payrun checks what became of it.');
  for (const page of ['0', '-1', '1.5', 'x', '1e3', '99999999'])
    expect((await vera.get(`/runs/${RUN}/rows?page=${page}`)).status).toBe(400);

  const whole = (await vera.get(`/runs/${RUN}`)).text;
  for (const text of [whole, await rows('')]) {
    expect(text).toContain(shownNpp('5678'));
    expect(text).not.toContain('12345678');
  }
  expect(whole).not.toContain('href="/runs/R20261125-7K3M9QZ2/cancel"');
  expect((await vera.post(`/runs/${RUN}/cancel`)).status).toBe(403);
  expect((await vera.post(`/runs/${RUN}/resume`)).status).toBe(403);
  expect((await vera.get('/runs/R20261125-00000000')).status).toBe(404);
});

test.each<[string, Entry[], boolean]>([
  ['cut off in the middle', [], true],
  ['left because the service was away', [{ kind: 'stopped', reason: 'outage' }], true],
  ['interrupted by a person', [{ kind: 'stopped', reason: 'interrupted' }], false],
  ['stopped by the breaker', [{ kind: 'stopped', reason: 'person_needed', message: 'too many failed' }], false],
  ['cancelled', [{ kind: 'cancelled', by: 'anna' }], false],
  ['paused', [{ kind: 'paused', by: 'anna' }], false],
  [
    'paused and then resumed',
    [
      { kind: 'paused', by: 'anna' },
      { kind: 'resumed', by: 'anna' },
    ],
    true,
  ],
])(
  'of the runs that the page started, one that was %s goes on by itself when the page starts, or waits',
  async (_, entries, goesOn) => {
    let alive = true;
    const started: string[] = [];
    const work =
      (what: string) =>
      async ({ runId }: { runId: string }) => {
        started.push(`${what} ${runId}`);
        return { outcome: 'done' as const, value: { exit: 0, halted: null } };
      };
    const page = await openPage({ isAlive: () => alive, tasks: { run: work('run'), resume: work('resume') } });
    const writer = await startedRun(page, 3);
    const anna = await page.first('Anna', ['preparer']);
    const person = (await page.web.people.byName('Anna'))?.id ?? '';
    await page.clock.until(page.web.runTasks.start({ runId: RUN, act: 'started', task: RUN_WHOLE, person }));
    await writer.append([...sent(2), ...entries]);
    started.length = 0;

    // Whoever holds it still may yet be cut off.
    const resuming = page.web.runTasks.resumeCutOff();
    await page.clock.pass(5_000);
    expect(started).toEqual([]);
    alive = false;
    await page.clock.until(resuming);
    expect(started).toEqual(goesOn ? [`resume ${RUN}`] : []);
    const acts = (await page.web.audit.list({ runId: RUN })).map(({ act, person: by }) => [act, by]);
    expect(acts).toEqual([...(goesOn ? [['resumed_by_itself', null]] : []), ['started', person]]);

    const text = (await anna.get(`/runs/${RUN}`)).text;
    expect(text).toContain('Go on');
    const isCancelled = entries.some(({ kind }) => kind === 'cancelled');
    expect(text.includes('Stop…')).toBe(!isCancelled);
    expect(text.includes('Pay the remaining 2…</a>')).toBe(!isCancelled);
    const remaining = await anna.get(`/runs/${RUN}/remaining`);
    expect(remaining.status).toBe(isCancelled ? 303 : 200);
    if (isCancelled) return;
    expect(remaining.text).toContain(
      `action="/runs/${RUN}/resume"><button class="primary">Pay the remaining 2</button>`,
    );
    expect(remaining.text).toMatch(/<strong>2<\/strong> will be sent[\s\S]+<strong>1<\/strong> may already have left/);
  },
);

test('a stop while the run is taken up again is asked for, and what else is pressed meanwhile is said to be undone', async () => {
  const started: string[] = [];
  const resume = ({ runId }: { runId: string }) => {
    started.push(`resume ${runId}`);
    return new Promise<never>(() => {});
  };
  const page = await openPage({ tasks: { resume } });
  await startedRun(page, 3);
  const anna = await page.first('Anna', ['preparer']);
  const person = (await page.web.people.byName('Anna'))?.id ?? '';
  const resuming = page.web.runTasks.start({ runId: RUN, act: 'resumed', task: { name: 'resume' }, person });
  expect((await anna.post(`/runs/${RUN}/cancel`)).status).toBe(303);
  expect(await page.journal.cancelAsked(RUN)).toBe('Anna on the page (account payrun@desk-7)');
  expect((await page.web.audit.list({ runId: RUN })).map(({ act }) => act)).toEqual(['cancelled', 'resumed']);
  expect((await anna.post(`/runs/${RUN}/resume`)).status).toBe(303);
  const other = { runId: RUN, act: 'started', task: RUN_WHOLE, person };
  expect(await page.web.runTasks.start(other)).toBe('resumed');
  expect(started).toEqual([`resume ${RUN}`]);
  await page.clock.until(resuming);
});

/** A run that was planned and started, and that a process of this test holds. */
async function startedRun({ journal }: TestPage, rows: number): Promise<RunWriter> {
  const header = { ...sampleHeader(RUN), payouts: rows };
  const all = Array.from({ length: rows }, (_, at) => sampleRow(at + 2));
  const entries: Entry[] = [];
  for (let at = 0; at < rows; at += 100) entries.push({ kind: 'rows', rows: all.slice(at, at + 100) });
  entries.push({ kind: 'planned', plan: samplePlan(header) }, { kind: 'started', by: 'anna@desk-7' });
  const created = await journal.createRun({ header, rows: entries, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error('the run was not created');
  return created.writer;
}

function sent(row: number): Entry[] {
  return [sampleIntent(row), { kind: 'accepted', row, attempt: 1, transaction_id: `tx_${row}`, by: 'answer' }];
}

function final(row: number): Entry[] {
  const currency = { code: 'AUD', chain: null, decimals: 2 };
  return [
    {
      kind: 'final',
      row,
      transaction_id: `tx_${row}`,
      status: 'COMPLETED',
      code: null,
      message: null,
      sent_minor: '1234',
      sent_currency: currency,
      received_minor: '1234',
      received_currency: currency,
      fees_minor: '0',
    },
  ];
}

function finished(): Entry {
  return { kind: 'finished', counts: { completed: 2, failed: 0, rejected: 0, unresolved: 198, not_submitted: 0 } };
}

function countFollows({ journal }: TestPage): { count: number } {
  const counted = { count: 0 };
  const followRun = journal.followRun.bind(journal);
  journal.followRun = (runId) => {
    counted.count++;
    return followRun(runId);
  };
  return counted;
}

function shownRows(text: string): number[] {
  return Array.from(text.matchAll(/title="Row (\d+)"/g), ([, row]) => Number(row));
}

/** The events of the run as a browser gets them, while time passes. */
async function watch(page: TestPage, { cookie }: Browser) {
  const headers = { cookie, 'accept-encoding': 'gzip' };
  const answer = await page.app.fetch(new Request(new URL(`/runs/${RUN}/events`, page.origin), { headers }), {});
  // Compressed, events would wait until there are many.
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const reader = answer.body?.getReader();
  if (reader === undefined) throw new Error('no stream');
  const decoder = new TextDecoder();
  const read = async (): Promise<string | null> => {
    const { done, value } = await page.clock.until(reader.read());
    return done ? null : decoder.decode(value);
  };
  return {
    read,
    async rest() {
      let text = '';
      for (let more = await read(); more !== null; more = await read()) text += more;
      return text;
    },
    leave: () => reader.cancel(),
  };
}
