import { compile, type z } from 'zod';
import { OPERATIONS, type OperationName } from '../../contract/operations.ts';
import { getCustomer } from '../accounts/customers.ts';
import { addBankAccount, addWallet, getAccounts } from '../accounts/external-accounts.ts';
import { createRecipient, getRecipient, getRecipients } from '../accounts/recipients.ts';
import type { Caller, Core } from '../core.ts';
import { getBalances } from '../transfers/balances.ts';
import { getQuote } from '../transfers/quotes.ts';
import { getTransaction, getTransactions } from '../transfers/transactions.ts';
import { submitWithdraw, transfer } from '../transfers/transfers.ts';
import type { Outcome } from './answers.ts';

/** How one operation is carried out. A change runs inside a transaction of the committer, a read at once. */
export type Handler = {
  kind: 'read' | 'change';
  schema: z.ZodType;
  /** Whether a request may come without a body, which then means `{}`. */
  isBodyOptional: boolean;
  run(core: Core, caller: Caller, request: unknown): Outcome;
};

type Run<Name extends OperationName> = (
  core: Core,
  caller: Caller,
  request: z.output<(typeof OPERATIONS)[Name]['request']>,
) => Outcome;

/** Every operation of the contract. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  handler('account.recipient.create', 'change', createRecipient),
  handler('account.recipient.get', 'read', getRecipient),
  handler('account.recipient.getMany', 'read', getRecipients),
  handler('account.external.bank.add', 'change', addBankAccount),
  handler('account.external.web3.add', 'change', addWallet),
  handler('account.external.bank.getAll', 'read', (core, caller, body) => getAccounts(core, caller, body, 'bank')),
  handler('account.external.web3.getAll', 'read', (core, caller, body) => getAccounts(core, caller, body, 'web3')),
  handler('account.balance.getMany', 'read', getBalances),
  handler('account.customer.get', 'read', getCustomer),
  handler('quote.get', 'read', getQuote),
  handler('transaction.submitWithdraw', 'change', submitWithdraw),
  handler('transaction.transfer', 'change', transfer),
  handler('transaction.get', 'read', getTransaction),
  // Its body is optional by section 4.4, and only its.
  handler('transaction.getMany', 'read', getTransactions, true),
]);

/** The schema is compiled: several times faster, and for a body that fits, as fast as rules written by hand. */
function handler<Name extends OperationName>(
  name: Name,
  kind: Handler['kind'],
  run: Run<Name>,
  isBodyOptional = false,
): readonly [string, Handler] {
  const schema = compile(OPERATIONS[name].request as z.ZodType);
  return [name, { kind, schema, isBodyOptional, run: run as Handler['run'] }];
}
