import { z } from 'zod';
import { OPERATIONS, type OperationName } from '../../contract/operations.ts';
import type { Randomness } from '../time/clock.ts';

/** What happens to a request on purpose. */
export const FAULT_KINDS = [
  /** The connection ends without an answer and without an effect. */
  'drop-before',
  /** The request takes effect, and the connection ends without an answer. The most important one. */
  'drop-after-commit',
  /** The connection is reset without an effect. */
  'reset',
  /** 500 without an effect. */
  '500-before',
  /** The request takes effect, and the answer is a 500. */
  '500-after-commit',
  /** 429 without an effect. */
  '429',
  /** The request waits `ms` before it is looked at. */
  'slow',
  /** The request takes effect, and the connection ends in the middle of the answer. */
  'truncate',
  /** The connection ends at once, and the request takes effect `ms` later, if it is still in time then. */
  'late-commit',
  /** The same bytes are carried out twice, one after the other, and the answer is the second one. */
  'duplicate-delivery',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** How late a `late-commit` is where nobody says. */
const LATE_DEFAULT_MS = 1_000;

/** `fault.add`: at the `nth` arrival of the operation from now on, once; or at each arrival by a probability. */
export const faultRequest = z
  .strictObject({
    operation: z.enum(Object.keys(OPERATIONS) as [OperationName, ...OperationName[]]),
    kind: z.enum(FAULT_KINDS),
    nth: z.int().min(1).optional(),
    probability: z.number().gt(0).max(1).optional(),
    /** For `slow` and `late-commit`. */
    ms: z.int().min(1).max(600_000).optional(),
  })
  .refine(({ nth, probability }) => (nth === undefined) !== (probability === undefined), {
    message: 'give either nth or probability',
  })
  .refine(({ kind, ms }) => (kind === 'slow' ? ms !== undefined : kind === 'late-commit' || ms === undefined), {
    message: 'slow needs ms, late-commit may have it, and nothing else has it',
  })
  .transform((fault) => (fault.kind === 'late-commit' ? { ...fault, ms: fault.ms ?? LATE_DEFAULT_MS } : fault));

export type Fault = z.infer<typeof faultRequest> & { id: string; arrivals: number; fired: number };

export type Faults = {
  add(fault: z.infer<typeof faultRequest>): Fault | 'TOO_MANY';
  list(): Fault[];
  remove(id: string): boolean;
  /** Counts an arrival of the operation and gives the fault that it meets: of several, the one added first. */
  meet(operation: OperationName): Fault | null;
};

const FAULTS_MAX = 1_000;

export function createFaults(randomness: Randomness): Faults {
  const faults = new Map<string, Fault>();
  let made = 0;
  return {
    add(request) {
      if (faults.size >= FAULTS_MAX) return 'TOO_MANY';
      made += 1;
      const fault = { ...request, id: `fault_${made}`, arrivals: 0, fired: 0 };
      faults.set(fault.id, fault);
      return fault;
    },
    list: () => [...faults.values()],
    remove: (id) => faults.delete(id),
    meet(operation) {
      let met: Fault | null = null;
      for (const fault of faults.values()) {
        if (fault.operation !== operation) continue;
        fault.arrivals += 1;
        if (met === null && isDue(fault, randomness)) met = fault;
      }
      if (met) met.fired += 1;
      return met;
    },
  };
}

function isDue({ nth, probability, arrivals }: Fault, randomness: Randomness): boolean {
  if (nth !== undefined) return arrivals === nth;
  const [a = 0, b = 0, c = 0] = randomness.bytes(3);
  return (a * 65_536 + b * 256 + c) / 16_777_216 < (probability ?? 0);
}
