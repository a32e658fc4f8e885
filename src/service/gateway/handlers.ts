import type { z } from 'zod';
import { OPERATIONS, type OperationName, pathOf } from '../../contract/operations.ts';
import { SchemaReader } from '../../domain/lazy/schema-reader.ts';
import { getBalances, getCustomer } from '../accounts/customers.ts';
import { addBankAccount, addWallet, getAccounts } from '../accounts/external-accounts.ts';
import { createRecipient, getRecipient, getRecipients } from '../accounts/recipients.ts';
import type { Caller, Core } from '../core.ts';
import { getQuote } from '../transfers/quotes.ts';
import { getTransaction, getTransactions } from '../transfers/transactions.ts';
import { submitWithdraw, transfer } from '../transfers/transfers.ts';
import type { Outcome } from './answers.ts';

/** How an operation is carried out. A change runs inside a transaction of the committer, a read at once. */
type Operation<Request> = { kind: 'read' | 'change'; run(core: Core, caller: Caller, request: Request): Outcome };

/** Every operation of the contract. */
const TABLE: { readonly [Name in OperationName]: Operation<z.output<(typeof OPERATIONS)[Name]['request']>> } = {
  'account.recipient.create': { kind: 'change', run: createRecipient },
  'account.recipient.get': { kind: 'read', run: getRecipient },
  'account.recipient.getMany': { kind: 'read', run: getRecipients },
  'account.external.bank.add': { kind: 'change', run: addBankAccount },
  'account.external.web3.add': { kind: 'change', run: addWallet },
  'account.external.bank.getAll': {
    kind: 'read',
    run: (core, caller, body) => getAccounts(core, caller, body, 'bank'),
  },
  'account.external.web3.getAll': {
    kind: 'read',
    run: (core, caller, body) => getAccounts(core, caller, body, 'web3'),
  },
  'account.balance.getMany': { kind: 'read', run: getBalances },
  'account.customer.get': { kind: 'read', run: getCustomer },
  'quote.get': { kind: 'read', run: getQuote },
  'transaction.submitWithdraw': { kind: 'change', run: submitWithdraw },
  'transaction.transfer': { kind: 'change', run: transfer },
  'transaction.get': { kind: 'read', run: getTransaction },
  'transaction.getMany': { kind: 'read', run: getTransactions },
};

/** An operation with the reader of its requests. */
export type Handler = Operation<unknown> & {
  name: OperationName;
  request: SchemaReader<unknown>;
  /** Whether a request may come without a body, which then means `{}`: only this one, by section 4.4. */
  isBodyOptional: boolean;
};

/** By the path of the operation. */
export const HANDLERS: ReadonlyMap<string, Handler> = new Map(
  (Object.keys(OPERATIONS) as OperationName[]).map((name) => {
    const operation = TABLE[name] as Operation<unknown>;
    const request = new SchemaReader<unknown>(OPERATIONS[name].request);
    return [pathOf(name), { ...operation, name, request, isBodyOptional: name === 'transaction.getMany' }];
  }),
);
