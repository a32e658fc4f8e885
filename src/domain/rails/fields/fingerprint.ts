import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { RailFields, RailName } from '../rail.ts';
import { compact } from './digits.ts';

/** Hex SHA-256 of `fingerprintText`: recognises an account without telling its number. */
export function fingerprint(rail: RailName, fields: RailFields): string {
  return bytesToHex(sha256(utf8ToBytes(fingerprintText(rail, fields))));
}

/**
 * `type|national_clearing_code|account_number|bic`, or `WEB3|chain|address` for wallets, each part upper-cased with
 * blanks and hyphens removed (`decisions.md`, shapes). An e-mail address that is a PIX key keeps its hyphens: they are
 * part of it, and without them two people would have one fingerprint.
 */
export function fingerprintText(rail: RailName, fields: RailFields): string {
  if (rail === 'WEB3') return `WEB3|${compact(fields.chain)}|${compact(fields.wallet_address)}`;
  const { account_number } = fields;
  const account = account_number.includes('@') ? account_number.trim().toUpperCase() : compact(account_number);
  return `${rail}|${compact(fields.national_clearing_code)}|${account}|${compact(fields.bic)}`;
}
