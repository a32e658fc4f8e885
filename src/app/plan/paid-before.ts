import type { RunCreated } from '../../domain/entry.ts';
import type { PlanFacts } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Job } from '../../job/job.ts';
import type { Allowed, ComparedPayouts, EarlierRun } from '../compare/compared-payouts.ts';
import { REPEAT_WINDOW_DEFAULT_MS } from '../compare/past-payouts.ts';
import { notAllowed } from '../compare/warnings.ts';

/** What `--allow-repeat` says, here or when the plan was made. */
export function allowedBy(allowRepeat: string | undefined, repeats: string | null): Allowed {
  if (allowRepeat !== undefined) return { runIds: allowRepeat === '' ? null : new Set(allowedRuns(allowRepeat)) };
  return repeats === null ? null : { runIds: new Set([repeats]) };
}

/** The runs that `--allow-repeat R1,R2` names. */
export function allowedRuns(allowRepeat: string): string[] {
  return allowRepeat
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
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
export function refusePaidBefore({ payments }: ComparedPayouts, allowed: Allowed, job: string | null): void {
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
    isWaiting,
    job,
  });
}
