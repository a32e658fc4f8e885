import type { ExternalAccount } from '../../client/wire.ts';
import { comparable } from '../../domain/payee.ts';
import { compact } from '../../domain/rails/fields/digits.ts';
import type { NeededAccount } from './payees.ts';

/** `unclear`: nothing that the service shows differs, and something that tells accounts apart is not shown. */
export type AccountMatch = 'different' | 'unclear' | 'same';

/** How many characters of a number a service leaves unmasked. */
const SHOWN_DIGITS = 4;

/**
 * Compares a record with an account where the service gives no fingerprints: type, routing code, last four and holder's
 * name (`decisions.md`), a number that is shown whole as a whole, a wallet's chain, and the BIC where there is one. The
 * last four of an e-mail address (`.com`) tell nobody apart: a PIX key of that kind is known only where it is shown whole.
 */
export function matchAccount(record: ExternalAccount, { destination }: NeededAccount): AccountMatch {
  const { rail, fields, account_name } = destination;
  if (record.type !== rail) return 'different';
  if (record.bic && fields.bic && headOffice(record.bic) !== headOffice(fields.bic)) return 'different';
  const isWallet = rail === 'WEB3';
  const number = isWallet ? fields.wallet_address : fields.account_number;
  const shown = isWallet ? (record.address ?? record.account_number) : record.account_number;
  const compared = [
    matchNumbers(shown ?? '', number),
    matchTexts(compact(record.national_clearing_code ?? ''), compact(fields.national_clearing_code)),
    matchTexts(comparable(record.account_name ?? ''), comparable(account_name)),
    isWallet ? matchTexts(comparable(record.chain ?? ''), comparable(fields.chain)) : 'same',
  ];
  if (compared.includes('different')) return 'different';
  return compared.includes('unclear') ? 'unclear' : 'same';
}

/** What two accounts have in common that `matchAccount` cannot tell apart. */
export function looksOf({ destination }: NeededAccount): string {
  const { rail, fields, account_name } = destination;
  const number = compact(rail === 'WEB3' ? fields.wallet_address : fields.account_number);
  const parts = [rail, compact(fields.national_clearing_code), number.slice(-SHOWN_DIGITS), comparable(account_name)];
  return parts.join('|');
}

function matchTexts(shown: string, ours: string): AccountMatch {
  if (shown === ours) return 'same';
  return shown === '' ? 'unclear' : 'different';
}

function matchNumbers(shown: string, number: string): AccountMatch {
  const isEmail = number.includes('@');
  const [theirs, ours] = [shown, number].map((text) => (isEmail ? text.trim().toUpperCase() : compact(text))) as [
    string,
    string,
  ];
  if (theirs === ours) return 'same';
  if (!isMasked(theirs) && theirs.length > SHOWN_DIGITS) return 'different';
  const visible = /[^•*·●#…]*$/.exec(theirs)?.[0].replace(/^X{2,}/, '') ?? '';
  if (visible.length < SHOWN_DIGITS) return 'unclear';
  if (visible.slice(-SHOWN_DIGITS) !== ours.slice(-SHOWN_DIGITS)) return 'different';
  return isEmail ? 'unclear' : 'same';
}

/** Dots, stars and crosses hide digits. A whole number has none, and two letters X in a row are rare enough. */
function isMasked(number: string): boolean {
  return /[•*·●#…]|XX/.test(number);
}

/** A BIC of eight characters names the head office, as does the same one with the branch XXX. */
function headOffice(bic: string): string {
  return compact(bic).replace(/^(.{8})XXX$/, '$1');
}
