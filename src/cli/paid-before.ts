import { Refusal } from '../domain/refusal.ts';
import { runText } from '../input/history-warnings.ts';
import type { Job } from '../job/job.ts';
import type { CommandLine } from '../report/command-line.ts';
import type { Allowed, ComparedPayouts, EarlierRun } from './compare-past.ts';
import { notAllowed } from './compare-problems.ts';
import { REPEAT_WINDOW_DEFAULT_MS } from './past-payouts.ts';

/** Rows that are named in one sentence. */
const NAMED_MAX = 5;

/** What `--allow-repeat` says, here or when the plan was made. */
export function allowedBy(allowRepeat: string | undefined, repeats: string | null): Allowed {
  if (allowRepeat !== undefined) return { runId: allowRepeat === '' ? null : allowRepeat };
  return repeats === null ? null : { runId: repeats };
}

/** How long the same payment is refused by the job; null where there is no job, and it is only remarked. */
export function refusedWithin(job: Job | null): number | null {
  return job === null ? null : (job.repeatWindowMs ?? REPEAT_WINDOW_DEFAULT_MS);
}

/** Throws a `Refusal` (`refused`) where rows were paid by earlier runs within the job's window and nobody allows it again. */
export function refusePaidBefore(
  { payments }: ComparedPayouts,
  allowed: Allowed,
  { job, command }: { job: string; command: CommandLine },
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
  const [newest] = [...runs].sort((one, other) => other.at - one.at);
  if (newest === undefined) return;
  throw refusal(
    rows.sort((one, other) => one - other),
    [...runs],
    newest,
    { job, command, isWaiting, isNamed: allowed !== null },
  );
}

function refusal(
  rows: readonly number[],
  runs: readonly EarlierRun[],
  newest: EarlierRun,
  { job, command, isWaiting, isNamed }: { job: string; command: CommandLine; isWaiting: boolean; isNamed: boolean },
): Refusal {
  const more = rows.length > NAMED_MAX ? ` and ${(rows.length - NAMED_MAX).toLocaleString('en')} more` : '';
  const named = `${rows.length === 1 ? 'Row' : 'Rows'} ${rows.slice(0, NAMED_MAX).join(', ')}${more}`;
  const others = runs.length === 1 ? '' : ` and ${runs.length - 1} more`;
  const again =
    runs.length === 1 && !isNamed ? `--allow-repeat ${newest.id}` : '--allow-repeat (several runs paid them)';
  return new Refusal(
    'refused',
    `${named} would pay the same amount to the same account again, as ${runText(newest)}${others} ${isWaiting ? 'is about to' : 'did'}. Nothing was sent.`,
    `See \`${command('show', newest.id)}\`, and remove the rows. If they are to be paid again: ${again}. How long a payment counts as the same is repeat_window in the job ${job}.`,
    { run_id: newest.id, rows },
  );
}
