import type { KnownPayee, Payroll } from './payroll.ts';
import type { SimService } from './sim-service.ts';

/** Makes at the service what it knows before the run, and tells its ids. */
export function makeKnown(service: SimService, known: readonly KnownPayee[]): Parameters<Payroll['rows']>[0] {
  const made = known.map(({ name, email, accounts }) => {
    const { id } = service.direct('account.recipient.create', {
      metadata: { name, ...(email === null ? {} : { email }) },
    });
    return { id: String(id), accounts: accounts.map((account) => makeAccount(service, id, account)) };
  });
  return {
    recipientId: (payee) => made[payee]?.id ?? '',
    accountId: (payee, account) => made[payee]?.accounts[account] ?? '',
  };
}

function makeAccount(
  service: SimService,
  recipientId: unknown,
  { rail, account_name, fields }: KnownPayee['accounts'][number],
): string {
  const named = { recipient_id: recipientId, account_name };
  if (rail === 'WEB3') {
    const { wallet_address: address, chain } = fields;
    return String(service.direct('account.external.web3.add', { ...named, address, chain }).id);
  }
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  return String(service.direct('account.external.bank.add', { ...named, type: rail, ...given }).id);
}
