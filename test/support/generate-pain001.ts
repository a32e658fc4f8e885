import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BankPayment, pain001Pieces } from './bank-files.ts';

/** So many pieces are written at once. */
const PIECES_TOGETHER = 1_000;

/** Writes a pain.001.001.03 of so many payments in euro, and holds few of them at a time. Each has an account of its own. */
export async function generatePain001(path: string, payments: number): Promise<void> {
  let sum = 0n;
  for (let at = 0; at < payments; at++) sum += amountOf(at);
  const pieces = pain001Pieces(paymentsOf(payments), { count: payments, sum });
  await pipeline(Readable.from(together(pieces)), createWriteStream(path));
}

function* paymentsOf(payments: number): Generator<BankPayment> {
  for (let at = 0; at < payments; at++)
    yield {
      name: `Payee Number ${at}`,
      minor: amountOf(at),
      account: ibanOf(at),
      bank: 'COBADEFFXXX',
      reference: `Invoice ${at}`,
    };
}

function amountOf(at: number): bigint {
  return BigInt(100 + (at % 500_000));
}

/** A German IBAN with its check digits (ISO 7064 mod 97-10; D and E are 13 and 14). */
function ibanOf(at: number): string {
  const bban = `37040044${String(at).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${bban}`;
}

function* together(pieces: Iterable<string>): Generator<string> {
  let held: string[] = [];
  for (const piece of pieces) {
    held.push(piece);
    if (held.length < PIECES_TOGETHER) continue;
    yield held.join('');
    held = [];
  }
  yield held.join('');
}
