import { join } from 'node:path';
import type { Log } from '../domain/log.ts';
import { Refusal } from '../domain/refusal.ts';
import { type RunningService, startService } from '../service/start.ts';
import { ServiceDataHeld } from '../service/store/lock.ts';
import { WebhookUrlRefused } from '../service/webhooks/webhooks.ts';
import { machineClock, machineRandomness } from './compose.ts';

/**
 * Starts the shipped service on loopback, its data under the data directory. Throws a `Refusal` (`held`) where another
 * process has it open, and `usage` where the port is taken.
 */
export async function startShippedService(options: {
  dataDir: string;
  log: Log;
  port: number;
  adminPort: number | null;
  /** Null for none. */
  rateLimit?: { requests: number; windowMs: number } | null;
  /** From acceptance to settlement, for every rail. */
  settleMs?: number;
  /** Where it sends webhooks. Default: nowhere, and later to public addresses only. */
  webhooks?: { allowPrivate: boolean; urls: readonly string[] };
}): Promise<RunningService> {
  try {
    return await startService({ ...options, clock: machineClock, randomness: machineRandomness });
  } catch (error) {
    if (error instanceof ServiceDataHeld) {
      throw new Refusal(
        'held',
        `Another payrun process has the rehearsal service in ${join(options.dataDir, 'service')} open.`,
        'Wait for it, use another --data-dir, or start `payrun service` once and give its --base-url to all.',
      );
    }
    if (error instanceof WebhookUrlRefused) {
      throw new Refusal(
        'usage',
        `${error.message}.`,
        'Give an https URL with a public address, or allow loopback and private ones with --allow-private-webhooks.',
      );
    }
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new Refusal(
        'usage',
        `Port ${options.port} is taken.`,
        'Name another with --port and --admin-port, 0 for any.',
      );
    }
    throw error;
  }
}
