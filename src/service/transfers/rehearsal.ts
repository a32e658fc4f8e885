/** How a payout will end. Only a name that begins with `REHEARSE_` chooses another end than `COMPLETE`. */
export type Ending = 'COMPLETE' | 'FUNDS' | 'KYB' | 'SANCTIONS' | 'MONITORING' | 'CLOSED' | 'STUCK' | 'RETURN';

/** Why a transfer failed, as `failure_reason` of `transaction.get` tells it. */
export const FAILURES = {
  INSUFFICIENT_BALANCE: 'The balance did not cover the amount and the fee at execution.',
  RECIPIENT_VERIFICATION: 'The verification of the recipient as a business failed.',
  SANCTIONS_SCREENING: 'The sanctions screening refused the recipient.',
  TRANSACTION_MONITORING: 'The transaction monitoring refused the payout.',
  RATE_DRIFT: 'The market moved away from the rate that was asked for, by more than the tolerance.',
  ACCOUNT_CLOSED: 'The destination account is closed.',
  REJECTED_BY_BANK: 'The bank of the destination refused the payout.',
} as const;

export type FailureCode = keyof typeof FAILURES;

/** The failure of each ending that is one (specification, section 3, and `decisions.md`, "Rehearsal values"). */
export const FAILURE_OF: Readonly<Partial<Record<Ending, FailureCode>>> = {
  FUNDS: 'INSUFFICIENT_BALANCE',
  KYB: 'RECIPIENT_VERIFICATION',
  SANCTIONS: 'SANCTIONS_SCREENING',
  MONITORING: 'TRANSACTION_MONITORING',
  CLOSED: 'ACCOUNT_CLOSED',
};

const NAMED: ReadonlySet<string> = new Set(['FUNDS', 'KYB', 'SANCTIONS', 'MONITORING', 'CLOSED', 'STUCK', 'RETURN']);

/**
 * The ending that the names choose: the account's if it names one, else the recipient's. The word has to be whole, so
 * `REHEARSE_CLOSEDOWN` chooses nothing; what follows it is free, so that several payees can have the same ending.
 */
export function endingOf(accountName: string, recipientName: string | null): Ending {
  return namedEnding(accountName) ?? namedEnding(recipientName ?? '') ?? 'COMPLETE';
}

function namedEnding(name: string): Ending | null {
  if (!name.startsWith('REHEARSE_')) return null;
  const word = /^REHEARSE_([A-Z]+)(?![A-Za-z0-9])/.exec(name)?.[1] ?? '';
  return NAMED.has(word) ? (word as Ending) : null;
}
