import { createReadStream } from 'node:fs';
import process from 'node:process';
import { parse } from 'csv-parse';

// What each of the programs beside payrun does for one payout. Usage of each: FILE PORT and where it keeps its jobs.

export const [FILE, PORT, PLACE] = process.argv.slice(2) as [string, string, string];

/** Payouts under way at once. */
export const AT_ONCE = 64;
/** How often one is tried: what most examples have. */
export const ATTEMPTS = 3;

export type Payout = { row: number; amount: string; currency: string; account: string; description: string };

/** The payouts of the file. */
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

/** Sends it, and throws where there is no good answer. */
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
