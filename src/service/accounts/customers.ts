import type { OperationRequest } from '../../contract/operations.ts';
import type { Caller, Core } from '../core.ts';
import { accepted, notFound, type Outcome } from '../gateway/answers.ts';
import { availableMinor } from '../ledger/ledger.ts';
import { isoText } from '../time/clock.ts';
import { assetOf, wireMoney } from './assets.ts';

/** `account.customer.get` (specification, 4.6 and 2.7). A customer sees itself and nobody else. */
export function getCustomer(core: Core, caller: Caller, request: OperationRequest<'account.customer.get'>): Outcome {
  if (request.id !== caller.customerId) return notFound('customer');
  const row = core.store.get('SELECT * FROM customer WHERE customer = ?', caller.customer);
  if (!row) return notFound('customer');
  return accepted({
    id: row.id,
    created_at: isoText(Number(row.created_at)),
    metadata: { name: row.name, business_info: JSON.parse(String(row.business_info ?? '{}')) },
    preferences: { notifications: { transactions: true } },
  });
}

/** `account.balance.getMany`: what can be spent, and what is reserved for payouts that have not settled. */
export function getBalances(core: Core, caller: Caller): Outcome {
  const balances = core.ledger.accountsOf(`customer:${caller.customer}`).map((account) => {
    const asset = assetOf(account.code, account.chain);
    if (!asset) throw new Error(`there is a balance of ${account.code}, which the service does not keep`);
    const { currency } = asset;
    return {
      available: wireMoney(availableMinor(account), currency),
      pending: wireMoney(account.debitsPending, currency),
    };
  });
  return accepted({ balances });
}
