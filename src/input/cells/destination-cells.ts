import { type Currency, isCrypto } from '../../domain/currencies.ts';
import type { Destination } from '../../domain/payee.ts';
import { type BetterRemedy, fault } from '../../domain/problem.ts';
import { checkModulus, type ModulusTable } from '../../domain/rails/fields/gbp-modulus.ts';
import { checkIban } from '../../domain/rails/fields/iban.ts';
import type { Finding, Rail, RailFields } from '../../domain/rails/rail.ts';
import { asciiOf, strangeIn, withoutUnseen } from '../../domain/strange-characters.ts';
import { checkCurrency, writtenFields } from './rail-cells.ts';
import type { RowCells } from './row-cells.ts';
import { checkName, readText } from './text-cells.ts';

const NAME_MAX = 140;
const ID_MAX = 200;

/** A reference for an account that exists at the service, whose rail the row need not name. */
const REFERENCE_MAX = 280;

/** Where the row's payout goes. Null with the problems noted. */
export function readDestination(
  cells: RowCells,
  rail: Rail | null,
  name: string,
  currency: Currency | null,
): Destination | null {
  const existing = readText(cells, 'external_account_id', ID_MAX);
  if (rail !== null) checkCurrency(cells, rail, currency);
  if (existing !== null) return { kind: 'existing', external_account_id: existing };
  const written = readText(cells, 'account_name', NAME_MAX);
  if (written !== null) checkName(cells, 'account_name', written);
  if (rail === null) return null;
  const fields = rail.normalise(writtenFields(cells));
  const found = rail.check(fields);
  warnOfLostZero(cells, rail, fields, found);
  for (const finding of found) {
    // A missing chain is the currency's problem too, and one problem is enough.
    const isOfAsset = finding.field === 'chain' && isCrypto(cells.currencyText.toUpperCase());
    if (!isOfAsset) note(cells, withCleanField(finding, rail, fields));
  }
  return { kind: 'account', rail: rail.name, account_name: written ?? name, fields };
}

/**
 * Reads `reference` by the rules of the row's rail. `isFolded`: one that the rail does not carry is written as it does
 * (`Nómina` as `Nomina`), with a warning, where nothing else is wrong with that.
 */
export function readReference(cells: RowCells, rail: Rail | null, isFolded: boolean): string | null {
  const reference = readText(cells, 'reference', rail === null ? REFERENCE_MAX : Number.POSITIVE_INFINITY);
  if (reference === null || rail === null) return reference;
  const found = rail.checkReference(reference);
  const folded = isFolded ? found.find(({ code }) => code === 'reference_characters')?.suggestion : undefined;
  if (folded !== undefined) {
    cells.warn('reference', fault('reference_folded', { written: folded, rail: rail.name }));
    return folded;
  }
  for (const finding of found) note(cells, finding);
  return reference;
}

/** Warns of an account in the UK that its bank cannot have given, by the table of modulus weights. */
export function warnOfModulus(cells: RowCells, destination: Destination, table: ModulusTable): void {
  if (destination.kind !== 'account' || destination.rail !== 'GBP_FPS') return;
  const { national_clearing_code: sortCode, account_number: account } = destination.fields;
  // One that is not even as long as it must be has another problem.
  if (!/^\d{6}$/.test(sortCode) || !/^\d{8}$/.test(account)) return;
  const modulus = checkModulus(table, sortCode, account);
  if (modulus === 'fails') cells.warn('account_number', fault('account_modulus'));
  if (modulus === 'not covered')
    cells.warn(
      'account_number',
      fault('account_modulus_unchecked', { hasSubstitutions: table.substitutions !== null }),
    );
}

function note(cells: RowCells, finding: Finding): void {
  if (finding.severity === 'error') cells.error(finding.field, finding);
  else cells.warn(finding.field, finding);
}

/**
 * Warns of an account number that is a number cell, where the rail would take it as well with a zero in front. Where it
 * has the one length that its rail knows, or the longest, there was none.
 */
function warnOfLostZero(cells: RowCells, rail: Rail, fields: RailFields, found: readonly Finding[]): void {
  const facts = cells.facts('account_number');
  if (facts?.kind !== 'number' || facts.shown !== null) return;
  const ofAccount = (findings: readonly Finding[]) => findings.filter(({ field }) => field === 'account_number');
  const now = ofAccount(found);
  const longer = ofAccount(rail.check({ ...fields, account_number: `0${fields.account_number}` }));
  if (now.some(({ severity }) => severity === 'error')) return;
  // What the zero makes wrong or unusual, it was not in front of.
  if (longer.every(({ code }) => now.some((finding) => finding.code === code)))
    cells.warn('account_number', fault('identifier_number'));
}

const DASHES = /\p{Pd}/gu;
const QUOTES = /^["'“”‘’]+|["'“”‘’]+$/g;
const IS_BRITISH_IBAN = /^GB\d\d[A-Z]{4}\d{14}$/;

/**
 * The finding with a suggestion, where the field is right but for characters that cannot be seen, only look like digits
 * or hyphens (`６０–１６`), stand around it as quotes, or group an IBAN: they come with what is copied from a mail or a PDF.
 */
function withCleanField(finding: Finding, rail: Rail, fields: RailFields): Finding {
  const { field, severity, suggestion } = finding;
  if (field === 'reference' || severity !== 'error' || suggestion !== undefined) return finding;
  if (rail.name === 'GBP_FPS' && IS_BRITISH_IBAN.test(fields.account_number)) return ofBritishIban(finding, fields);
  const clean = cleaned(fields[field], finding.code.startsWith('iban_'));
  if (clean === fields[field] || clean === '') return finding;
  const corrected = rail.normalise({ ...fields, [field]: clean });
  if (rail.check(corrected).some((other) => other.field === field && other.severity === 'error')) return finding;
  const isOtherDigit = strangeIn(withoutUnseen(fields[field])) !== null;
  return better(
    finding,
    { do: isOtherDigit ? 'write_plain' : 'write_alone', text: corrected[field] },
    corrected[field],
  );
}

/** A British IBAN holds the sort code and the account number; to write the one alone would lose the other. */
function ofBritishIban(finding: Finding, fields: RailFields): Finding {
  const { account_number: iban, national_clearing_code: written } = fields;
  if (checkIban(iban).length > 0) return finding;
  const [sortCode, account] = [iban.slice(8, 14), iban.slice(14)];
  if (finding.field === 'account_number')
    return better(finding, { do: 'split_iban', account, sortCode }, written === sortCode ? account : undefined);
  return written === '' ? better(finding, { do: 'take_from_iban', sortCode }) : finding;
}

function better(finding: Finding, remedy: BetterRemedy, suggestion?: string): Finding {
  const params = { ...finding.params, better: remedy };
  return { ...finding, params, ...(suggestion !== undefined && { suggestion }) };
}

/** The check digits of an IBAN prove that what is left out did not belong to it. Other numbers have none. */
function cleaned(text: string, isIban: boolean): string {
  if (/^[A-Za-z0-9]*$/.test(text)) return text;
  const usual = asciiOf(text).replace(DASHES, '-').trim().replace(QUOTES, '');
  return isIban ? usual.replace(/[./:_]+/g, '') : usual;
}
