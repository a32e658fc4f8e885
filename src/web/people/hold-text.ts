import { isoUtc } from '../../domain/time.ts';
import type { WebParts } from '../parts.ts';
import type { AccessChange, Hold } from './access.ts';

type Given = Pick<WebParts, 'people'>;

/** `Anna reset how Bea signs in on 2026-11-25 at 10:30 UTC.` */
export function changeText({ people }: Given, { personId, by, kind, at }: AccessChange): string {
  const maker = (by === null ? null : people.get(by)?.name) ?? 'An administrator';
  const whom = people.get(personId)?.name ?? 'somebody';
  const when = momentText(at);
  switch (kind) {
    case 'sign_in':
      return `${maker} reset how ${whom} signs in on ${when}.`;
    case 'passkeys':
      return `${maker} removed the passkeys of ${whom} on ${when}.`;
    case 'access':
      return `${maker} gave ${whom} access on ${when}.`;
  }
}

/** The same with what follows for approvals by the person, and what to do. */
export function holdText(given: Given, approver: string, { change, until }: Hold): string {
  const what = `${changeText(given, change)} Approvals by ${approver} do not count for this payment`;
  const end = until === null ? '' : `, or until ${momentText(until)}`;
  const whom = given.people.get(change.personId)?.name ?? approver;
  return `${what} until another administrator confirms the change under People, ${whom}${end}.`;
}

function momentText(at: number): string {
  return `${isoUtc(at).slice(0, 16).replace('T', ' at ')} UTC`;
}
