import { z } from 'zod';
import {
  isMaker,
  type OwnLink,
  ownLinks,
  type PlanStanding,
  planStanding,
  rowsToApprove,
  unconfirmedResets,
  type WhyNotApprove,
  whyNotApprove,
} from '../../app/approve/plan-standing.ts';
import { type PeopleParts, setterOf, withdrawnBy } from '../../app/people/access.ts';
import type { Person } from '../../app/people/people.ts';
import { PersonSight } from '../../app/people/sight.ts';
import { type StartStanding, startStanding } from '../../app/schedule/start-standing.ts';
import type { PlanEnd, StartTime } from '../../domain/entry.ts';
import type { Withdrawal } from '../../domain/outcomes/approve-outcome.ts';
import type { RefusalReason } from '../../domain/refusals/reason.ts';
import { type RunState, scheduledStart } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { shownDay } from '../../messages/local-time.ts';
import { counted, listed } from '../../messages/text.ts';
import { t, textTable } from '../../messages/translate.ts';
import type { WebParts } from '../parts.ts';
import { changeText, holdText } from '../people/access-words.ts';
import { inWordsOfReader } from '../refused.ts';

/** Of a plan, all but its rows. */
export type LightPlan = Pick<RunState, 'header' | 'plan' | 'approvals' | 'cancelled' | 'startedBy' | 'schedules'>;

/** How a plan stands for one person, by the page's people as they are now. */
export type StandingFor = {
  standing: PlanStanding;
  /** When it is to be started on its own, or was; null where nobody scheduled it. */
  scheduled: StartStanding | null;
  /** The run that took its rows, so that it can be started no more; null where it can. */
  overtaken: string | null;
  /** What keeps approvers of it from counting until another administrator confirms it, in sentences. */
  onHold: readonly string[];
  /** Why this person may not approve it, as it stands behind a colon; null where they may. */
  whyNot: { isOnHold: boolean; text: string } | null;
  /** The rows to new or changed accounts that this person has not approved yet. */
  rowsLeft: number[];
};

export async function standingFor(parts: WebParts, run: LightPlan, person: Person): Promise<StandingFor> {
  const now = parts.deps.clock.wallMs();
  const key = person.publicKey ?? '';
  const withdrawals = await withdrawalsNow(parts, run);
  const standing = planStanding(run, now, withdrawals);
  const scheduled = await startStandingOf(parts, run, withdrawals);
  const overtaken = await parts.deps.reads.overtakenBy(run.header);
  const why =
    overtaken === null ? whyNotApprove(run, key, now, withdrawals) : ({ code: 'overtaken', by: overtaken } as const);
  const onHold = standing.onHold.map((approver) => onHoldText(parts, run, approver));
  return {
    standing,
    scheduled,
    overtaken,
    onHold: await Promise.all(onHold),
    whyNot: why && { isOnHold: why.code === 'on_hold', text: whyNotText(why, await onHoldText(parts, run, key)) },
    rowsLeft: rowsToApprove(run, key, now),
  };
}

/** Whether this person may reject a plan as its approver, or recall it as who made it. */
export async function mayEnd(parts: WebParts, run: LightPlan, person: Person): Promise<Record<PlanEnd['as'], boolean>> {
  const { publicKey, roles } = person;
  const { plan, cancelled, startedBy } = run;
  const policy = plan?.approval ?? null;
  if (policy === null || cancelled || startedBy !== null || publicKey === null)
    return { rejected: false, recalled: false };
  const why = whyNotApprove(run, publicKey, parts.deps.clock.wallMs(), await withdrawalsNow(parts, run));
  return {
    rejected: roles.includes('approver') && (why === null || why.code === 'approved'),
    recalled: roles.includes('preparer') && isMaker(policy, person),
  };
}

/** How the start of a plan stands that somebody scheduled, by the page's people as they are now; null where nobody did. */
export async function scheduledNow(parts: WebParts, run: LightPlan): Promise<StartStanding | null> {
  return startStandingOf(parts, run, await withdrawalsNow(parts, run));
}

async function startStandingOf(parts: WebParts, run: LightPlan, withdrawals: Withdrawals) {
  const scheduled = scheduledStart(run);
  if (scheduled === null) return null;
  const nowMs = await parts.deps.reads.now();
  const setBy = await setterOf(parts, scheduled.publicKey);
  const mayStart = (one: Person) =>
    one.lockedAt === null && new PersonSight(one).ofRun(run.header).roles.includes('preparer');
  const isPreparer = setBy === 'command' || (setBy !== null && mayStart(setBy));
  const isRefused = (await startRefused(parts, run, scheduled.start)) !== null;
  return startStanding(run, { nowMs, withdrawals, isPreparer, isRefused });
}

const refusedStart = z.looseObject({
  scheduled: z.string(),
  why: z.string(),
  refusal: z.custom<RefusalReason>().optional(),
});

/** Why the start of a plan at its time was refused, as the page noted it; null where it was not. */
export async function startRefused(
  { audit }: Pick<PeopleParts, 'audit'>,
  { header }: Pick<RunState, 'header'>,
  start: StartTime,
): Promise<string | null> {
  for (const { details } of await audit.ofRuns([header?.run_id ?? ''], ['start_refused'])) {
    const refused = refusedStart.safeParse(details).data;
    if (refused?.scheduled !== isoUtc(start.at)) continue;
    const { message, remedy } = inWordsOfReader({ ...refused, message: refused.why, remedy: '' });
    return `${message} ${remedy}`.trim();
  }
  return null;
}

/** Whether enough approvers approved it that count now. */
export async function isReadyNow(parts: WebParts, run: LightPlan): Promise<boolean> {
  return planStanding(run, parts.deps.clock.wallMs(), await withdrawalsNow(parts, run)).isReady;
}

type Withdrawals = ReadonlyMap<string, Withdrawal>;

async function withdrawalsNow(
  parts: PeopleParts,
  { header, plan }: Pick<RunState, 'header' | 'plan'>,
): Promise<Withdrawals> {
  const policy = plan?.approval ?? null;
  const withdrawals = new Map<string, Withdrawal>();
  for (const { public_key } of policy?.approvers ?? []) {
    const withdrawn = policy && (await withdrawnBy(parts, public_key, { header, policy }));
    if (withdrawn) withdrawals.set(public_key, withdrawn.why);
  }
  return withdrawals;
}

async function onHoldText(
  parts: PeopleParts,
  { header, plan }: Pick<RunState, 'header' | 'plan'>,
  publicKey: string,
): Promise<string> {
  const policy = plan?.approval ?? null;
  const approver = policy?.approvers.find(({ public_key }) => public_key === publicKey);
  const hold = policy && (await parts.access.onHold(publicKey, policy, header?.rehearsal === false));
  return approver && hold ? holdText(parts.people, approver.name, hold) : '';
}

export const WHY_WITHDRAWN: Readonly<Record<Withdrawal, string>> = textTable({
  another_key: 'has another key since',
  locked_out: 'was deactivated since',
  no_approver: 'is no approver any more',
  sees_no_details: 'no longer sees its names and amounts',
  access_changed: 'is on hold',
});

/** What a plan waits for, in words. */
export function waitsForText({ missing, rowsMissing, mayApprove, needed }: PlanStanding): string {
  if (needed === 0) return t`It needs no approval and is started by command.`;
  if (missing > 0)
    return missing === 1
      ? t`Awaiting approval by ${listed(mayApprove) || t`nobody left`}.`
      : t`Awaiting ${counted(missing, 'approval')} by ${listed(mayApprove) || t`nobody left`}.`;
  const { length } = rowsMissing;
  const one = t`1 row to a new account still waits`;
  const rows = length === 0 ? '' : ` ${length === 1 ? one : t`${counted(length, 'row')} to new accounts still wait`}.`;
  return t`Approved, and ready to start.${rows}`;
}

function whyNotText(why: WhyNotApprove, onHold: string): string {
  switch (why.code) {
    case 'started':
      return t`it was started already.`;
    case 'discarded':
      return t`it was discarded or replaced by a newer plan.`;
    case 'by_command':
      return t`it was made by command, and asks nobody for an approval.`;
    case 'own':
      return t`you prepared this payment, so someone else must approve it.`;
    case 'approved':
      return t`you have already approved it.`;
    case 'not_among':
      return t`when it was made, you were not among its approvers: ${listed(why.approvers)}.`;
    case 'on_hold':
      return onHold;
    case 'no_approver':
      return t`you are not an approver of this payment.`;
    case 'sees_no_details':
      return t`its names and amounts are hidden from you.`;
    case 'overtaken':
      return t`it can be paid no more: ${why.by}, which pays rows of the same run, was started after it was planned.`;
  }
}

/** A text that stands behind a colon, as a sentence. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What the viewer reads of an approver; `isReset`: of a reset that nobody confirmed. */
export type ApproverWarning = { words: string; isViewer: boolean; isReset: boolean };

/** Of approvers who joined by a link of the person who made the plan, and of those whose sign-in was reset. */
export async function approverWarnings(
  parts: PeopleParts,
  run: Pick<RunState, 'header' | 'plan' | 'approvals'>,
  viewer: Person,
): Promise<ApproverWarning[]> {
  const links = (await ownLinks(parts, run, viewer.id)).map(({ personId, approver, maker, at }: OwnLink) => {
    const isViewer = personId === viewer.id;
    const words = isViewer
      ? t`${maker}, who prepared this payment, invited you on ${shownDay(at)}. Check it yourself before you approve.`
      : t`${maker}, who prepared this payment, invited ${approver} on ${shownDay(at)}. Ask ${approver} whether they opened the invitation.`;
    return { isViewer, isReset: false, words };
  });
  const resets = (await unconfirmedResets(parts, run)).map(async (change) => ({
    isViewer: change.personId === viewer.id,
    isReset: true,
    words: t`${await changeText(parts.people, change)} No other administrator has confirmed it.`,
  }));
  return [...links, ...(await Promise.all(resets))];
}
