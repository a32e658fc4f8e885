import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../domain/problem.ts';
import type { Profile } from '../domain/profile.ts';
import { noHistory, PastPayouts, type PayeeHistory } from '../input/payee-history.ts';
import type { RunSummary } from '../journal/journal.ts';
import type { JournalReader } from '../journal/sqlite/read-only.ts';

/** Runs that are looked at, newest first: a run each day for a quarter. */
const RUNS_MAX = 100;

/** Payouts of those runs that are read, so that a check takes a second more at most, and some 70 MB. */
const PAYOUTS_MAX = 25_000;

/**
 * What the newest runs of the journal in `dataDir` paid, one rehearsal or one service alone: the newest run that is of
 * interest says which. A journal is neither made nor changed, and one that cannot be read is a problem that is told.
 */
export async function readHistory(dataDir: string, profile: Profile | null): Promise<PayeeHistory> {
  const path = join(dataDir, 'journal.db');
  if (!existsSync(path)) return noHistory([]);
  let journal: JournalReader | null = null;
  try {
    // Loaded only where there is a journal: what reads its entries takes time and memory to be made.
    const { openJournalToRead } = await import('../journal/sqlite/read-only.ts');
    journal = openJournalToRead(path);
    if (journal === null) return noHistory([]);
    return historyOf(journal, journal.listRuns(RUNS_MAX), profile);
  } catch (error) {
    return noHistory([unreadable(dataDir, error)]);
  } finally {
    journal?.close();
  }
}

function historyOf(journal: JournalReader, runs: readonly RunSummary[], profile: Profile | null): PayeeHistory {
  const chosen = within(PAYOUTS_MAX, comparable(runs, profile));
  const history = new PastPayouts(chosen.reduce((sum, { header }) => sum + header.payouts, 0));
  for (const run of chosen) addRun(history, journal, run);
  return history;
}

/**
 * Rehearsals and payments are never mixed, nor what went to two services or from two keys. Where nobody says which
 * service is meant, it is that of the newest run that moved money, and of the newest rehearsal where none did.
 */
function comparable(runs: readonly RunSummary[], profile: Profile | null): RunSummary[] {
  const fits = ({ header }: RunSummary) => profile === null || isAt(profile, header.scope);
  const newest =
    profile === null ? (runs.find(({ header }) => !header.rehearsal) ?? runs[0]) : runs.find((run) => fits(run));
  if (newest === undefined) return [];
  const { rehearsal, scope } = newest.header;
  return runs.filter(({ header }) => header.rehearsal === rehearsal && header.scope === scope);
}

function isAt({ base_url, api_key }: Profile, scope: string): boolean {
  return base_url === null ? scope.startsWith('shipped|') : scope === `${base_url}|${api_key}`;
}

function within(payoutsMax: number, runs: readonly RunSummary[]): RunSummary[] {
  let payouts = 0;
  return runs.filter(({ header }) => {
    payouts += header.payouts;
    return payouts <= payoutsMax;
  });
}

function addRun(history: PastPayouts, journal: JournalReader, { run_id, created_at, header }: RunSummary): void {
  const completed = new Set<number>();
  for (const { entry } of journal.readKindOf(run_id, 'final'))
    if (entry.kind === 'final' && entry.status === 'COMPLETED') completed.add(entry.row);
  const isFinished = [...journal.readKindOf(run_id, 'finished')].length > 0;
  history.beginRun({ id: run_id, at: created_at, header: header.input.header, isFinished });
  for (const { entry } of journal.readKindOf(run_id, 'rows'))
    if (entry.kind === 'rows')
      for (const { row, order } of entry.rows) if (order !== null && completed.has(row)) history.add(order);
}

function unreadable(dataDir: string, error: unknown): Problem {
  const why = error instanceof Error ? error.message : String(error);
  return {
    severity: 'warning',
    code: 'history_unreadable',
    sheet: null,
    row: null,
    column: null,
    cell: null,
    value: null,
    message: `Earlier payouts could not be compared: the journal in ${dataDir} could not be read (${why}).`,
    remedy: 'See what `payrun runs` says of it, or name another data directory.',
  };
}
