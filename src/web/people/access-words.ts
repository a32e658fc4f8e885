import type { AccessChange, Hold } from '../../app/people/access.ts';
import type { Role } from '../../app/people/grants.ts';
import type { NameFault, People } from '../../app/people/people.ts';
import { NAME_MAX } from '../../app/people/people.ts';
import { shownMoment, zoneName } from '../../messages/local-time.ts';
import { t, textTable } from '../../messages/translate.ts';

export const ROLE_WORDS: Readonly<Record<Role, { label: string; means: string }>> = textTable({
  preparer: { label: 'Preparer', means: 'uploads files, makes plans, starts approved runs' },
  approver: { label: 'Approver', means: 'approves plans that others made' },
  viewer: { label: 'Viewer', means: 'sees runs and reports, changes nothing' },
  administrator: { label: 'Administrator', means: 'invites people, changes roles, deactivates members' },
});

export const NAME_FAULTS: Readonly<Record<NameFault, string>> = textTable({
  missing: 'Write a name.',
  get too_long() {
    return t`Write at most ${NAME_MAX} letters.`;
  },
  unprintable: 'Write a name of letters that can be seen.',
  email: 'Write a name, and no e-mail address.',
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
