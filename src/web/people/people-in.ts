import type { Clock, Randomness } from '../../domain/clock.ts';
import { AuditLog } from '../audit/audit-log.ts';
import type { WebStore } from '../store/open.ts';
import { Access } from './access.ts';
import { People } from './people.ts';

/** Who uses the page, what they did, and what of it keeps approvals from counting. */
export function peopleIn(store: WebStore, clock: Clock, randomness: Randomness) {
  const people = new People(store, clock, randomness);
  const audit = new AuditLog(store, clock);
  return { people, audit, access: new Access({ store, clock, people, audit }) };
}
