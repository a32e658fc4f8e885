import { checkIban } from '../../domain/rails/fields/iban.ts';
import type { Finding, Rail, RailFields } from '../../domain/rails/rail.ts';

const DASHES = /\p{Pd}/gu;
const UNSEEN = /\p{Cf}/gu;
const QUOTES = /^["'“”‘’]+|["'“”‘’]+$/g;
const IS_BRITISH_IBAN = /^GB\d\d[A-Z]{4}\d{14}$/;
const IS_USUAL = /^(?!["'])[\p{ASCII}]*(?<!["'])$/u;

/**
 * The finding with a suggestion, where the field is right but for characters that cannot be seen, only look like digits
 * or hyphens (`６０–１６`), stand around it as quotes, or group an IBAN: they come with what is copied from a mail or a PDF.
 */
export function withCleanField(finding: Finding, rail: Rail, fields: RailFields): Finding {
  const { field, severity, suggestion } = finding;
  if (field === 'reference' || severity !== 'error' || suggestion !== undefined) return finding;
  if (rail.name === 'GBP_FPS' && IS_BRITISH_IBAN.test(fields.account_number)) return ofBritishIban(finding, fields);
  const clean = cleaned(fields[field], finding.code.startsWith('iban_'));
  if (clean === fields[field] || clean === '') return finding;
  const mended = rail.normalise({ ...fields, [field]: clean });
  if (rail.check(mended).some((other) => other.field === field && other.severity === 'error')) return finding;
  return {
    ...finding,
    remedy: `Write ${mended[field]} alone: what else is in the cell cannot be seen, or does not belong there.`,
    suggestion: mended[field],
  };
}

/** A British IBAN holds the sort code and the account number; to write the one alone would lose the other. */
function ofBritishIban(
  finding: Finding,
  { account_number: iban, national_clearing_code: written }: RailFields,
): Finding {
  if (checkIban(iban).length > 0) return finding;
  const sortCode = iban.slice(8, 14);
  const account = iban.slice(14);
  if (finding.field === 'national_clearing_code')
    return written === '' ? { ...finding, remedy: `Write ${sortCode}, which is in the IBAN.` } : finding;
  return {
    ...finding,
    message: 'The cell holds an IBAN, and GBP_FPS takes an account number and a sort code.',
    remedy: `Write ${account} here, and ${sortCode} into the column national_clearing_code.`,
    ...(written === sortCode && { suggestion: account }),
  };
}

/** The check digits of an IBAN tell whether what was left out belonged to it; nothing does where there are none. */
function cleaned(text: string, isIban: boolean): string {
  if (isLettersAndDigits(text)) return text;
  const usual = IS_USUAL.test(text)
    ? text
    : text.normalize('NFKC').replace(UNSEEN, '').replace(DASHES, '-').trim().replace(QUOTES, '');
  return isIban ? usual.replace(/[./:_]+/g, '') : usual;
}

/** What nearly every wrong field is too. */
function isLettersAndDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at) | 0x20;
    if (!((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39))) return false;
  }
  return true;
}
