import type { ConvertedOrder } from '../../domain/conversion.ts';
import type { Received } from '../../domain/entry.ts';
import { askForQuote } from '../plan/quote.ts';
import type { Destination } from '../provision/destination.ts';
import { haltFor } from '../reconcile/listing.ts';
import type { RunContext } from '../run-context.ts';

/**
 * What is sent for a payout that is converted, by a quote of this moment. `rejected` where the service does not convert it
 * or it has become dearer than it may be: that is on disk then, and nothing was sent. Throws a `Halt` where the service
 * cannot be asked.
 */
export async function convert(
  context: RunContext,
  order: ConvertedOrder,
  { external_account_id }: Destination,
): Promise<{ sent: Received; received: Received } | 'rejected'> {
  const { row, source, currency, amount_minor } = order;
  const asked = { source, currency, receivedMinor: BigInt(amount_minor), to: { external_account_id } };
  const result = await askForQuote(context.client, asked, 'submit');
  if (!result.ok) {
    if (result.kind !== 'rejected') throw haltFor(result);
    return reject(context, row, result.reason ?? result.code, result.message);
  }
  const { sentMinor } = result.quote;
  const above = context.ceilings.take(order, sentMinor);
  if (above !== null) return reject(context, row, above.code, above.message);
  return {
    sent: { amount_minor: String(sentMinor), currency: source },
    received: { amount_minor, currency },
  };
}

/** No intent was written: nothing of this attempt has left the machine. */
async function reject(context: RunContext, row: number, code: string, message: string): Promise<'rejected'> {
  const { attempts: attempt } = context.payout(row);
  await context.record({ kind: 'rejected', row, attempt, code, message });
  context.ceilings.giveBack(row);
  return 'rejected';
}
