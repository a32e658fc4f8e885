import type { RunRow } from '../../domain/entry.ts';
import { maskIdentifier } from '../../domain/mask.ts';

/** Where a payout goes: rail and masked number, or the service's id of an account that the input names. */
export function accountText(destination: NonNullable<RunRow['order']>['destination']): string {
  if (destination.kind === 'existing') return destination.external_account_id;
  const { account_number, wallet_address } = destination.fields;
  return `${destination.rail} ${maskIdentifier(account_number || wallet_address)}`;
}
