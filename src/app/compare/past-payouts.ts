import { countsFor } from '../../domain/kind-of-payment.ts';
import type { JournalDamage } from '../../domain/outcomes/journal-damage.ts';
import { fault, type Problem, problemAt } from '../../domain/problem.ts';
import type { Profile } from '../../domain/profile.ts';
import { isSeenWith, type Payer } from '../../domain/run/entity.ts';
import type { Holds } from '../../domain/run/holds.ts';
import { noHistory, PaidAgain, PastPayouts, type PayeeHistory } from '../../input/checks/payee-history.ts';
import { RowMarks } from '../../input/checks/row-marks.ts';
import { JournalDamaged } from '../../journal/errors.ts';
import { KnownHolds } from '../../journal/holds.ts';
import type { JournalReader, RunSummary } from '../../journal/journal.ts';
import { type JournalPlace, journalOf, openJournalToRead } from '../../journal/open.ts';
import { shownUrl } from '../../journal/place.ts';
import type { PastOrder, RunPayouts } from '../../journal/projections/run-payouts.ts';

/** Runs that are looked at, newest first: a run each day for a quarter. A plan is none before it is started. */
const RUNS_MAX = 100;

/** Payouts of those runs that are read, so that a check takes a second or two more at most, and some 30 MB. */
export const PAST_PAYOUTS_MAX = 100_000;

/** How long the same payment again is suspicious, by default: a monthly payroll repeats later. */
export const REPEAT_WINDOW_DEFAULT_MS = 20 * 86_400_000;

/**
 * What the newest runs of the journal paid, one rehearsal or one service alone: the newest run that is of
 * interest says which. A journal is neither made nor changed, and one that cannot be read is a problem that is reported.
 * Amounts are those of runs that everybody sees who sees what `payer` pays. With `paidSinceMs` (Unix) it holds too which rows of the
 * file runs have paid since.
 */
export async function readHistory(
  place: JournalPlace,
  payer: Payer,
  profile: Profile | null,
  paidSinceMs: number | null = null,
): Promise<PayeeHistory> {
  let journal: JournalReader | null = null;
  try {
    journal = await openJournalToRead(journalOf(place));
    if (journal === null) return noHistory([]);
    const again = paidSinceMs === null ? null : new PaidAgain(paidSinceMs);
    const { now: holds } = await new KnownHolds(journal).look();
    return await historyOf(journal, pastOf(await journal.listStartedRuns(RUNS_MAX), payer, profile), {
      payer,
      again,
      holds,
    });
  } catch (error) {
    return noHistory([unreadable(place, error)]);
  } finally {
    await journal?.close();
  }
}

/** Older runs than those within the bound are not compared, without a warning. The newest one always is, as far as it goes. */
async function historyOf(
  journal: JournalReader,
  { here, elsewhere }: Past,
  { payer, again, holds }: { payer: Payer; again: PaidAgain | null; holds: Holds },
): Promise<PayeeHistory> {
  const [newest] = here;
  const history = new PastPayouts(again, holds);
  let left = PAST_PAYOUTS_MAX;
  for (const run of here) {
    left -= run.header.payouts;
    if (left < 0 && run !== newest) break;
    await addRun(history, journal, run, isSeenWith(payer, run.header));
    if (left < 0) history.problems.push(partlyRead(run));
  }
  if (again !== null) for (const run of elsewhere) await addPaid(again, journal, run);
  return history;
}

/** Earlier runs, newest first: those whose payees are known at the service that is meant, and others that paid as well. */
type Past = { here: RunSummary[]; elsewhere: RunSummary[] };

/**
 * Payees are compared neither between rehearsals and payments, nor between two services or two keys. Where the
 * service is not named, it is that of the newest run that moved money, one of the payer's before others, and of the newest
 * rehearsal where none did.
 */
function pastOf(runs: readonly RunSummary[], payer: Payer, profile: Profile | null): Past {
  const live = runs.filter(({ header }) => !header.rehearsal);
  const fitting =
    profile === null ? (live.length > 0 ? live : runs) : runs.filter(({ header }) => isAt(profile, header.scope));
  const newest = fitting.find(({ header }) => isSeenWith(payer, header)) ?? fitting[0];
  const { rehearsal, scope } = newest?.header ?? { rehearsal: profile?.base_url === null, scope: null };
  const counting = runs.filter(({ header }) => countsFor({ rehearsal, scope }, header));
  const isHere = ({ header }: RunSummary) => header.scope === scope && header.rehearsal === rehearsal;
  return { here: counting.filter(isHere), elsewhere: counting.filter((run) => !isHere(run)) };
}

function isAt({ base_url, api_key }: Profile, scope: string): boolean {
  return base_url === null ? scope.startsWith('shipped|') : scope === `${base_url}|${api_key}`;
}

async function addRun(history: PastPayouts, journal: JournalReader, run: RunSummary, isSeen: boolean): Promise<void> {
  const { run_id, created_at, header } = run;
  const paid = await beginPaid(history.again, journal, run);
  const isRead = header.payouts <= PAST_PAYOUTS_MAX;
  history.beginRun({
    id: run_id,
    at: created_at,
    isRehearsal: header.rehearsal,
    header: header.input.header,
    isSeen,
    // The total of a retry is not what such a file pays.
    isFinished: (paid?.isFinished ?? false) && isRead && header.retries === null,
  });
  for await (const order of completedOf(paid)) history.add(order);
}

/** What a run paid at another service, as far as the same is not to be paid again. */
async function addPaid(again: PaidAgain, journal: JournalReader, run: RunSummary): Promise<void> {
  const marks = new RowMarks();
  for await (const order of completedOf(await beginPaid(again, journal, run))) {
    marks.load(order);
    again.add(marks);
  }
}

async function beginPaid(again: PaidAgain | null, journal: JournalReader, { run_id, created_at, header }: RunSummary) {
  const paid = await journal.payoutsOf(run_id);
  const unpaid = paid?.isFinished ? header.payouts - paid.completed : 0;
  again?.beginRun({ id: run_id, at: created_at, isRehearsal: header.rehearsal, unpaid });
  return paid;
}

/** What was paid, among the first payouts of a run. */
async function* completedOf(paid: RunPayouts | null): AsyncIterable<PastOrder> {
  let left = PAST_PAYOUTS_MAX;
  for await (const page of paid?.pages() ?? [])
    for (const { order, standing } of page) {
      if (left-- <= 0) return;
      if (standing === 'paid') yield order;
    }
}

function partlyRead({ run_id: runId, header }: RunSummary): Problem {
  const params = { runId, compared: PAST_PAYOUTS_MAX, payouts: header.payouts };
  return problemAt('warning', fault('history_partly_read', params));
}

/** What keeps the journal from being read. */
export function whatIsWrong(error: unknown): string | JournalDamage {
  if (error instanceof JournalDamaged) return error.damage;
  return error instanceof Error ? error.message : String(error);
}

function unreadable({ dataDir, database }: JournalPlace, error: unknown): Problem {
  const folder = database === undefined ? dataDir : shownUrl(database);
  return problemAt('warning', fault('history_unreadable', { folder, reason: whatIsWrong(error) }));
}
