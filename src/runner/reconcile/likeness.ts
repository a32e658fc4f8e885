import type { ExternalAccount } from '../../client/wire.ts';
import { comparable } from '../../domain/payee.ts';
import { compact } from '../../domain/rails/fields/digits.ts';
import type { NeededAccount } from '../provision/payees.ts';

/** `unclear`: nothing that the service shows differs, and something that tells accounts apart is not shown. */
export type Likeness = 'other' | 'unclear' | 'alike';

/** How many characters of a number a service leaves unmasked. */
const SHOWN_DIGITS = 4;

/**
 * Compares a record with an account where the service gives no fingerprints: type, routing code, last four and holder's
 * name (`decisions.md`), a number that is shown whole as a whole, a wallet's chain, and the BIC where there is one. The
 * last four of an e-mail address (`.com`) tell nobody apart: a PIX key of that kind is known only where it is shown whole.
 */
export function likenessOf(record: ExternalAccount, { destination }: NeededAccount): Likeness {
  const { rail, fields, account_name } = destination;
  if (record.type !== rail) return 'other';
  if (record.bic && fields.bic && headOffice(record.bic) !== headOffice(fields.bic)) return 'other';
  const isWallet = rail === 'WEB3';
  const number = isWallet ? fields.wallet_address : fields.account_number;
  const shown = isWallet ? (record.address ?? record.account_number) : record.account_number;
  const compared = [
    compareNumbers(shown ?? '', number),
    compareTexts(compact(record.national_clearing_code ?? ''), compact(fields.national_clearing_code)),
    compareTexts(comparable(record.account_name ?? ''), comparable(account_name)),
    isWallet ? compareTexts(comparable(record.chain ?? ''), comparable(fields.chain)) : 'alike',
  ];
  if (compared.includes('other')) return 'other';
  return compared.includes('unclear') ? 'unclear' : 'alike';
}

/** What two accounts have in common that may be taken for one another by `likenessOf`. */
export function looksOf({ destination }: NeededAccount): string {
  const { rail, fields, account_name } = destination;
  const number = compact(rail === 'WEB3' ? fields.wallet_address : fields.account_number);
  const parts = [rail, compact(fields.national_clearing_code), number.slice(-SHOWN_DIGITS), comparable(account_name)];
  return parts.join('|');
}

function compareTexts(shown: string, ours: string): Likeness {
  if (shown === ours) return 'alike';
  return shown === '' ? 'unclear' : 'other';
}

function compareNumbers(shown: string, number: string): Likeness {
  const theirs = number.includes('@') ? shown.trim().toUpperCase() : compact(shown);
  const ours = number.includes('@') ? number.trim().toUpperCase() : compact(number);
  if (theirs === ours) return 'alike';
  if (!isMasked(theirs) && theirs.length > SHOWN_DIGITS) return 'other';
  const visible = /[^•*·●#…]*$/.exec(theirs)?.[0].replace(/^X{2,}/, '') ?? '';
  if (visible.length < SHOWN_DIGITS) return 'unclear';
  if (visible.slice(-SHOWN_DIGITS) !== ours.slice(-SHOWN_DIGITS)) return 'other';
  return number.includes('@') ? 'unclear' : 'alike';
}

/** Dots, stars and crosses hide digits. A whole number has none, and two letters X in a row are rare enough. */
function isMasked(number: string): boolean {
  return /[•*·●#…]|XX/.test(number);
}

/** A BIC of eight characters names the head office, as does the same one with the branch XXX. */
function headOffice(bic: string): string {
  return compact(bic).replace(/^(.{8})XXX$/, '$1');
}
