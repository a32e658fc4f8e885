import { join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';
import type { ShippedFault } from '../domain/refusals/settings-reasons.ts';
import type { Log } from '../platform/log.ts';
import { machineClock, machineRandomness } from '../platform/machine.ts';
import { sqliteCode } from '../platform/sqlite.ts';
import { type RunningService, startService } from '../service/start.ts';
import { ServiceDataHeld } from '../service/store/open.ts';
import { ServiceDataUnusable } from '../service/store/schema.ts';
import { WebhookUrlRefused } from '../service/webhooks/webhooks.ts';

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
    if (error instanceof ServiceDataHeld)
      throw new Refusal({ code: 'shipped_service_held', path: join(options.dataDir, 'service') });
    if (error instanceof WebhookUrlRefused) throw unusable({ why: 'wrong_webhook', cause: error.message });
    throw refusalOf(error, options.dataDir);
  }
}

/** What the machine refuses, as something that a person can correct; any other error as it is. */
export function refusalOf(error: unknown, dataDir: string): unknown {
  if (error instanceof ServiceDataUnusable) return unusable({ why: 'data_unusable', cause: error.message });
  if (!(error instanceof Error)) return error;
  const { code, port = null } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return unusable({ why: 'port_taken', port });
  if (code === 'EACCES' && port !== null) return unusable({ why: 'port_forbidden', port });
  if (code === undefined || !(FILE_ERRORS.has(code) || sqliteCode(error) !== null)) return error;
  return unusable({ why: 'files', dataDir, cause: error.message });
}

function unusable(fault: ShippedFault): Refusal {
  return new Refusal({ code: 'shipped_service_unusable', fault });
}

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
