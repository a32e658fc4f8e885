import { z } from 'zod';
import { currencyResponse, fee } from './money-shapes.ts';

/**
 * Transaction record of section 2.4. Tolerant on purpose: of another deployment we rely on id, status, the amounts and
 * the description. The status is any word, and an unknown one is not final (`decisions.md`).
 */
export const transactionRecord = z.object({
  id: z.string().min(1),
  created_at: z.string(),
  status: z.string(),
  currency_in: currencyResponse,
  currency_out: currencyResponse,
  external_reference: z.string().nullish(),
  external_reference_type: z.string().nullish(),
  fees: z.array(fee).nullish(),
  metadata: z
    .object({
      description: z.string().nullish(),
      payout_reference: z.string().nullish(),
      rail: z.string().nullish(),
    })
    .nullish(),
});

/** What `transaction.get` and the events add: a snapshot of the destination, and why a payout failed (+). */
export const transactionDetail = transactionRecord.extend({
  external_account_metadata: z
    .object({
      id: z.string().nullish(),
      type: z.string().nullish(),
      account_name: z.string().nullish(),
      account_number: z.string().nullish(),
      fingerprint: z.string().nullish(),
    })
    .nullish(),
  failure_reason: z.object({ code: z.string(), message: z.string() }).nullish(),
});

export type TransactionRecord = z.infer<typeof transactionRecord>;
export type TransactionDetail = z.infer<typeof transactionDetail>;
