import { z } from 'zod';
import type { AuditEntry } from '../../app/people/audit-log.ts';
import type { PaidBy } from '../../domain/problem.ts';
import { messages } from '../../messages/messages.ts';
import { anyOf, counted, listed, number } from '../../messages/text.ts';
import { type Plural, plural, t } from '../../messages/translate.ts';
import { seesRun } from '../../messages/viewer.ts';
import type { Problem } from '../shell/parts.ts';
import type { PlanExtras } from './plan-view.ts';

/** The code of payouts that a run has made already, or is about to make. */
export const PAID_BEFORE = 'paid_before';

/** The payouts of a plan that repeat what other runs paid, perhaps paid or are about to pay, and those runs, also as people call them. */
export type PaidBefore = { payouts: number; runs: string[]; called: string[]; how: string };

/** In the order in which they are named. */
const HOW: Readonly<Record<PaidBy['how'], (payouts: number) => Plural>> = {
  paid: (payouts) => plural(payouts, 'paid', 'paid'),
  perhaps: (payouts) => plural(payouts, 'perhaps paid', 'perhaps paid'),
  waiting: (payouts) => plural(payouts, 'taken up', 'taken up'),
};

/** Null where the plan pays nobody again, or was made to repeat that run. */
export function paidBeforeOf({
  warnings,
  counts,
  names,
}: Pick<PlanExtras, 'warnings' | 'counts' | 'names'>): PaidBefore | null {
  const found = warnings.filter(({ code }) => code === PAID_BEFORE);
  if (found.length === 0) return null;
  const paidBy = found.flatMap(({ paid_by }) => paid_by ?? []);
  const hows = Object.entries(HOW).filter(([how]) => paidBy.some((one) => one.how === how));
  const payouts = Math.max(counts[PAID_BEFORE] ?? 0, found.length);
  const how = anyOf(hows.map(([, words]) => String(words(payouts))));
  const runs = [...new Set(paidBy.map(({ run_id }) => run_id))];
  const called = runs.map((run) => (seesRun(run) ? (names.get(run) ?? run) : messages.runs.runName(run)));
  return { payouts, runs, called: [...new Set(called)], how };
}

/** The runs that all approvers of a plan ticked: they know what those paid, and that it is to be paid once more. */
export function knownToAll(acts: readonly Pick<AuditEntry, 'act' | 'details'>[]): string[] {
  const ticks = acts.filter(({ act }) => act === 'approved').map(({ details }) => ticked.safeParse(details).data);
  const [first, ...others] = ticks.map((one) => one?.paid_before.runs ?? []);
  return (first ?? []).filter((run) => others.every((runs) => runs.includes(run)));
}

const ticked = z.object({ paid_before: z.object({ runs: z.array(z.string()) }) });

/** What an approver confirms by a tick. */
export function paidBeforeText({ payouts, called, how }: PaidBefore, of: number): string {
  return t`I know that ${number(payouts)} of the ${counted(of, 'payout')} ${plural(payouts, 'was', 'were')} ${how} by ${listed(called)}, and ${plural(payouts, 'is', 'are')} to be paid once more`;
}

/** Why an approval is refused without that tick, or with one for fewer payouts than there are. */
export function notTicked({ payouts, called, how }: PaidBefore, nothingDone: string): Problem {
  return {
    message: t`${number(payouts)} of these payouts ${plural(payouts, 'was', 'were')} ${how} by ${listed(called)}.`,
    remedy: t`Approve them only if they should be paid again, and confirm that below. ${nothingDone}`,
  };
}
