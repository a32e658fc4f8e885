// A fetch loop with the usual retries. PLACE: a file of finished rows, so that a restart continues.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { AT_ONCE, ATTEMPTS, type Payout, PLACE, pay, readPayouts } from './payout.ts';

const done = new Set(existsSync(PLACE) ? readFileSync(PLACE, 'utf8').split('\n').map(Number) : []);
const waiting = (await readPayouts()).filter(({ row }) => !done.has(row)).values();

async function payWithRetries(payout: Payout): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pay(payout);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function work(): Promise<void> {
  for (const payout of waiting) {
    await payWithRetries(payout);
    appendFileSync(PLACE, `${payout.row}\n`);
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
