import type { Random } from './random.ts';

/**
 * What the network, or something on the way, does to one request. Before: without an effect. After: it took effect. And
 * late: it is answered so, and delivered all the same, later. An id of another row, or one that nobody knows, is answered
 * to a payout that took effect, or to one that never arrived.
 */
export const FAULT_KINDS = [
  'refused',
  'slow_connection',
  'request_lost',
  'request_late',
  'duplicate',
  'answer_lost',
  'answer_late',
  'answer_cut',
  'answer_html',
  'answer_empty',
  'html_before',
  '500_before',
  '500_after',
  '502_html_after',
  '503_before',
  '408_before',
  '408_after',
  '302_before',
  '400_before',
  '401_before',
  '429_before',
  '429_and_late',
  '400_and_late',
  '401_and_late',
  'answer_other_id',
  'answer_invented_id',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

/** What happens to payouts alone. */
export const PAYOUT_FAULTS: ReadonlySet<FaultKind> = new Set([
  '400_and_late',
  '401_and_late',
  'answer_other_id',
  'answer_invented_id',
]);

/** What a service that promises its refusals to be final lets nobody on the way do. */
const REFUSED_AND_LATE: ReadonlySet<FaultKind> = new Set(['429_and_late', '400_and_late', '401_and_late']);

/** While it lasts every request meets this. */
export type Storm = { fromMs: number; untilMs: number; kind: FaultKind };

export type Weather = {
  /** How long a message travels, at most. */
  travelMs: number;
  /** How likely a request meets a fault. */
  faults: number;
  /** Only requests about transactions meet faults: payees are made in peace, so that payouts begin while the weather lasts. */
  sparesPayees: boolean;
  kinds: (readonly [FaultKind, number])[];
  storms: Storm[];
  /** How late a late message is, at most. */
  lateMs: number;
  /** The same for one that was refused for what it is, and not for its pace. */
  refusedLateMs: number;
  /** That something which is lost shows as a reset at once, and not as silence. */
  resets: number;
};

/** `isFinal`: nothing on the way refuses what arrives all the same. */
export function drawWeather(random: Random, { isFinal }: { isFinal: boolean }): Weather {
  const possible = FAULT_KINDS.filter((kind) => !isFinal || !REFUSED_AND_LATE.has(kind));
  // One kind often, so that what follows from it is seen at depth.
  const often = random.pick(possible);
  const kinds = possible.map((kind) => [kind, kind === often ? 12 : random.next() * rarity(kind)] as const);
  const storms: Storm[] = [];
  while (random.chance(0.25)) {
    const fromMs = random.next() * 30_000;
    const kind = random.pick<FaultKind>(['429_before', 'refused', 'request_lost', 'answer_lost', '503_before']);
    storms.push({ fromMs, untilMs: fromMs + random.pick([2_000, 10_000, 40_000]), kind });
  }
  const lateMs = random.pick([3_000, 20_000, 60_000, 300_000]);
  return {
    travelMs: random.pick([5, 30, 200, 2_000]),
    faults: random.pick([0.01, 0.05, 0.15, 0.35]),
    sparesPayees: PAYOUT_FAULTS.has(often) || random.fork('payees').chance(0.25),
    kinds,
    storms,
    lateMs,
    refusedLateMs: lateMs,
    resets: random.pick([0.2, 0.5, 0.9]),
  };
}

/** Refusals end the story of a row or of the run, so that a seed full of them shows little else. */
function rarity(kind: FaultKind): number {
  if (kind === '400_before' || kind === '401_before') return 0.1;
  return kind === 'request_late' || kind === '429_and_late' ? 3 : 1;
}
