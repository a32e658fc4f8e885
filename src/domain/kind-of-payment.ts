import type { RunCreated } from './entry.ts';
import type { Profile } from './profile.ts';

/** Whether a run moves money, and where. */
export type KindOfPayment = Pick<RunCreated, 'rehearsal' | 'scope'>;

/** The same of a run that is not made yet: null is what nobody knows before the service has answered. */
export type KindAhead = { rehearsal: boolean | null; scope: string | null };

/**
 * Whether an earlier run counts where somebody asks if the same was paid before. A rehearsal pays nobody, so it counts for
 * rehearsals alone, and payments count for payments, through whichever service they went: the payee has the money. A
 * service that claims now the one and now the other is believed in neither.
 */
export function countsFor(run: KindAhead, earlier: KindOfPayment): boolean {
  return earlier.rehearsal === run.rehearsal || earlier.scope === run.scope;
}

/** What the journal calls a service: its records are known to one key at one address. */
export function scopeOf(baseUrl: string | null, keyId: string): string {
  return `${baseUrl ?? 'shipped'}|${keyId}`;
}

/** Whether two scopes are of one address: after its key was rotated, a connection has another scope at the same service. */
export function isSameAddress(one: string, other: string): boolean {
  const addressOf = (scope: string) => scope.slice(0, scope.lastIndexOf('|'));
  return addressOf(one) === addressOf(other);
}

/** What is known of a run's kind before its service was asked: the one inside this process moves no money. */
export function kindAhead({ base_url, api_key }: Profile): KindAhead {
  if (base_url === null) return { rehearsal: true, scope: null };
  return { rehearsal: null, scope: scopeOf(base_url, api_key ?? '') };
}
