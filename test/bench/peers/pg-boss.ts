// One pg-boss job a payout. PLACE: the address of the database.
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
  // A job whose process is gone is given to another one after this time: 15 minutes by default, which nobody waits for here.
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
