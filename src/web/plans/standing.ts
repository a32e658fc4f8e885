import { approverOf, checkApprovals, isPreparer } from '../../approval/check.ts';
import type { Withdrawal } from '../../domain/outcomes/approve-outcome.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { counted, listed } from '../../messages/text.ts';
import { overtakenRetries } from '../../runner/retries.ts';
import type { WebParts } from '../parts.ts';
import { holdText, type PeopleParts, withdrawnBy } from '../people/access.ts';
import type { Person } from '../people/people.ts';

/** How far a plan is on its way to being paid. */
export type Standing = {
  needed: number;
  missing: number;
  /** The rows that wait for an approval of their own, and were approved by too few. */
  rowsMissing: readonly number[];
  /** The approvals that count. */
  given: readonly { name: string; at: number; until: number; rows: readonly number[] }[];
  /** Whose approvals do not count any more, and why: `was locked out since`. */
  gone: readonly { name: string; why: string }[];
  /** What keeps approvers of it from counting until another administrator confirms it, in sentences. */
  onHold: readonly string[];
  /** Whether it may be started, but for the rows that wait for an approval of their own. */
  isReady: boolean;
  /** Who still may approve it. */
  mayApprove: readonly string[];
};

/** The approvers of a plan whose approvals do not count, by key, and why in words. */
type Gone = ReadonlyMap<string, { why: Withdrawal; words: string }>;

const WHY_GONE: Readonly<Record<Exclude<Withdrawal, 'access_changed'>, string>> = {
  another_key: 'has another key since',
  locked_out: 'was locked out since',
  no_approver: 'is no approver any more',
};

/** By the page's people as they are now. */
export function goneOf(parts: PeopleParts, { plan }: Pick<RunState, 'plan'>): Gone {
  const gone = new Map<string, { why: Withdrawal; words: string }>();
  const policy = plan?.approval ?? null;
  for (const { public_key, name } of policy?.approvers ?? []) {
    const withdrawn = policy === null ? null : withdrawnBy(parts, public_key, policy);
    if (withdrawn === null) continue;
    const { why, hold } = withdrawn;
    const onHold = hold === null ? '' : holdText(parts.people, name, hold);
    gone.set(public_key, { why, words: why === 'access_changed' ? onHold : WHY_GONE[why] });
  }
  return gone;
}

type OfPlan = Pick<RunState, 'header' | 'plan' | 'approvals'>;

/** Where nobody has to approve, nothing is missing. */
export function standingOf({ header, plan, approvals }: OfPlan, nowMs: number, gone: Gone): Standing {
  if (header === null || plan === null) return NOTHING;
  const withdrawals = new Map(Array.from(gone, ([publicKey, { why }]) => [publicKey, why]));
  const checked = checkApprovals(plan, header.digest, approvals, nowMs, withdrawals);
  // Rows whose only approvals were withdrawn since wait for another approver, and are not left out.
  const isHeld = checked.rowsMissing.length > checkApprovals(plan, header.digest, approvals, nowMs).rowsMissing.length;
  const withdrawn = new Map<string, string>();
  for (const { approval, why } of checked.void) {
    const words = gone.get(approval.public_key)?.words;
    if (words !== undefined && why !== 'access_changed' && withdrawals.get(approval.public_key) === why)
      withdrawn.set(approval.approver, words);
  }
  const signed = new Set(checked.counted.map(({ public_key }) => public_key));
  const { approval: policy } = plan;
  const approvers = policy === null ? [] : policy.approvers.filter((approver) => !isPreparer(policy, approver));
  const others = approvers.filter(({ public_key }) => !signed.has(public_key) && !gone.has(public_key));
  return {
    needed: checked.needed,
    missing: Math.max(0, checked.needed - checked.approvers),
    rowsMissing: checked.rowsMissing,
    given: checked.counted.map(({ approver: name, signed_at: at, expires_at: until, rows }) => ({
      name,
      at,
      until,
      rows,
    })),
    gone: Array.from(withdrawn, ([name, why]) => ({ name, why })),
    onHold: approvers.flatMap(({ public_key }) => {
      const found = gone.get(public_key);
      return found?.why === 'access_changed' ? [found.words] : [];
    }),
    isReady: checked.needed > 0 && checked.approvers >= checked.needed && !isHeld,
    mayApprove: others.map(({ name }) => name),
  };
}

const NOTHING: Standing = {
  needed: 0,
  missing: 0,
  rowsMissing: [],
  given: [],
  gone: [],
  onHold: [],
  isReady: false,
  mayApprove: [],
};

/** What a plan waits for, in words. */
export function waitsForText({ missing, rowsMissing, mayApprove, needed }: Standing): string {
  if (needed === 0) return 'Nobody has to approve it; it is started by command.';
  if (missing > 0)
    return `Waits for ${counted(missing, 'approval')}, by ${listed(mayApprove) || 'nobody who is left'}.`;
  const { length } = rowsMissing;
  const one = '1 row to a new account still waits';
  const rows = length === 0 ? '' : ` ${length === 1 ? one : `${counted(length, 'row')} to new accounts still wait`}.`;
  return `Approved. Waits to be started.${rows}`;
}

/** The rows to new or changed accounts that this person has not approved yet. */
export function rowsLeft({ header, plan, approvals }: OfPlan, publicKey: string, nowMs: number): number[] {
  if (header === null || plan === null) return [];
  const { counted: valid } = checkApprovals(plan, header.digest, approvals, nowMs);
  const own = new Set(valid.filter(({ public_key }) => public_key === publicKey).flatMap(({ rows }) => rows));
  return plan.cooling_off.filter((row) => !own.has(row));
}

/** Why somebody may not approve a plan. */
export type WhyNot =
  | { code: 'started' | 'discarded' | 'by_command' | 'own' | 'approved' }
  | { code: 'not_among'; approvers: string[] }
  | { code: 'on_hold'; words: string }
  | { code: 'overtaken'; by: string };

const NOBODY_GONE: Gone = new Map();

/** Why this person, who is an approver of the page, may not approve this plan; null where they may. */
export function whyNotApprove(
  run: OfPlan & Pick<RunState, 'startedBy' | 'cancelled'>,
  person: Person,
  nowMs: number,
  gone: Gone,
): WhyNot | null {
  const { plan } = run;
  if (plan === null || run.startedBy !== null) return { code: 'started' };
  if (run.cancelled) return { code: 'discarded' };
  if (plan.approval === null) return { code: 'by_command' };
  const approver = approverOf(plan.approval, person.publicKey ?? '');
  if (approver === null) return { code: 'not_among', approvers: plan.approval.approvers.map(({ name }) => name) };
  if (isPreparer(plan.approval, approver)) return { code: 'own' };
  const withdrawn = gone.get(approver.public_key);
  if (withdrawn?.why === 'access_changed') return { code: 'on_hold', words: withdrawn.words };
  const has = standingOf(run, nowMs, NOBODY_GONE).given.some(({ name }) => name === approver.name);
  return has && rowsLeft(run, approver.public_key, nowMs).length === 0 ? { code: 'approved' } : null;
}

/** The reason as it stands behind a colon. */
export function whyNotText(why: WhyNot): string {
  switch (why.code) {
    case 'started':
      return 'it was started already.';
    case 'discarded':
      return 'it was given up, or a newer plan took its place.';
    case 'by_command':
      return 'it was made by command, and asks nobody for an approval.';
    case 'own':
      return 'you made it, and whoever makes a plan does not approve it.';
    case 'approved':
      return 'you have approved it.';
    case 'not_among':
      return `when it was made, you were not among its approvers: ${listed(why.approvers)}.`;
    case 'on_hold':
      return why.words;
    case 'overtaken':
      return `it can be paid no more: ${why.by}, which pays rows of the same run, was started after it was planned.`;
  }
}

/** The same as a sentence. */
export function whyNotSentence(why: WhyNot): string {
  const text = whyNotText(why);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The newest runs among which a family is looked for, as in the history. */
const RUNS_MAX = 10_000;

/** The run that took the rows of a plan which was to pay them again: the plan can be started no more. Null where it can. */
export async function overtakenBy(
  { deps }: Pick<WebParts, 'deps'>,
  { header }: Pick<RunState, 'header'>,
): Promise<string | null> {
  if (header === null || header.retries === null) return null;
  return overtakenRetries(await deps.journal.listRuns(RUNS_MAX)).get(header.run_id) ?? null;
}

/** What is said of one approver, to themself in another way. */
export type OwnLink = { words: string; isViewer: boolean };

/**
 * Of each approver of a plan who came in by a link of the person who made the plan, that it was so: that person could have
 * opened it. The viewer is left out once they have approved.
 */
export function ownLinks(
  { people, audit }: WebParts,
  { plan, approvals }: Pick<RunState, 'plan' | 'approvals'>,
  viewer: Person,
): OwnLink[] {
  const policy = plan?.approval ?? null;
  if (policy === null) return [];
  return policy.approvers.flatMap((approver) => {
    const person = people.byPublicKey(approver.public_key);
    const link = person === null || isPreparer(policy, approver) ? null : audit.linkOf(person.id);
    const maker = link?.person == null ? null : people.get(link.person);
    if (link === null || maker === null) return [];
    if (!isPreparer(policy, { name: maker.name, public_key: maker.publicKey ?? '' })) return [];
    const isViewer = person?.id === viewer.id;
    if (isViewer && approvals.some(({ public_key }) => public_key === approver.public_key)) return [];
    const [who, day] = [isViewer ? 'You' : approver.name, isoUtc(link.at).slice(0, 10)];
    return [{ isViewer, words: `${who} came in by a link that ${maker.name}, who made this plan, made on ${day}.` }];
  });
}
