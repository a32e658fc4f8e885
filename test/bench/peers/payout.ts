import { createReadStream } from 'node:fs';
import process from 'node:process';
import { parse } from 'csv-parse';

// What each program compared with payrun does per payout. Arguments: FILE PORT PLACE, the last being where it keeps its
// jobs.

export const [FILE, PORT, PLACE] = process.argv.slice(2) as [string, string, string];

/** Concurrent payouts. */
export const AT_ONCE = 64;
/** Tries per payout, as in most examples. */
export const ATTEMPTS = 3;

export type Payout = { row: number; amount: string; currency: string; account: string; description: string };

export async function readPayouts(): Promise<Payout[]> {
  const payouts: Payout[] = [];
  let row = 1;
  for await (const cells of createReadStream(FILE).pipe(parse({ columns: true, bom: true }))) {
    const { amount, currency, external_account_id: account } = cells;
    row++;
    payouts.push({ row, amount, currency, account, description: `payout ${row}.` });
  }
  return payouts;
}

/** Sends the payout, and throws unless the answer is a success. */
export async function pay({ amount, currency, account, description }: Payout): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${PORT}/v1/transaction.transfer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'key' },
    body: JSON.stringify({
      currency_out: { value: amount.replace('.', ''), code: currency, decimals: 2 },
      external_accounts: { from: null, to: { id: account } },
      metadata: { description },
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
}
