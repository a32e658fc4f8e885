// One BullMQ job per payout. PLACE: the port of Redis.
import { Queue, Worker } from 'bullmq';
import { AT_ONCE, ATTEMPTS, type Payout, PLACE, pay, readPayouts } from './payout.ts';

const connection = { host: '127.0.0.1', port: Number(PLACE), maxRetriesPerRequest: null };
const queue = new Queue<Payout>('payouts', { connection });
if (Object.values(await queue.getJobCounts()).every((count) => count === 0)) {
  const jobs = (await readPayouts()).map((data) => ({ name: 'pay', data, opts: { attempts: ATTEMPTS } }));
  await queue.addBulk(jobs);
}
// How soon another worker gets the job of a dead process: 30 seconds by default.
const soon = { lockDuration: 5_000, stalledInterval: 1_000 };
const worker = new Worker<Payout>('payouts', ({ data }) => pay(data), { connection, concurrency: AT_ONCE, ...soon });
worker.on('error', () => {});
await new Promise<void>((resolve) => {
  const look = async () => {
    const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'active', 'delayed');
    if (waiting + active + delayed === 0) resolve();
    else setTimeout(look, 50);
  };
  void look();
});
await worker.close(true);
await queue.close();
