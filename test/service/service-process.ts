import process from 'node:process';
import { startService } from '../../src/service/start.ts';
import { machineClock, memoryLog, randomness } from './harness.ts';

/** A service in a process of its own, for being killed. argv: data directory. */
const service = await startService({
  dataDir: process.argv[2] ?? '',
  clock: machineClock,
  randomness,
  log: memoryLog(),
  port: 0,
  adminPort: 0,
  rateLimit: null,
  settleMs: 20,
  webhooks: { allowPrivate: true },
});
process.send?.({ ...service, fetch: undefined, failed: undefined, stop: undefined });
process.on('disconnect', () => process.exit(0));
