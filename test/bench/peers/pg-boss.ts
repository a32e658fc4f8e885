// One pg-boss job per payout. PLACE: the address of the database.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { AT_ONCE, ATTEMPTS, type Payout, PLACE, pay, readPayouts } from './payout.ts';

const boss = new PgBoss({
  connectionString: PLACE,
  monitorIntervalSeconds: 1,
  superviseIntervalSeconds: 1,
  queueCacheIntervalSeconds: 1,
});
boss.on('error', () => {});
await boss.start();
if ((await boss.getQueue('payouts')) === null) {
  // How soon another worker gets the job of a dead process: 15 minutes by default, too long for a bench.
  await boss.createQueue('payouts', { retryLimit: ATTEMPTS - 1, retryDelay: 0, expireInSeconds: 5 });
  await boss.insert(
    'payouts',
    (await readPayouts()).map((data) => ({ data })),
  );
}
await boss.work<Payout>(
  'payouts',
  { localConcurrency: AT_ONCE, pollingIntervalSeconds: 0.5, burstWhenReadyExceeds: 1 },
  async ([job]) => {
    if (job !== undefined) await pay(job.data);
  },
);
const database = new pg.Client({ connectionString: PLACE });
await database.connect();
const areLeft = async (): Promise<boolean> => {
  const { rows } = await database.query(
    "SELECT FROM pgboss.job WHERE name = 'payouts' AND state < 'completed' LIMIT 1",
  );
  return rows.length > 0;
};
while (await areLeft()) await sleep(50);
await database.end();
await boss.stop({ graceful: false });
