import { approvalsNeeded } from '../approval/check.ts';
import type { Log } from '../domain/log.ts';
import type { NotifySettings } from '../domain/notify.ts';
import type { CommandLine } from '../report/command-line.ts';
import { whoApproves } from './approvals.ts';
import { machineClock } from './compose.ts';
import type { DrawnPlan } from './draw-plan.ts';
import { tell } from './notices.ts';
import type { Io } from './terminal.ts';

/** Tells that a plan waits, where somebody has to approve it. */
export async function tellPlanned(
  settings: NotifySettings | null,
  { header, facts }: Pick<DrawnPlan, 'header' | 'facts'>,
  { io, log, command }: { io: Io; log: Log; command: CommandLine },
): Promise<void> {
  const needed = facts.approval === null ? 0 : approvalsNeeded(facts.approval, facts);
  const who = whoApproves(facts);
  if (needed === 0 || who === null) return;
  const notice = async () => {
    const { planNotice } = await import('../notify/plan-notice.ts');
    return planNotice({ header, facts, who, needed }, { at: machineClock.wallMs(), command });
  };
  await tell(settings, notice, { io, log });
}
