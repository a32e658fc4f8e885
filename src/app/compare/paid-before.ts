import type { RunCreated, RunRow } from '../../domain/entry.ts';
import type { KindOfPayment } from '../../domain/kind-of-payment.ts';
import { currencyKey } from '../../domain/money.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import { fault, problemAt } from '../../domain/problem.ts';
import type { HistoryProblems } from '../../domain/problems/payment-problems.ts';
import { Refusal } from '../../domain/refusal.ts';
import { PAID_BEFORE } from '../../domain/run/left-out.ts';
import { mentionOf } from '../../input/checks/payee-history.ts';
import { ProblemLog } from '../../input/problem-log.ts';
import type { ReadResult } from '../../input/read-result.ts';
import type { Job } from '../../job/job.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Clock } from '../../platform/clock.ts';
import { rowsOf } from '../../runner/plan/plan.ts';
import type { Gathered, Given } from '../plan/given.ts';
import { compareWithPast } from './compare-runs.ts';
import type { Allowed, ComparedPayouts, EarlierRun, PlannedPayment } from './compared-payouts.ts';
import { allowedRuns } from './earlier-runs.ts';
import { REPEAT_WINDOW_DEFAULT_MS } from './past-payouts.ts';
import { lastPaid, notAllowed } from './warnings.ts';

/** What may be paid again, as `allowRepeat` names it now or the plan did when it was made. */
export function allowedBy(allowRepeat: string | undefined, repeats: string | null): Allowed {
  if (allowRepeat !== undefined) return { runIds: allowRepeat === '' ? null : new Set(allowedRuns(allowRepeat)) };
  return repeats === null ? null : { runIds: new Set([repeats]) };
}

/** How long the same payment is refused: as long as the job says, where there is one that says it. */
export function refusedWithin(job: Job | null): number {
  return job?.repeatWindowMs ?? REPEAT_WINDOW_DEFAULT_MS;
}

/**
 * The same of a run that was planned; null of a retry, which pays what another run has not. Plans of files say it since files
 * are refused as jobs are.
 */
export function plannedWithin({ retries, job }: RunCreated, { repeat_window_ms }: PlanFacts): number | null {
  if (retries !== null) return null;
  return repeat_window_ms ?? (job === null ? REPEAT_WINDOW_DEFAULT_MS : null);
}

/** Throws a `Refusal` (`refused`) where rows were paid by earlier runs within the window and nobody allows it again. */
export function refusePaidBefore(
  { payments }: ComparedPayouts,
  allowed: Allowed,
  { job, payouts }: { job: string | null; payouts: number },
): void {
  const rows: number[] = [];
  const runs = new Set<EarlierRun>();
  let isWaiting = true;
  for (const payment of payments.values()) {
    const paid = notAllowed(payment, allowed);
    if (paid.length === 0) continue;
    for (const { order } of payment.rows) rows.push(order.row);
    for (const { run, standing } of paid) {
      runs.add(run);
      isWaiting &&= standing === 'waiting';
    }
  }
  const [newest, ...others] = [...runs].sort((one, other) => other.at - one.at);
  if (newest === undefined) return;
  throw new Refusal({
    code: 'paid_before',
    rows: rows.sort((one, other) => one - other),
    runs: [newest, ...others].map(({ id, at, isRehearsal }) => ({ runId: id, at, isRehearsal })),
    payouts,
    isWaiting,
    job,
  });
}

type At = { journal: Journal; clock: Clock; kind: KindOfPayment };

type WhyLeft = HistoryProblems['left_out_paid_before'];

/**
 * The input without the rows whose amount earlier runs have paid to the same account, perhaps have, or are about to,
 * whatever `--allow-repeat` allows, where these are to be left out. Throws a `Refusal` (`refused`) where no row is left.
 */
export async function withoutPaid(given: Given, gathered: Gathered, { journal, clock, kind }: At): Promise<Gathered> {
  if (!given.settings.skipPaid) return gathered;
  const left = await paidRows(gathered, given, { journal, clock, kind });
  const { read, entries } = gathered;
  if (left.size === 0) return gathered;
  if (left.size === read.payouts) throw nothingLeft(read, left);
  const orders = [...rowsOf(entries)].flatMap(({ row, order }) => (order && left.has(row) ? [order] : []));
  given.onLeftOut?.(orders.map(({ row }) => row));
  return {
    ...gathered,
    entries: entries.map((entry) => (entry.kind === 'rows' ? { ...entry, rows: without(entry.rows, left) } : entry)),
    read: readWithout(read, orders, left),
  };
}

/** Of each row that was paid before, why it is left out. */
async function paidRows(
  { entries }: Gathered,
  { job }: Given,
  { journal, clock, kind }: At,
): Promise<Map<number, WhyLeft>> {
  const header = { run_id: '', job: job?.name ?? null, ...kind };
  const past = { journal, clock, repeatWindowMs: refusedWithin(job), coolingMs: null };
  const left = new Map<number, WhyLeft>();
  const { payments } = await compareWithPast(header, rowsOf(entries), past);
  for (const { rows, paid } of payments.values())
    for (const { order } of paid.length === 0 ? [] : rows) left.set(order.row, whyLeft(paid));
  return left;
}

function without(rows: readonly RunRow[], left: ReadonlyMap<number, WhyLeft>): RunRow[] {
  return rows.map((row) => {
    const why = left.get(row.row);
    return why === undefined ? row : { ...row, order: null, problem: fault(PAID_BEFORE, why) };
  });
}

function whyLeft(paid: PlannedPayment['paid']): WhyLeft {
  const last = lastPaid(paid);
  return last === null ? { standing: 'paid', run: null } : { standing: last.standing, run: mentionOf(last.run) };
}

function nothingLeft({ input, payouts }: ReadResult, left: ReadonlyMap<number, WhyLeft>): Refusal {
  const [first] = left.values();
  return new Refusal({ code: 'nothing_left', name: input.name, payouts, first: first ?? null });
}

/** What was read, less the payouts that are left out, each with a warning. */
function readWithout(read: ReadResult, orders: readonly PayoutOrder[], left: ReadonlyMap<number, WhyLeft>): ReadResult {
  const log = new ProblemLog();
  const totals = new Map(read.totals.map((total) => [currencyKey(total.currency), { ...total }]));
  for (const { row, currency, amount_minor } of orders) {
    const total = totals.get(currencyKey(currency));
    if (total !== undefined) {
      total.count--;
      total.minor -= BigInt(amount_minor);
    }
    const why = left.get(row);
    if (why !== undefined)
      log.add(problemAt('warning', fault('left_out_paid_before', why), { sheet: read.sheet, row }));
  }
  const { errors, warnings } = read.problemCounts;
  return {
    ...read,
    payouts: read.payouts - orders.length,
    totals: [...totals.values()].filter(({ count }) => count > 0),
    problems: [...read.problems, ...log.kept],
    problemGroups: [...read.problemGroups, ...log.groups],
    problemCounts: { errors, warnings: warnings + orders.length },
  };
}
