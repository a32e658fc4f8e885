import { describe, expect, it } from 'vitest';
import type { Journal, RunWriter } from '../../../src/journal/journal.ts';
import { entriesIn } from '../../../src/journal/pages.ts';
import { openJournal } from '../../../src/journal/sqlite/open.ts';
import { machineRandomness } from '../../../src/platform/machine.ts';
import { type Database, openDatabase } from '../../../src/platform/sqlite.ts';
import { sqlitePlace } from '../open-sqlite.ts';
import { anotherProcess, ManualClock } from '../place.ts';
import { sampleHeader, samplePlan, sampleRows } from '../samples.ts';
import { placesOf } from '../suite/places.ts';

const newPlace = placesOf(sqlitePlace) as () => ReturnType<typeof sqlitePlace>;

/** What one process does of a plan. */
const READS: Record<string, (journal: Journal, runId: string) => unknown> = {
  listRuns: (journal) => journal.listRuns(9),
  listStartedRuns: (journal) => journal.listStartedRuns(9),
  runsOfInput: (journal, runId) => journal.runsOfInput(headerOf(runId).input.sha256),
  runsOfPeriod: (journal) => journal.runsOfPeriod('payroll', '2026-11'),
  jobHolder: (journal) => journal.jobHolder('payroll'),
  holder: (journal, runId) => journal.holder(runId),
  head: (journal, runId) => journal.head(runId),
  readRun: (journal, runId) => entriesIn(journal.readRun(runId)),
  readKinds: (journal) => entriesIn(journal.readKinds(['lease_taken', 'started'])),
  payoutsOf: (journal, runId) => journal.payoutsOf(runId),
  verifyRun: async (journal, runId) => expect(await journal.verifyRun(runId)).toMatchObject({ ok: true }),
  faults: async (journal) => expect(await journal.faults()).toEqual([]),
  openRun: (journal, runId) => journal.openRun(runId),
};

/** What another process writes of it meanwhile; each is written before it returns. */
const WRITES: Record<string, (journal: Journal, writer: RunWriter) => Promise<unknown>> = {
  'takes its lease again': (journal, { runId }) => journal.openRun(runId),
  'starts it': (_, writer) => writer.start({ by: 'anna@desk-7', refuseRepeat: true }),
};

describe.each(Object.keys(WRITES))('while another process %s, between any two statements', (change) => {
  it.each(Object.keys(READS))('the journal is read as it was at one moment: %s', async (name) => {
    for (let at = 0, isPast = false; !isPast; at++) {
      const { path } = newPlace();
      let between = () => {};
      const reader = openAt(path, 1, (file) => watched(openDatabase(file), () => between()));
      // It does not wait where the reader has the write lock: then it writes nothing.
      const other = openAt(path, 2, (file) => openDatabase(file, { timeoutMs: 0 }));
      const writer = await newPlan(other, 'R1');
      let left = at;
      between = () => {
        if (left-- === 0) void WRITES[change]?.(other, writer).catch(() => {});
      };
      try {
        await READS[name]?.(reader, 'R1');
      } catch (error) {
        throw new Error(`${name}, after ${at} statements`, { cause: error });
      } finally {
        await reader.close();
        await other.close();
      }
      isPast = left >= 0;
    }
  });
});

function headerOf(runId: string) {
  return { ...sampleHeader(runId, runId), job: 'payroll', period: '2026-11' };
}

async function newPlan(journal: Journal, runId: string): Promise<RunWriter> {
  const header = headerOf(runId);
  const rows = [sampleRows(3), { kind: 'planned' as const, plan: samplePlan(header) }];
  const created = await journal.createRun({ header, rows, refuseRepeat: false });
  if (created.outcome !== 'created') throw new Error(created.outcome);
  return created.writer;
}

function openAt(path: string, pid: number, openWith: (path: string) => Database): Journal {
  return openJournal({
    path,
    clock: new ManualClock(),
    randomness: machineRandomness,
    process: anotherProcess(pid),
    isAlive: () => false,
    openDatabase: openWith,
  });
}

/** The database; `before` is called before each statement that it carries out. */
function watched(database: Database, before: () => void): Database {
  const after = <Result>(statement: () => Result): Result => {
    before();
    return statement();
  };
  return {
    exec: (sql) => after(() => database.exec(sql)),
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (...values) => after(() => statement.run(...values)),
        get: (...values) => after(() => statement.get(...values)),
        all: (...values) => after(() => statement.all(...values)),
      };
    },
  };
}
