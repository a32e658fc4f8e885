import { Refusal } from '../../domain/refusal.ts';
import type { DatabaseFault } from '../../domain/refusals/journal-reasons.ts';

/** A statement that the database did not make; `cause` is what the driver says of it. */
export class StatementFailed extends Error {
  constructor(cause: unknown) {
    super('a statement failed', { cause });
    this.name = 'StatementFailed';
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const LOCK_NOT_AVAILABLE = '55P03';

/** Another transaction was in the way, and nothing was written: serialization_failure, deadlock_detected. */
export const TRY_AGAIN: ReadonlySet<string> = new Set(['40001', '40P01']);

const SQL_STATE = /^[0-9A-Z]{5}$/;

/** The code with which the database itself refused a statement, and undid it; empty where it gave no answer. */
export function sqlState(error: unknown): string {
  const cause = error instanceof StatementFailed ? error.cause : error;
  if (!(cause instanceof Error) || !('severity' in cause) || !('code' in cause)) return '';
  return typeof cause.code === 'string' && SQL_STATE.test(cause.code) ? cause.code : '';
}

/** Class 57P: the database ends the connection. Class 25P03: it ended it because the transaction stood still. */
const ENDS_CONNECTION = /^57P|^25P03|^25P04|^08/;

/** Whether a connection is of no use any more after an error. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof StatementFailed)) return false;
  const state = sqlState(error);
  return state === '' || ENDS_CONNECTION.test(state);
}

/** Those that the database or the network explains. */
type Explained = Extract<DatabaseFault, { cause: string }>['why'];

const FAULTS: Readonly<Record<string, Explained>> = {
  '28P01': 'login',
  '28000': 'login',
  '3D000': 'missing',
  '42501': 'rights',
  '53100': 'full',
  '53200': 'full',
  '53300': 'too_many_connections',
  '25006': 'read_only',
  '57P03': 'unreachable',
  '57P01': 'unreachable',
  '57P02': 'unreachable',
};

/** Codes of OpenSSL and Node for a certificate or a handshake: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH)/;

/** Why a database cannot be used, by the code of what failed; null for an error that says something else. */
export function databaseRefusal(failed: StatementFailed, shown: string): Refusal | null {
  const { cause } = failed;
  const why = FAULTS[sqlState(cause)] ?? (sqlState(cause) === '' ? connectionFault(cause) : null);
  const message = cause instanceof Error ? cause.message : String(cause);
  return why === null
    ? null
    : new Refusal({ code: 'database_unusable', database: shown, fault: { why, cause: message } });
}

/** Of what no database has answered. */
function connectionFault(cause: unknown): 'tls' | 'unreachable' {
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return TLS_CODE.test(code) ? 'tls' : 'unreachable';
}
