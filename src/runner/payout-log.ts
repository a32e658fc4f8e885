import type { PayoutState } from '../domain/run/payout.ts';
import type { Log } from '../platform/log.ts';

/** What each log line about a payout carries, as far as it is known. `duration_ms` is the time since its attempt began. */
export type PayoutFields = { row: number; attempt: number; token?: string; transaction?: string; duration_ms?: number };

export function payoutFields(row: number, payout: PayoutState, nowMs: number): PayoutFields {
  const fields = { row, attempt: payout.attempts };
  if ('intent' in payout) return { ...fields, token: payout.intent.token, duration_ms: nowMs - payout.intentAt };
  if (!('sent' in payout))
    return 'token' in payout && payout.token !== null ? { ...fields, token: payout.token } : fields;
  const { token, transaction_id, submittedAt } = payout.sent;
  return { ...fields, token, transaction: transaction_id, duration_ms: nowMs - submittedAt };
}

const LEVELS: Readonly<Record<PayoutState['state'], keyof Log>> = {
  waiting: 'debug',
  sending: 'debug',
  in_doubt: 'warn',
  accepted: 'debug',
  completed: 'debug',
  failed: 'info',
  rejected: 'info',
  unresolved: 'warn',
  suspected: 'warn',
  not_submitted: 'debug',
};

/** One line for each state that a payout comes to, with the code of its reason: what the service says may name an account. */
export function logState(log: Log, fields: PayoutFields, payout: PayoutState): void {
  log[LEVELS[payout.state]]({ ...fields, ...whyOf(payout) }, `payout ${payout.state.replaceAll('_', ' ')}`);
}

function whyOf(payout: PayoutState): Record<string, unknown> {
  if ('final' in payout) return { code: payout.final.code };
  if ('reason' in payout) return { reason: typeof payout.reason === 'string' ? 'text' : payout.reason.code };
  return 'code' in payout ? { code: payout.code } : {};
}
