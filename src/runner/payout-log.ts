import type { PayoutState } from '../domain/run/payout.ts';
import type { Log } from '../platform/log.ts';

/** The fields of every log line about a payout, as far as known. `duration_ms`: time since its attempt began. */
export type PayoutFields = { row: number; attempt: number; token?: string; transaction?: string; duration_ms?: number };

export function payoutFields(row: number, payout: PayoutState, nowMs: number): PayoutFields {
  const fields = { row, attempt: payout.attempts };
  if ('intent' in payout) return { ...fields, token: payout.intent.token, duration_ms: nowMs - payout.intentAt };
  if (!('sent' in payout))
    return 'token' in payout && payout.token !== null ? { ...fields, token: payout.token } : fields;
  const { token, transaction_id, submittedAt } = payout.sent;
  return { ...fields, token, transaction: transaction_id, duration_ms: nowMs - submittedAt };
}

const LEVELS: Readonly<Record<PayoutState['state'], 'debug' | 'info' | 'warn'>> = {
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

/**
 * Logs each state a payout reaches, with its reason code only: the service's own text may contain an account number.
 */
export function logState(log: Log, fields: () => PayoutFields, payout: PayoutState): void {
  const level = LEVELS[payout.state];
  if (level === 'debug' && log.isDebugOff) return;
  log[level]({ ...fields(), ...whyOf(payout) }, `payout ${payout.state.replaceAll('_', ' ')}`);
}

function whyOf(payout: PayoutState): Record<string, unknown> {
  if ('final' in payout) return { code: payout.final.code };
  if ('reason' in payout) return { reason: typeof payout.reason === 'string' ? 'text' : payout.reason.code };
  return 'code' in payout ? { code: payout.code } : {};
}
