import type { AccessChange, Hold } from '../../app/people/access.ts';
import type { Grant, Role } from '../../app/people/grants.ts';
import type { NameFault, People } from '../../app/people/people.ts';
import { NAME_MAX } from '../../app/people/people.ts';
import { shownMoment, zoneName } from '../../messages/local-time.ts';
import { t, textTable } from '../../messages/translate.ts';

export const ROLE_WORDS: Readonly<Record<Role, { label: string; means: string }>> = textTable({
  preparer: { label: 'Preparer', means: 'uploads files, prepares payments, starts approved payments' },
  approver: { label: 'Approver', means: 'approves payments prepared by others' },
  viewer: { label: 'Viewer', means: 'sees payments and reports, changes nothing' },
  administrator: { label: 'Administrator', means: 'invites people, changes roles, deactivates members' },
});

/** The roles as the activity names them. */
export const ROLE_NAMES: Readonly<Record<string, string>> = textTable({
  preparer: 'preparer',
  approver: 'approver',
  viewer: 'viewer',
  administrator: 'administrator',
});

export const NAME_FAULTS: Readonly<Record<NameFault, string>> = textTable({
  missing: 'Enter a name.',
  get too_long() {
    return t`Enter at most ${NAME_MAX} characters.`;
  },
  unprintable: 'Enter a name with visible letters.',
  email: 'Enter a name, not an e-mail address.',
});

/** `Anna reset how Bea signs in on 25 Nov, 10:30 UTC.` */
export async function changeText(people: People, { personId, by, kind, at }: AccessChange): Promise<string> {
  const maker = (by === null ? null : (await people.get(by))?.name) ?? t`An administrator`;
  const person = await people.nameOf(personId);
  const when = momentText(at);
  switch (kind) {
    case 'sign_in':
      return t`${maker} reset how ${person} signs in on ${when}.`;
    case 'passkeys':
      return t`${maker} removed the passkeys of ${person} on ${when}.`;
    case 'access':
      return t`${maker} gave ${person} access on ${when}.`;
  }
}

/** The same with what follows for approvals by the person, and what to do. */
export async function holdText(people: People, approver: string, hold: Hold): Promise<string> {
  const what = t`${await changeText(people, hold.change)} Approvals by ${approver} do not count for this payment`;
  const person = (await people.get(hold.change.personId))?.name ?? approver;
  const end = hold.until === null ? '' : t`, or until ${momentText(hold.until)}`;
  return t`${what} until another administrator confirms the change under Team, ${person}${end}.`;
}

/** `once another administrator has confirmed it under Team, or on 26 Nov, 10:30 UTC`. */
export function untilText({ until }: Hold): string {
  const end = until === null ? '' : t`, or from ${momentText(until)} on`;
  return t`once another administrator has confirmed that under Team${end}`;
}

function momentText(at: number): string {
  return `${shownMoment(at, 'sentence')} ${zoneName(at)}`;
}

const ALL_ENTITIES = 'all entities';
const ALL_JOBS = 'all jobs';

/** A grant as the audit log has it, the same for all readers: `approver, all entities, job salaries, names and amounts hidden`. */
export function grantRecord({ role, entity, job, details }: Grant): string {
  const where = `${entity === null ? ALL_ENTITIES : `entity ${entity}`}, ${job === null ? ALL_JOBS : `job ${job}`}`;
  return `${role}, ${where}${details ? '' : ', names and amounts hidden'}`;
}

/** What was recorded so, in the words of who reads it; null for what is no such record. */
export function grantText(recorded: string): string | null {
  const [role = '', entity, job, hidden] = recorded.split(', ');
  const name = ROLE_NAMES[role];
  if (name === undefined || entity === undefined || job === undefined) return null;
  const inEntity = entity === ALL_ENTITIES ? t`all entities` : t`entity ${entity.slice('entity '.length)}`;
  const ofJob = job === ALL_JOBS ? t`all jobs` : t`job ${job.slice('job '.length)}`;
  return `${name}, ${inEntity}, ${ofJob}${hidden === undefined ? '' : t`, names and amounts hidden`}`;
}
