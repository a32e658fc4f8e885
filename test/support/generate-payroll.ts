import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { clabe } from 'clabe-validator';

export type GenerateOptions = {
  rows: number;
  path: string;
  seed: number;
  /** `full`: bank details and wallets in every row. `existing_accounts`: accounts of the service, by `accountIds`. */
  mode: 'full' | 'existing_accounts';
  /** For `existing_accounts`, taken in turn. */
  accountIds?: readonly string[];
};

const FULL_HEADER =
  'payee_id,name,amount,currency,rail,account_number,national_clearing_code,bic,account_type,wallet_address,chain,reference,description,email';
const EXISTING_HEADER = 'payee_id,name,amount,currency,external_account_id,reference,description,email';

const GIVEN = ['Ana', 'Zoë', 'Łukasz', 'Priya', 'José', 'Siân', 'Noah', 'Mei', 'Grace', 'Oluwaseun', 'Håkon', 'Chloé'];
const FAMILY = ['Müller', 'Nguyễn', "O'Brien", 'Sánchez', 'Iyer', 'Smith', 'Kowalska', 'Okafor', 'Jensen', 'Tran'];
const ABAS = ['021000021', '011401533', '121000248', '026009593', '122105155'];
const LINES_PER_WRITE = 2_000;

/**
 * Writes a payroll of valid, distinct payees over every rail of the sample, streaming. The same seed gives the same
 * bytes. About one row in sixteen has a quoted cell.
 */
export async function generatePayroll(options: GenerateOptions): Promise<void> {
  const random = mulberry32(options.seed);
  const file = createWriteStream(options.path);
  file.write(`${options.mode === 'full' ? FULL_HEADER : EXISTING_HEADER}\n`);
  for (let from = 0; from < options.rows; from += LINES_PER_WRITE) {
    let text = '';
    for (let at = from; at < Math.min(from + LINES_PER_WRITE, options.rows); at++) {
      const cells = options.mode === 'full' ? fullRow(at, random) : existingRow(at, random, options.accountIds ?? []);
      text += `${cells.map(csvCell).join(',')}\n`;
    }
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

/** A generator of numbers from 0 to 1 that gives the same series for the same seed. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** An IBAN of a country and its national part, with the check digits of ISO 13616. */
export function ibanOf(country: string, national: string): string {
  const digits = `${national}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return `${country}${String(98 - rest).padStart(2, '0')}${national}`;
}

/** A CLABE of bank, city and account, with its check digit. */
export function clabeOf(bankAndCity: string, account: string): string {
  const first17 = bankAndCity + account.padStart(11, '0');
  return `${first17}${clabe.computeChecksum(first17)}`;
}

/** An address in the mixed case of EIP-55. */
export function walletOf(hex: string): string {
  const digits = hash('keccak-256', hex);
  const mixed = [...hex].map((digit, at) => ((digits[at] ?? '') >= '8' ? digit.toUpperCase() : digit));
  return `0x${mixed.join('')}`;
}

function fullRow(at: number, random: () => number): string[] {
  const { id, name, email, description } = person(at, random);
  const to = destination(at, random);
  const account = [to.account, to.code ?? '', to.bic ?? '', to.type ?? '', to.wallet ?? '', to.chain ?? ''];
  return [
    id,
    name,
    to.amount ?? cents(random),
    to.currency,
    to.rail,
    ...account,
    to.reference ?? 'PAY 0726',
    description,
    email,
  ];
}

function existingRow(at: number, random: () => number, accountIds: readonly string[]): string[] {
  const { id, name, email, description } = person(at, random);
  const accountId = accountIds.length === 0 ? `account_${at}` : (accountIds[at % accountIds.length] ?? '');
  return [id, name, cents(random), 'AUD', accountId, 'PAY 0726', description, email];
}

function person(at: number, random: () => number) {
  const given = GIVEN[Math.floor(random() * GIVEN.length)] ?? '';
  const family = FAMILY[Math.floor(random() * FAMILY.length)] ?? '';
  const isQuoted = at % 16 === 0;
  return {
    id: `E${String(at + 1).padStart(7, '0')}`,
    name: isQuoted ? `${family}, ${given} ${at}` : `${given} ${family} ${at}`,
    email: `payee.${at}@example.com`,
    description: `Salary July 2026, run ${at % 7}`.replace(',', isQuoted ? ',' : ''),
  };
}

type GeneratedDestination = {
  rail: string;
  currency: string;
  account: string;
  code?: string;
  bic?: string;
  type?: string;
  wallet?: string;
  chain?: string;
  reference?: string;
  amount?: string;
};

function destination(at: number, random: () => number): GeneratedDestination {
  const digits = (count: number) => String(at).padStart(count, '0').slice(-count);
  switch (at % 8) {
    case 0:
      return { rail: 'AUD_NPP', currency: 'AUD', account: digits(9), code: '062-000' };
    case 1:
      return { rail: 'USD_ACH', currency: 'USD', account: `7${digits(9)}`, code: ABAS[at % 5] ?? '', type: 'savings' };
    case 2:
      return { rail: 'USD_WIRE', currency: 'USD', account: `8${digits(9)}`, code: ABAS[at % 5] ?? '' };
    case 3:
      return { rail: 'GBP_FPS', currency: 'GBP', account: digits(8), code: '20-00-00' };
    case 4:
      return { rail: 'EUR_SEPA', currency: 'EUR', account: ibanOf('DE', `37040044${digits(10)}`), bic: 'COBADEFFXXX' };
    case 5:
      return { rail: 'INR_IMPS', currency: 'INR', account: `5010${digits(10)}`, code: 'HDFC0000123' };
    case 6:
      return { rail: 'MXN_SPEI', currency: 'MXN', account: clabeOf('012180', digits(11)) };
    default: {
      const wallet = walletOf(Array.from({ length: 40 }, () => Math.floor(random() * 16).toString(16)).join(''));
      const amount = `${cents(random)}1234`;
      return { rail: 'WEB3', currency: 'USDC', account: '', wallet, chain: 'polygon', reference: '', amount };
    }
  }
}

function cents(random: () => number): string {
  const minor = 100_000 + Math.floor(random() * 900_000);
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
