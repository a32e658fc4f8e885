import { join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import type { Log } from '../platform/log.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';
import { sqliteCode } from '../platform/sqlite.ts';
import { type RunningService, startService } from '../service/start.ts';
import { ServiceDataHeld } from '../service/store/open.ts';
import { ServiceDataUnusable } from '../service/store/schema.ts';
import { WebhookUrlRefused } from '../service/webhooks/webhooks.ts';
import { wrongSetting } from './wrong-setting.ts';

/**
 * Starts the shipped service on loopback, its data under the data directory. Throws a `Refusal` (`held`) where another
 * process has it open, and `usage` where a port is taken or the data cannot be used.
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
        {},
        { code: 'set_up', part: 'shipped_service' },
      );
    }
    if (error instanceof WebhookUrlRefused) {
      throw wrongSetting(
        'shipped_service',
        `${error.message}.`,
        'Give an https URL with a public address, or allow loopback and private ones with --allow-private-webhooks.',
      );
    }
    throw refusalOf(error, options.dataDir);
  }
}

/** What the machine refuses, as something that a person can mend; any other error as it is. */
export function refusalOf(error: unknown, dataDir: string): unknown {
  if (error instanceof ServiceDataUnusable)
    return wrongSetting('shipped_service', `${error.message}.`, OTHER_DIRECTORY);
  if (!(error instanceof Error)) return error;
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  const which = `Port ${port ?? ''}`;
  if (code === 'EADDRINUSE') return wrongSetting('shipped_service', `${which} is taken.`, OTHER_PORT);
  if (code === 'EACCES' && port !== undefined) {
    return wrongSetting('shipped_service', `${which} may not be listened on by this user.`, OTHER_PORT);
  }
  if (code === undefined || !(FILE_ERRORS.has(code) || sqliteCode(error) !== null)) return error;
  return wrongSetting('shipped_service', `The data in ${dataDir} cannot be used: ${error.message}.`, OTHER_DIRECTORY);
}

const OTHER_PORT = 'Name another with --port and --admin-port, 0 for any.';
const OTHER_DIRECTORY = 'Name another directory with --data-dir, one that you may write to.';
const FILE_ERRORS: ReadonlySet<string> = new Set([
  'EACCES',
  'EDQUOT',
  'EEXIST',
  'EISDIR',
  'ENOENT',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);
