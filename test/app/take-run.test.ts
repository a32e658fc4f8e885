import { afterEach, expect, it } from 'vitest';
import type { RunDeps } from '../../src/app/run/run-deps.ts';
import { readKnownRun } from '../../src/app/runs/known-run.ts';
import { takeRun } from '../../src/app/worker/take-run.ts';
import { unseen } from '../../src/compose/machine/notifying.ts';
import type { Entry } from '../../src/domain/entry.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { endDigest } from '../../src/notify/run-notices.ts';
import { sqlitePlace } from '../journal/open-sqlite.ts';
import { sampleHeader } from '../journal/samples.ts';
import { opened } from '../journal/suite/places.ts';

const place = sqlitePlace();
afterEach(() => place.remove());

const COUNTS = { completed: 0, failed: 0, rejected: 0, unresolved: 0, not_submitted: 0 };
const FINISHED: Entry = { kind: 'finished', counts: COUNTS };
const ON_FINISHED: Entry = {
  kind: 'notify',
  notify: { on: ['finished'], email: null, webhook: { url: 'https://x.example', secret: 'env:X' }, remittance: null },
};

/** Where a run goes on there is no service: that it does is seen by that. */
const GOES_ON = { outcome: 'refused', reason: { code: 'workers_need_service' } };

const ONLY_REPORTED = {
  outcome: { outcome: 'executed', executed: { ending: 'ok', end: { end: 'finished' } } },
  reports: ['report.csv'],
  isUnchanged: true,
};

async function taken(journal: Journal) {
  const reports: string[] = [];
  const deps = {
    journal,
    clock: { wallMs: () => 0 },
    isSeen: true,
    advice: async () => null,
    reportDir: 'reports',
    async report() {
      reports.push('report.csv');
      return reports;
    },
    watch: () => unseen(new AbortController().signal),
    wayOf() {
      throw new Refusal({ code: 'workers_need_service' });
    },
  } as unknown as RunDeps;
  const queued = { runId: 'R1', task: { person: null, resubmitAbsent: false } };
  const before = await journal.head('R1');
  const outcome = await takeRun(deps, { ...queued, queuedAt: 0, tries: 0, dueAt: 0, isDue: true, why: null });
  return { outcome, reports, isUnchanged: (await journal.head('R1'))?.hash === before?.hash };
}

it('of a run that its last worker finished, only the report is written; one that is not over goes on', async () => {
  const journal = await place.open();
  const created = await journal.createRun({ header: sampleHeader('R1'), rows: [], refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error(created.outcome);
  const { writer } = created;
  expect((await taken(journal)).outcome).toMatchObject(GOES_ON);
  await writer.append([FINISHED]);
  expect(await taken(journal)).toMatchObject(ONLY_REPORTED);
  // Where somebody is still to be notified, nobody would be without going on.
  await writer.append([ON_FINISHED]);
  expect((await taken(journal)).outcome).toMatchObject(GOES_ON);
  const of = endDigest({ run: await readKnownRun(journal, 'R1'), event: 'finished', exit: 0 });
  await writer.append([{ kind: 'notified', event: 'finished', of }]);
  await writer.release();
  expect(await taken(journal)).toMatchObject(ONLY_REPORTED);
  // Somebody has taken it up since, to look again at what was left open.
  await (await opened(journal)).release();
  expect((await taken(journal)).outcome).toMatchObject(GOES_ON);
});
