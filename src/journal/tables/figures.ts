import { ROW_STATES, type RowState } from '../../domain/outcomes/run-outcome.ts';
import type { Row } from '../../platform/sqlite.ts';
import { decodeEntry } from '../entries.ts';
import { type CountedState, type JournalFigures, type ModeFigures, RUN_MODES, type RunMode } from '../figures.ts';
import { meaningOf, unpackOrders } from '../projections/run-payouts.ts';
import { LOOKS_PLANNED } from './runs.ts';
import { all, get, type Steps } from './steps.ts';
import type { Store } from './store.ts';
import type { Dialect } from './tables.ts';

/** The runs that are read at once. */
const PAGE_RUNS = 64;

/** As the index has it, to the letter: only so does SQLite know that it serves. */
const IS_DOUBT = "kind IN ('doubt', 'unknown_transaction', 'suspected')";

/** What is known of a run up to its entry `n`. */
type RunFigures = {
  n: number;
  mode: RunMode;
  job: string | null;
  payouts: Record<CountedState, number>;
  unconfirmedSince: number | null;
  succeededAt: number | null;
};

/** What operators watch. Of runs that have no entries since the last look nothing is read again. */
export class Figures {
  readonly #store: Pick<Store, 'tables' | 'dialect'>;
  readonly #runs = new Map<number, RunFigures>();

  constructor(store: Pick<Store, 'tables' | 'dialect'>) {
    this.#store = store;
  }

  async read(): Promise<JournalFigures> {
    const { tables, dialect } = this.#store;
    const ends = await tables.read(() => all('SELECT run, head_n FROM run'));
    const changed = ends.flatMap(({ run, head_n: n }) => (this.#runs.get(Number(run))?.n === n ? [] : [Number(run)]));
    for (let at = 0; at < changed.length; at += PAGE_RUNS) {
      const runs = changed.slice(at, at + PAGE_RUNS);
      const found = await tables.snapshot(() => figuresOf(runs, dialect));
      for (const [run, figures] of found) this.#runs.set(run, figures);
    }
    const sizeBytes = await tables.read(() => dialect.sizeBytes());
    const modes = RUN_MODES.map((mode) => [mode, total(this.#runs.values().filter((run) => run.mode === mode))]);
    return { sizeBytes, modes: Object.fromEntries(modes) };
  }
}

function total(runs: Iterable<RunFigures>): ModeFigures {
  const payouts = none();
  const lastSuccess = new Map<string, number>();
  let unconfirmedSince: number | null = null;
  for (const run of runs) {
    for (const state of COUNTED) payouts[state] += run.payouts[state];
    unconfirmedSince = earlier(unconfirmedSince, run.unconfirmedSince);
    if (run.job === null || run.succeededAt === null) continue;
    lastSuccess.set(run.job, Math.max(run.succeededAt, lastSuccess.get(run.job) ?? 0));
  }
  return { payouts, unconfirmedSince, lastSuccess };
}

const COUNTED = ROW_STATES.filter((state): state is CountedState => state !== 'suspected');

function none(): Record<CountedState, number> {
  return Object.fromEntries(COUNTED.map((state) => [state, 0])) as Record<CountedState, number>;
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

type Page = { n: number; states: string };

function* figuresOf(runs: readonly number[], dialect: Dialect): Steps<Map<number, RunFigures>> {
  const marks = runs.map(() => '?').join(', ');
  const pages = new Map<number, Page[]>(runs.map((run) => [run, []]));
  for (const { run, n, states } of yield* all(
    `SELECT run, n, states FROM projected_states WHERE run IN (${marks})`,
    ...runs,
  ))
    pages.get(run as number)?.push({ n: n as number, states: states as string });
  const rows = yield* all(
    `SELECT run.run, run.head_n, last.at AS last_at, first.data AS created, projected.facts,
       CASE WHEN ${LOOKS_PLANNED} THEN 1 ELSE 0 END AS looks_planned
     FROM run JOIN entry AS first ON first.run = run.run AND first.n = 1
     JOIN entry AS last ON last.run = run.run AND last.n = run.head_n
     LEFT JOIN projected_run AS projected ON projected.run = run.run WHERE run.run IN (${marks})`,
    ...runs,
  );
  const found = new Map<number, RunFigures>();
  for (const row of rows) {
    const run = row.run as number;
    found.set(run, yield* runFigures(run, row, pages.get(run) ?? [], dialect));
  }
  return found;
}

function* runFigures(run: number, row: Row, pages: readonly Page[], dialect: Dialect): Steps<RunFigures> {
  const created = decodeEntry(row.created as string);
  const header = created.ok && created.entry.kind === 'run_created' ? created.entry : null;
  const known = { n: row.head_n as number, job: header?.job ?? null };
  const mode = header?.rehearsal === true ? 'rehearsal' : 'live';
  const payouts = none();
  // What is only planned is no payout yet.
  if (row.looks_planned === 1) return { ...known, mode, payouts, unconfirmedSince: null, succeededAt: null };
  let hasSurfaced = false;
  for (const [letter, count] of countLetters(pages)) {
    const meaning = meaningOf(letter);
    if (meaning === undefined) continue;
    payouts[countedAs(meaning.state)] += count;
    hasSurfaced ||= meaning.beside === 'surfaced';
  }
  const sendingSince = payouts.sending > 0 ? (row.last_at as number) : null;
  const hasDoubts = payouts.in_doubt + payouts.unresolved > 0;
  const doubtSince = hasDoubts ? yield* oldestDoubt(run, pages, dialect) : null;
  const isFinished = typeof row.facts === 'string' && JSON.parse(row.facts).is_finished === true;
  const succeededAt = isFinished && !hasSurfaced ? yield* successOf(run) : null;
  return { ...known, mode, payouts, unconfirmedSince: earlier(sendingSince, doubtSince), succeededAt };
}

function countedAs(state: RowState): CountedState {
  return state === 'suspected' ? 'unresolved' : state;
}

function countLetters(pages: readonly Page[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { states } of pages) for (const letter of states) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
}

const DOUBTFUL: ReadonlySet<RowState | undefined> = new Set(['in_doubt', 'unresolved', 'suspected']);

/** When the first doubt about its last attempt was recorded, of the payout of which that was the earliest (Unix ms). */
function* oldestDoubt(run: number, pages: readonly Page[], dialect: Dialect): Steps<number | null> {
  const doubtful = new Set<number>();
  for (const { n, states } of pages) {
    const places = [...states].flatMap((letter, at) => (DOUBTFUL.has(meaningOf(letter)?.state) ? [at] : []));
    if (places.length === 0) continue;
    const page = yield* get('SELECT orders FROM projected_orders WHERE run = ? AND n = ?', run, n);
    const orders = unpackOrders(page?.orders as string);
    for (const at of places) doubtful.add(orders[at]?.row ?? 0);
  }
  const since = new Map<number, { attempt: unknown; at: number }>();
  const sql = `SELECT row_number, at, data FROM entry ${dialect.indexedBy('entry_doubt')}
    WHERE run = ? AND ${IS_DOUBT} ORDER BY n`;
  for (const { row_number: row, at, data } of yield* all(sql, run)) {
    if (!doubtful.has(row as number)) continue;
    const { attempt } = JSON.parse(data as string);
    if (since.get(row as number)?.attempt !== attempt) since.set(row as number, { attempt, at: at as number });
  }
  return since.values().reduce<number | null>((first, { at }) => earlier(first, at), null);
}

/** When a finished run finished; null where not every payout was completed. It ends soon after that entry. */
function* successOf(run: number): Steps<number | null> {
  const sql = "SELECT at, data FROM entry WHERE run = ? AND kind = 'finished' ORDER BY n DESC LIMIT 1";
  const { at, data } = (yield* get(sql, run)) ?? {};
  const decoded = typeof data === 'string' ? decodeEntry(data) : null;
  if (decoded?.ok !== true || decoded.entry.kind !== 'finished') return null;
  const { completed, failed, rejected, unresolved, not_submitted: notSubmitted } = decoded.entry.counts;
  return completed > 0 && failed + rejected + unresolved + notSubmitted === 0 ? (at as number) : null;
}
