import { approvalsNeeded } from '../../approval/check.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import type { Journal } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import { someOf } from '../../messages/refusals/approve-words.ts';
import type { Clock } from '../../platform/clock.ts';
import { mayApprove } from '../approve/approvals.ts';
import { comparedWithPast } from '../compare/comparison.ts';
import type { DrawnPlan } from './draw-plan.ts';
import type { PlanDeps } from './plan-deps.ts';

/** Tells the people of a job that a plan in the journal awaits their approval. */
export async function announcePlan(
  { tell, command }: Pick<PlanDeps, 'tell' | 'command'>,
  { journal, clock }: { journal: Journal; clock: Clock },
  settings: NotifySettings | null,
  { header, facts }: Pick<DrawnPlan, 'header' | 'facts'>,
): Promise<void> {
  const { approval } = facts;
  const needed = approval === null ? 0 : approvalsNeeded(approval, facts);
  if (approval === null || needed === 0) return;
  const names = mayApprove(approval).map(({ name }) => name);
  await tell(settings, async () => {
    const { planNotice } = await import('../../notify/run-notices.ts');
    const compared = await comparedWithPast(await foldPages(journal.readRun(header.run_id)), { journal, clock });
    const { counts, kept } = compared?.warnings.account_changed ?? { counts: { warnings: 0 }, kept: [] };
    const changed = { count: counts.warnings, rows: kept.flatMap(({ row }) => (row === null ? [] : [row])) };
    return planNotice({ header, facts, who: someOf(needed, names), needed, changed }, { at: clock.wallMs(), command });
  });
}
