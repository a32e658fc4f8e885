import { comparedWithPast } from '../../app/compare/comparison.ts';
import type { Warnings } from '../../app/compare/warnings.ts';
import type { DrawnPlan } from '../../app/plan/draw-plan.ts';
import { approvalsNeeded } from '../../approval/check.ts';
import type { Log } from '../../domain/log.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import type { Journal } from '../../journal/journal.ts';
import { foldPages } from '../../journal/pages.ts';
import type { ChangedDetails } from '../../notify/plan-notice.ts';
import { machineClock } from '../../platform/machine.ts';
import type { CommandLine } from '../../report/command-line.ts';
import { notify } from '../jobs/notices.ts';
import type { Io } from '../terminal.ts';
import { whoApproves } from './approvals.ts';

type Means = { io: Io; log: Log; command: CommandLine; journal: Journal };

/** Notifies people that a plan in the journal waits, where somebody has to approve it. */
export async function notifyPlanned(
  settings: NotifySettings | null,
  { header, facts }: Pick<DrawnPlan, 'header' | 'facts'>,
  { io, log, command, journal }: Means,
): Promise<void> {
  const needed = facts.approval === null ? 0 : approvalsNeeded(facts.approval, facts);
  const who = whoApproves(facts);
  if (needed === 0 || who === null) return;
  const notice = async () => {
    const { planNotice } = await import('../../notify/plan-notice.ts');
    const run = await foldPages(journal.readRun(header.run_id));
    const compared = await comparedWithPast(run, { journal, clock: machineClock });
    const changed = changedIn(compared?.warnings ?? null);
    return planNotice({ header, facts, who, needed, changed }, { at: machineClock.wallMs(), command });
  };
  await notify(settings, notice, { io, log });
}

function changedIn(warnings: Warnings | null): ChangedDetails {
  if (warnings === null) return { count: 0, rows: [] };
  const { counts, kept } = warnings.account_changed;
  return { count: counts.warnings, rows: kept.flatMap(({ row }) => (row === null ? [] : [row])) };
}
