import type { Client } from '../../client/client.ts';
import type { Profile } from '../../domain/profile.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isWhatWasSent } from '../../runner/wait/poll.ts';

/**
 * A run goes on only at the service where it began. At another one everything that was sent looks absent, and would be
 * paid a second time. Where address or key are not the run's own, one of its transactions must be readable there.
 * Throws a `Refusal` (`usage`).
 */
export async function proveSameService(
  client: Client,
  run: RunState,
  profile: Profile,
  isRehearsal: boolean,
): Promise<void> {
  const header = run.header;
  if (header === null) return;
  if (isRehearsal !== header.rehearsal) {
    const was = header.rehearsal ? 'a rehearsal' : 'no rehearsal';
    throw new Refusal('usage', `This run is ${was}, and the service says otherwise.`, 'Resume it where it began.');
  }
  const { base_url, api_key } = header.profile;
  if (profile.base_url === base_url && profile.api_key === api_key) return;
  let isInDoubt = false;
  for (const payout of run.payouts.values()) {
    if ('sent' in payout) {
      const { transaction_id } = payout.sent;
      const found = await client.read('transaction.get', { id: transaction_id });
      if (found.ok && isWhatWasSent(found.data, payout.sent)) return;
      throw new Refusal(
        'usage',
        `The service does not know ${transaction_id}, which is a transaction of this run: it is another service.`,
        'Resume the run at the service where it began.',
      );
    }
    isInDoubt ||= 'intent' in payout;
  }
  if (!isInDoubt) return;
  throw new Refusal(
    'usage',
    'A payout of this run is in doubt, and nothing shows that this is the service where it was sent.',
    'Resume the run with the address and the key with which it began.',
  );
}
