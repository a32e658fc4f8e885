import type { Client } from '../../client/client.ts';
import type { Profile } from '../../domain/profile.ts';
import type { AnotherService } from '../../domain/refusals/run-reasons.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isWhatWasSent } from '../../runner/poll.ts';

/**
 * A run goes on only at the service where it began. At another one everything that was sent looks absent, and would be
 * paid a second time. Where address or key are not the run's own, one of its transactions must be readable there. Null
 * where it is that service.
 */
export async function anotherService(
  client: Client,
  run: RunState,
  profile: Profile,
  isRehearsal: boolean,
): Promise<AnotherService | null> {
  const { header } = run;
  if (header === null) return null;
  const code = 'another_service';
  if (isRehearsal !== header.rehearsal) return { code, why: 'rehearsal_differs', wasRehearsal: header.rehearsal };
  const { base_url, api_key } = header.profile;
  if (profile.base_url === base_url && profile.api_key === api_key) return null;
  let isInDoubt = false;
  for (const payout of run.payouts.values()) {
    if ('sent' in payout) {
      const transactionId = payout.sent.transaction_id;
      const found = await client.read('transaction.get', { id: transactionId });
      if (found.ok && isWhatWasSent(found.data, payout.sent)) return null;
      return { code, why: 'unknown_transaction', transactionId };
    }
    isInDoubt ||= 'intent' in payout;
  }
  return isInDoubt ? { code, why: 'nothing_shows_it' } : null;
}
