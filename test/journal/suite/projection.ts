import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, RunRow } from '../../../src/domain/entry.ts';
import { paidStanding } from '../../../src/domain/run/paid-standing.ts';
import { mayHaveCopy } from '../../../src/domain/run/payout.ts';
import { applyToRun } from '../../../src/domain/run/run.ts';
import type { RunState } from '../../../src/domain/run/run-state.ts';
import { Deposed, type Journal, JournalDamaged, type RunWriter } from '../../../src/journal/journal.ts';
import { entriesIn, foldPages } from '../../../src/journal/pages.ts';
import type { PastPayout } from '../../../src/journal/projections/run-payouts.ts';
import { cases } from '../../support/cases.ts';
import { anyHistory, type Next, nextEntry } from '../any-history.ts';
import { anotherProcess, type Place } from '../place.ts';
import { sampleHeader, sampleIntent, samplePlan, sampleRow, sampleRows } from '../samples.ts';
import { newRun, placesOf } from './places.ts';

/** What the journal keeps of who was paid; null for an unknown run. */
export async function pastOf(journal: Pick<Journal, 'payoutsOf'>, runId = 'R1') {
  const past = await journal.payoutsOf(runId);
  if (past === null) return null;
  const payouts: PastPayout[] = [];
  for await (const page of past.pages()) payouts.push(...page);
  const { isFinished, conversions, completed } = past;
  return { isFinished, conversions, completed, payouts };
}

/** The same as the definition has it: by the fold of all entries, row by row. */
export async function pastByFold(journal: Journal, rows: readonly RunRow[], runId = 'R1') {
  const run = await foldPages(journal.readRun(runId));
  const isFinished = run.finished !== null;
  const payouts = rows.flatMap(({ row, order }): PastPayout[] => {
    const state = run.payouts.get(row)?.state;
    if (order === null || state === undefined) return [];
    const { destination, amount_minor, currency, source, payee } = order;
    const { payee_id, name, email } = payee;
    const kept = { row, destination, amount_minor, currency, source, payee: { payee_id, name, email } };
    return [{ order: kept, state, standing: paidStanding(state, besideOf(run, row), isFinished) }];
  });
  const completed = payouts.filter(({ state }) => state === 'completed').length;
  return { isFinished, conversions: run.plan?.conversions ?? null, completed, payouts };
}

function besideOf({ surfaced, dead }: RunState, row: number) {
  if (surfaced.some((one) => one.row === row)) return 'surfaced';
  return [...dead.values()].some((one) => one.intent.row === row && mayHaveCopy(one)) ? 'copy' : 'nothing';
}

/** What operators watch counts the same payouts, once the run is started. */
async function expectCounted(journal: Journal, payouts: readonly PastPayout[]): Promise<void> {
  const counted = (await journal.figures.read()).modes.rehearsal.payouts;
  const isStarted = (await journal.startedRuns()) > 0;
  const states = isStarted ? payouts.map(({ state }) => (state === 'suspected' ? 'unresolved' : state)) : [];
  const expected = Object.fromEntries(Object.keys(counted).map((state) => [state, 0]));
  for (const state of states) expected[state] = (expected[state] ?? 0) + 1;
  expect(counted).toEqual(expected);
}

const ROWS: RunRow[] = [
  ...[2, 3, 5, 8].map(sampleRow),
  { ...sampleRow(9), order: null, problem: { code: 'bad', message: 'no amount' } },
  { ...sampleRow(10), order: existingAccount() },
];

function existingAccount(): RunRow['order'] {
  const { order } = sampleRow(10);
  const EUR = { code: 'EUR', chain: null, decimals: 2 };
  return order && { ...order, source: EUR, destination: { kind: 'existing', external_account_id: 'ea_9' } };
}

/** A run that is written by one process after another. */
class History {
  readonly place: Place;
  readonly given: Entry[] = [];
  run: RunState;
  journal: Journal;
  writer: RunWriter;
  #processes = 1;

  constructor(place: Place, journal: Journal, writer: RunWriter, run: RunState) {
    this.place = place;
    this.journal = journal;
    this.writer = writer;
    this.run = run;
  }

  async give(entry: Entry): Promise<void> {
    applyToRun(this.run, entry, 1);
    if (entry.kind !== 'started') {
      this.given.push(entry);
      return;
    }
    await this.after('commit');
    const started = await this.writer.start({ by: entry.by, refuseRepeat: false });
    expect(started.outcome).toBe('started');
  }

  async after(next: Next): Promise<void> {
    if (next === 'nothing') return;
    const appended = [this.writer.append(this.given.splice(0))];
    // In the same commit.
    if (next === 'append') appended.push(this.writer.append([]));
    await Promise.all(appended);
    if (next === 'reopen') await this.writer.release();
    if (next === 'read') await entriesIn(this.journal.readRun('R1'));
    if (next === 'reopen' || next === 'take_over' || next === 'stale_writer')
      await this.#passOn(next === 'stale_writer');
  }

  /** Half of those that open a run read it themselves. */
  async #passOn(isReadHere: boolean): Promise<void> {
    const old = this.writer;
    const process = anotherProcess(++this.#processes);
    this.journal = await this.place.open({ process, isAlive: () => false });
    const opened = await this.journal.openRun('R1');
    if (opened.outcome !== 'opened') throw new Error(opened.outcome);
    this.writer = opened.writer;
    if (isReadHere) {
      const refused = await old.append([sampleIntent(2)]).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Deposed);
      this.run = await foldPages(this.journal.readRun('R1'));
    } else this.run = await foldPages((await this.place.open({ process: anotherProcess(999) })).readRun('R1'));
  }
}

export function projectionSuite(create: () => Place): void {
  const newPlace = placesOf(create);

  describe('who was paid', () => {
    it('is what the fold of the entries gives, whatever they are, however they are written, and by whom', async () => {
      const seen = new Set<string>();
      await fc.assert(
        fc.asyncProperty(fc.nat({ max: 3 }), anyHistory, async (kind, steps) => {
          const place = newPlace();
          const journal = await place.open();
          const header = sampleHeader('R1');
          const rows: Entry[] = [
            { kind: 'rows', rows: ROWS.slice(0, 3) },
            { kind: 'rows', rows: ROWS.slice(3) },
            ...(kind === 0 ? [{ kind: 'planned' as const, plan: samplePlan(header) }] : []),
          ];
          const created = await journal.createRun({ header, rows, refuseRepeat: false });
          if (created.outcome !== 'created') throw new Error(created.outcome);
          const run = await foldPages(journal.readRun('R1'));
          const history = new History(place, journal, created.writer, run);
          for (const step of steps) {
            const entry = nextEntry(history.run, step);
            if (entry !== null) await history.give(entry);
            await history.after(step.next);
          }
          await history.after('commit');
          const reader = await place.open({ process: anotherProcess(1_000) });
          const past = await pastOf(reader);
          expect(past).toEqual(await pastByFold(reader, ROWS));
          expect(await reader.verifyRun('R1')).toMatchObject({ ok: true });
          await expectCounted(reader, past?.payouts ?? []);
          for (const { state, standing } of past?.payouts ?? []) seen.add(`${state} ${standing}`);
          for (const one of new Set([journal, history.journal, reader])) await one.close();
          await place.remove();
        }),
        { numRuns: cases(15, 100) },
      );
      // The histories are not all of one kind: fifteen of them end in some eleven.
      expect(seen.size).toBeGreaterThan(5);
    });

    it('is nothing of a run that is unknown', async () => {
      expect(await pastOf(await newPlace().open(), 'R9')).toBeNull();
    });

    it('cannot be told where entries do not follow from one another, and the run is kept as it was written', async () => {
      const journal = await newPlace().open();
      const writer = await newRun(journal);
      await writer.append([{ kind: 'looked', row: 2, attempt: 1, found: 0, complete: true }]);
      await writer.append([sampleIntent(3)]);
      await expect(journal.payoutsOf('R1')).rejects.toThrow(JournalDamaged);
      expect(await journal.verifyRun('R1')).toMatchObject({ ok: true });
    });

    it('is read some hundred rows at a time, one page for each entry of rows', async () => {
      const journal = await newPlace().open();
      const rows = [sampleRows(300), { ...sampleRows(3), rows: [400, 401].map(sampleRow) }];
      await journal.createRun({ header: sampleHeader('R1'), rows, refuseRepeat: false });
      const sizes: number[] = [];
      for await (const page of (await journal.payoutsOf('R1'))?.pages() ?? []) sizes.push(page.length);
      expect(sizes).toEqual([300, 2]);
    });
  });
}
