import { describe, expect, it } from 'vitest';
import type { PlacedEntry } from '../../../src/domain/entry.ts';
import { type Journal, JournalDamaged } from '../../../src/journal/journal.ts';
import type { Place, Tamper } from '../place.ts';
import { sampleHeader, samplePlan, sampleRows } from '../samples.ts';
import { placesOf } from './places.ts';
import { hashAfter } from './tamperings.ts';

/** As the sample of a run that was planned and started: created, lease, rows, planned, started. */
const STARTED = 5;

type Edit = { what: string; edit(tamper: Tamper): Promise<void>; isSeen?: true };

/** What somebody can do to the journal so that a run is forgotten, and its file paid again. */
const EDITS: Edit[] = [
  { what: 'is said to wait to be started', edit: (tamper) => tamper.setRun('R2', 'is_planned', 1) },
  { what: 'is given another input', edit: (tamper) => tamper.setRun('R2', 'input_sha256', 'b'.repeat(64)) },
  { what: 'is given no period', edit: (tamper) => tamper.setRun('R2', 'job_period', null) },
  { what: 'is given another time', edit: (tamper) => tamper.setRun('R2', 'created_at', 1) },
  { what: 'has no start any more', edit: (tamper) => tamper.deleteEntry('R2', STARTED), isSeen: true },
  {
    what: 'has a start that is called something else',
    edit: (tamper) => tamper.setEntry('R2', STARTED, { kind: 'rows' }),
    isSeen: true,
  },
  {
    what: 'has no start any more and ends before it',
    isSeen: true,
    async edit(tamper) {
      await tamper.deleteEntry('R2', STARTED);
      await tamper.setRun('R2', 'head_n', STARTED - 1);
    },
  },
  { what: 'was created with another input', edit: (tamper) => editHeader(tamper, false), isSeen: true },
  { what: 'was created with another input, hash and all', edit: (tamper) => editHeader(tamper, true), isSeen: true },
  { what: 'is deleted', edit: (tamper) => tamper.deleteRun('R2'), isSeen: true },
];

async function editHeader(tamper: Tamper, isHashed: boolean): Promise<void> {
  const first = await tamper.entry('R2', 1);
  const data = String(first.data).replace(INPUT, 'other').replace('2026-11', '2026-10');
  const hash = isHashed ? { hash: Buffer.from(hashAfter(null, { ...first, data }, 'R2'), 'hex') } : {};
  await tamper.setEntry('R2', 1, { data, ...hash });
}

const INPUT = 'same';

async function create(journal: Journal, runId: string, input: string, period = '2026-11') {
  const header = { ...sampleHeader(runId, input), job: 'payroll', period };
  const planned = { kind: 'planned' as const, plan: samplePlan(header) };
  const rows = [sampleRows(3), planned, { kind: 'started' as const, by: 'anna' }];
  return journal.createRun({ header, rows, refuseRepeat: true });
}

export function decideSuite(make: () => Place): void {
  const newPlace = placesOf(make);

  async function threeRuns() {
    const place = newPlace();
    const journal = await place.open();
    for (const [runId, input, period] of [
      ['R1', 'first', '2026-09'],
      ['R2', INPUT, '2026-11'],
      ['R3', 'last', '2026-12'],
    ] as const) {
      const creating = await create(journal, runId, input, period);
      if (creating.outcome === 'created') await creating.writer.release();
    }
    return { place, journal };
  }

  describe('a run that', () => {
    it.each(EDITS)('$what still forbids another of its file and its period', async ({ edit, isSeen = false }) => {
      const { place, journal } = await threeRuns();
      await edit(place.tamper);
      for (const [input, period] of [
        [INPUT, '2027-01'],
        ['another', '2026-11'],
      ] as const) {
        const creating = create(journal, 'R4', input, period);
        if (isSeen) await expect(creating).rejects.toThrow(JournalDamaged);
        else expect(await creating).toEqual({ outcome: 'repeats', runId: 'R2' });
      }
      if (isSeen) return;
      expect(await journal.runsOfInput(INPUT)).toMatchObject([{ run_id: 'R2', isPlanned: false }]);
      expect(await journal.runsOfPeriod('payroll', '2026-11')).toMatchObject([{ run_id: 'R2' }]);
      expect(await journal.startedRuns()).toBe(3);
      expect((await journal.listRuns(2))[1]?.created_at).toBe((await journal.listRuns(2))[0]?.created_at);
      expect(await journal.verifyRun('R2')).toMatchObject({ ok: false });
    });

    it('is a plan and is said to have been started can be started all the same, once', async () => {
      const place = newPlace();
      const journal = await place.open();
      const header = sampleHeader('R1', INPUT);
      const rows = [sampleRows(3), { kind: 'planned' as const, plan: samplePlan(header) }];
      const creating = await journal.createRun({ header, rows, refuseRepeat: true });
      if (creating.outcome !== 'created') throw new Error(creating.outcome);
      await place.tamper.setRun('R1', 'is_planned', 0);
      expect(await journal.listRuns(1)).toMatchObject([{ isPlanned: true }]);
      expect(await creating.writer.start({ by: 'anna', refuseRepeat: true })).toMatchObject({ outcome: 'started' });
      await expect(creating.writer.start({ by: 'anna', refuseRepeat: true })).rejects.toThrow(/no plan that waits/);
    });
  });

  describe('the journal as a whole', () => {
    it('names the end of each run, and the hash of each entry', async () => {
      const { place, journal } = await threeRuns();
      const heads = await journal.heads();
      expect(heads.map(({ runId, n }) => [runId, n])).toEqual([
        ['R1', STARTED],
        ['R2', STARTED],
        ['R3', STARTED],
      ]);
      for (const { runId, n, hash } of heads) expect(await journal.hashAt(runId, n)).toBe(hash);
      const { hash } = await place.tamper.entry('R2', 2);
      expect(await journal.hashAt('R2', 2)).toBe(Buffer.from(hash as Uint8Array).toString('hex'));
      expect([await journal.hashAt('R2', STARTED + 1), await journal.hashAt('R9', 1)]).toEqual([null, null]);
      expect(await journal.faults()).toEqual([]);
    });

    it('gives single entries of a run, each proven by the one before it', async () => {
      const { place, journal } = await threeRuns();
      const wanted: PlacedEntry[] = [];
      for await (const page of journal.readRun('R2')) wanted.push(...page.filter(({ n }) => n === 1 || n === STARTED));
      expect(await journal.entriesAt('R2', [STARTED, 1, STARTED + 1])).toEqual(wanted);
      expect([await journal.entriesAt('R2', []), await journal.entriesAt('R9', [1])]).toEqual([[], []]);
      const { data } = await place.tamper.entry('R2', STARTED);
      await place.tamper.setEntry('R2', STARTED, { data: `${String(data)} ` });
      await expect(journal.entriesAt('R2', [STARTED])).rejects.toThrow(JournalDamaged);
      expect(await journal.entriesAt('R2', [1])).toHaveLength(1);
    });

    it('says that runs were deleted from it', async () => {
      const { place, journal } = await threeRuns();
      await place.tamper.deleteRun('R1');
      await place.tamper.deleteRun('R2');
      expect(await journal.faults()).toEqual([{ code: 'runs_deleted', runs: 2 }]);
    });
  });
}
