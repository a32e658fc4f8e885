import { expect, test } from 'vitest';
import type { RunWriter } from '../../src/journal/journal.ts';
import { type Looked, sendNow } from '../../src/web/api/events.ts';
import { sampleHeader, samplePlan, sampleRows } from '../journal/samples.ts';
import { openPage, PASSWORD } from './web-page.ts';

const RUN = 'R20261125-7K3M9QZ2';

test('a stop that is over is posted by the page that looks next, and one that was posted is not posted again', async () => {
  const posted: string[] = [];
  const webhooks = {
    mayUse: () => true,
    send: async ({ body }: { body: string }) => {
      posted.push(JSON.parse(body).type);
      return null;
    },
  };
  const page = await openPage({ isAlive: () => true, deps: { webhooks } });
  const ben = await page.first('Ben', ['preparer']);
  await ben.post('/me/webhooks', { url: 'https://erp.test/payrun', current: PASSWORD });
  /** A page that has just been started. */
  const another = (): Looked => ({ stopped: new Map(), takenUp: new Set() });
  const look = async (looked: Looked) => {
    await sendNow(page.web, looked, new AbortController().signal);
    return posted.splice(0).toSorted();
  };
  const takeUp = async (): Promise<RunWriter> => {
    const opened = await page.journal.openRun(RUN);
    if (opened.outcome !== 'opened') throw new Error(opened.outcome);
    return opened.writer;
  };

  const header = sampleHeader(RUN);
  const planned = { kind: 'planned' as const, plan: samplePlan(header) };
  const rows = [sampleRows(3), planned, { kind: 'started' as const, by: 'anna@desk-7' }];
  const created = await page.journal.createRun({ header, rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error(created.outcome);
  await created.writer.append([{ kind: 'stopped', reason: 'outage' }]);
  await created.writer.release();
  await page.clock.pass(60_000);
  const second = await takeUp();
  expect(await look(another())).toEqual(['plan.created', 'run.started', 'run.stopped']);
  expect(await look(another())).toEqual([]);

  // It stops again while the page looks, which waits for half a minute, and goes on while no page does.
  await second.append([{ kind: 'stopped', reason: 'outage' }]);
  await second.release();
  const looked = another();
  expect(await look(looked)).toEqual([]);
  await page.clock.pass(31_000);
  expect(await look(looked)).toEqual(['run.stopped']);
  await page.clock.pass(60_000);
  const third = await takeUp();
  expect(await look(another())).toEqual([]);
  // One process that takes over from another at once was no stop.
  await third.release();
  await page.clock.pass(5_000);
  await (await takeUp()).append([
    { kind: 'finished', counts: { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 3 } },
  ]);
  expect(await look(another())).toEqual(['run.finished']);
});
