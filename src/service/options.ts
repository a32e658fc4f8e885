import { z } from 'zod';
import { RAIL_NAMES } from '../domain/rails/rail.ts';
import type { Clock, Randomness } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { RateLimit } from './gateway/rate-limit.ts';
import { RAIL_TERMS, type TransferRail } from './transfers/fees.ts';
import type { WebhookOptions } from './webhooks/webhooks.ts';

export type ServiceOptions = {
  /** The service's files are in `service/` below it. */
  dataDir: string;
  clock: Clock;
  randomness: Randomness;
  log: Log;
  /** Of the public port, on loopback; 0 takes a free one. */
  port: number;
  /** Of the admin port, on loopback; null opens none. */
  adminPort: number | null;
  /** For each key; null switches it off. Default 100 requests in 10 s (`decisions.md`). */
  rateLimit?: RateLimit | null;
  /** From acceptance to settlement in milliseconds: of every rail, or of some; `balance` is swaps. Default: `rail-terms.ts`. */
  settleMs?: number | Partial<Record<TransferRail, number>>;
  /** Where events are sent, and which addresses may be. Default: public ones only, none at the start. */
  webhooks?: WebhookOptions;
};

export const RATE_LIMIT_DEFAULT: RateLimit = Object.freeze({ requests: 100, windowMs: 10_000 });

const port = z.int().min(0).max(65_535);
/** A year: a rehearsal's clock can be moved to its end. */
const settleMs = z.int().min(0).max(31_536_000_000);

const plainOptions = z.object({
  dataDir: z.string().min(1),
  port,
  adminPort: port.nullable(),
  rateLimit: z
    .object({ requests: z.int().min(1).max(1_000_000), windowMs: z.int().min(1).max(86_400_000) })
    .nullable()
    .default(RATE_LIMIT_DEFAULT),
  settleMs: z.union([settleMs, z.partialRecord(z.enum([...RAIL_NAMES, 'balance']), settleMs)]).default({}),
});

export type ParsedOptions = z.output<typeof plainOptions>;

/** Throws a `ZodError` for options that make no sense. */
export function parseOptions({ dataDir, port, adminPort, rateLimit, settleMs }: ServiceOptions): ParsedOptions {
  return plainOptions.parse({ dataDir, port, adminPort, rateLimit, settleMs });
}

export function settleMsOf(options: ParsedOptions): (rail: TransferRail) => number {
  const { settleMs } = options;
  if (typeof settleMs === 'number') return () => settleMs;
  return (rail) => settleMs[rail] ?? RAIL_TERMS[rail].settleMs;
}
