import type { AboveCeiling } from '../../domain/entries/payout.ts';
import type { CANCELLED, COOLING_OFF, ON_HOLD } from '../../domain/run/left-out.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { Reason } from './reasons.ts';
import { OF_ROWS } from './row-reasons.ts';

/** By the service's code for a payout that failed. Codes of other services become NARR, with the service's own words. */
export const OF_FAILURES: Readonly<Record<string, Reason>> = {
  ACCOUNT_CLOSED: 'AC04',
  INSUFFICIENT_BALANCE: 'AM04',
  RATE_DRIFT: 'NARR',
  RECIPIENT_VERIFICATION: 'RR04',
  REJECTED_BY_BANK: 'MS03',
  SANCTIONS_SCREENING: 'RR04',
  TRANSACTION_MONITORING: 'RR04',
};

/** By the service's code for a request that it refused. */
const OF_REFUSALS: Readonly<Record<string, Reason>> = {
  BELOW_MINIMUM: 'AM06',
  CRYPTO_TO_CRYPTO: 'AM03',
  INVALID: 'NARR',
  NOT_PAYABLE: 'AM03',
  NOT_RECEIVABLE: 'AM03',
  RAIL_CURRENCY_MISMATCH: 'AM03',
  RATE_DRIFT: 'NARR',
  REFERENCE_TOO_LONG: 'RR07',
  SAME_CURRENCY: 'AM03',
};

/** Why payrun itself rejects a payout. */
const OF_CEILINGS: Readonly<Record<AboveCeiling['code'], Reason>> = {
  rate_above_ceiling: 'AM02',
  run_above_ceiling: 'AM02',
  limit_per_payout: 'AM02',
  limit_per_run: 'AM02',
};

/** Decisions about a run that leave a row out. */
const OF_DECISIONS: Readonly<Record<typeof CANCELLED | typeof COOLING_OFF | typeof ON_HOLD, Reason>> = {
  cancelled: 'DS02',
  cooling_off: 'DS0A',
  payee_on_hold: 'NARR',
};

/**
 * Why a payout is not paid, as far as a code says it; `NARR` where words do. `MS03` is for what has neither: `hasWords` is
 * whether the row has some.
 */
export function reasonOf(payout: PayoutState, hasWords: boolean): Reason {
  return codedReason(payout) ?? (hasWords ? 'NARR' : 'MS03');
}

function codedReason(payout: PayoutState): Reason | null {
  switch (payout.state) {
    case 'failed':
      return inTable(OF_FAILURES, payout.final.code ?? '');
    case 'rejected':
      return payout.above === null ? inTable(OF_REFUSALS, payout.code) : OF_CEILINGS[payout.above.code];
    case 'not_submitted':
      return inTable(OF_DECISIONS, payout.code) ?? inTable(OF_ROWS, payout.code);
    case 'waiting':
    case 'sending':
    case 'in_doubt':
    case 'unresolved':
    case 'suspected':
    case 'accepted':
    case 'completed':
      return null;
  }
}

function inTable(table: Readonly<Record<string, Reason>>, code: string): Reason | null {
  return (Object.hasOwn(table, code) ? table[code] : undefined) ?? null;
}
