import type { PagePolicy } from '../../app/launcher/tasks.ts';
import type { PeopleParts } from '../../app/people/access.ts';
import type { ApiToken } from '../../app/people/api-tokens.ts';
import type { Role } from '../../app/people/grants.ts';
import type { People, Person } from '../../app/people/people.ts';
import { type OfRun, PersonSight } from '../../app/people/sight.ts';
import type { StartTime } from '../../domain/entry.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { t, textTable } from '../../messages/translate.ts';
import type { WebParts } from '../parts.ts';
import { changeText, untilText } from '../people/access-words.ts';
import type { Problem } from '../shell/parts.ts';
import { placeOfNew } from '../sights.ts';
import type { Upload } from '../uploads/uploads.ts';

const HOUR_MS = 3_600_000;
const VALID_HOURS = 72;
const VALID_MAX_HOURS = 31 * 24;
const AFTER_HOURS = 96;

/** Why there is no plan where nobody could approve it. */
export const NO_APPROVER: Problem = textTable({
  message: 'Nobody here could approve this plan, because nobody can approve their own plan.',
  remedy: 'An administrator can invite an approver, or give someone the role; then plan it again.',
});

/**
 * Who approves a plan: `known` where its job names them, or the run that is retried; else everybody of the page with that
 * role, one approval. `nobody`: only who makes the plan could approve it.
 */
type Policy = { outcome: 'known' } | { outcome: 'of_page'; policy: PagePolicy } | { outcome: 'nobody' };

/** Who makes a plan; `token` where a program does it for them, whose own key then signs it. */
export type PlanMaker = { person: Person; token?: Pick<ApiToken, 'name' | 'keyFile' | 'publicKey'> };

/** `start`: when it is to be started on its own. Throws a `Refusal` where the run that the file corrects cannot be read. */
export async function policyOf(
  parts: WebParts,
  { corrects, job, connectionId }: Upload,
  maker: PlanMaker,
  start: StartTime | null,
): Promise<Policy> {
  if (corrects === null)
    return hasOwnPolicy(parts, job)
      ? { outcome: 'known' }
      : pagePolicy(parts, maker, await placeOfNew(parts, { job, connectionId }), start);
  const retried = await parts.runs.read(corrects);
  if (retried !== null) return retryPolicy(parts, retried.run, maker.person, start);
  throw new Refusal({ code: 'corrected_run_unreadable' });
}

/** Who approves a retry. */
export async function retryPolicy(
  parts: WebParts,
  { header, plan }: RunState,
  maker: Person,
  start: StartTime | null,
): Promise<Policy> {
  const isKnown = hasOwnPolicy(parts, header?.job ?? null) || (plan?.approval ?? null) !== null;
  return isKnown ? { outcome: 'known' } : pagePolicy(parts, { person: maker }, header ?? { job: null }, start);
}

function hasOwnPolicy({ deps }: WebParts, job: string | null): boolean {
  return deps.jobs().some(({ name, namesApprovers }) => name === job && namesApprovers);
}

async function pagePolicy(
  { people, deps }: WebParts,
  { person: maker, token }: PlanMaker,
  header: OfRun,
  start: StartTime | null = null,
): Promise<Policy> {
  const approvers = await named(people, 'approver', header);
  if (approvers.every(({ public_key }) => public_key === maker.publicKey)) return { outcome: 'nobody' };
  const preparers = await named(people, 'preparer', header);
  // What stands before the @ is the person: they approve no plan of their programs. No name on the page has one.
  if (token?.publicKey != null) preparers.push({ name: `${maker.name}@api`, public_key: token.publicKey });
  return {
    outcome: 'of_page',
    policy: { preparers, approvers, required: '1', ...validity(deps.clock.wallMs(), start) },
  };
}

/**
 * An approval lasts for 72 hours; of what is scheduled when it is submitted until four days after its time, which no weekend with
 * holidays is longer than; for 31 days at most.
 */
function validity(nowMs: number, start: StartTime | null): { valid_for?: string } {
  if (start === null) return {};
  const hours = Math.ceil((start.at - nowMs) / HOUR_MS) + AFTER_HOURS;
  return { valid_for: `${Math.min(Math.max(hours, VALID_HOURS), VALID_MAX_HOURS)}h` };
}

/** Who has the role for such payments, and sees what they do. */
async function named(people: People, role: Role, header: OfRun): Promise<{ name: string; public_key: string }[]> {
  return (await people.withRole(role)).flatMap((person) => {
    const { sees, roles } = new PersonSight(person).ofRun(header);
    const { name, publicKey } = person;
    return publicKey === null || sees !== 'all' || !roles.includes(role) ? [] : [{ name, public_key: publicKey }];
  });
}

/** Why nobody could approve what this person uploads, in sentences, before they upload it; null where somebody can. */
export async function whyNoApprover(
  { people, access }: PeopleParts,
  maker: Person,
  { isLive, ...header }: OfRun & { isLive: boolean },
): Promise<string[] | null> {
  const policy = { preparer: maker.name, preparer_key: maker.publicKey ?? '' };
  const whys: string[] = [];
  for (const { name, public_key } of await named(people, 'approver', header)) {
    if (public_key === maker.publicKey) continue;
    const hold = await access.onHold(public_key, policy, isLive);
    if (hold === null) return null;
    whys.push(t`${await changeText(people, hold.change)} ${name} can approve your payments ${untilText(hold)}.`);
  }
  return whys;
}
