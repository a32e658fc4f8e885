import { FAULT_KINDS } from './faults.ts';
import { Random } from './random.ts';
import type { SeedResult } from './run-seed.ts';
import { drawScenario } from './scenario.ts';

const HAPPENINGS = [
  'crashes',
  'restarts',
  'freezes',
  'takeovers',
  'jumps',
  'interrupts',
  'payments by hand',
  'payments elsewhere',
  'prices moved',
  'persons',
  'old copies',
];
const DOUBTS_ENDED = [
  'accepted by look',
  'accepted by resend',
  'absent by listing',
  'absent by first_copy',
  'absent by person',
  'unresolved',
  'resolved by somebody',
  'suspected',
  'surfaced',
  'replayed',
  'rejected',
];
const ENDINGS = ['finished', 'refused', 'said', 'interrupted', 'stopped', 'halted: outage', 'halted: person_needed'];
const WORLDS = [
  ...['alike', 'each', 'more_later'].map((lagging) => `lagging ${lagging}`),
  ...['always', 'never', 'sometimes', 'lies'].map((cursor) => `cursor ${cursor}`),
  ...['whole', 'lower', 'lost', 'cut', 'parted', 'prefixed', 'hidden'].map((kind) => `descriptions ${kind}`),
  ...['whole', 'cut', 'letters', 'reversed', 'masked'].map((kind) => `accounts ${kind}`),
  ...['at_commit', 'at_arrival', 'never'].map((expiry) => `expiry ${expiry}`),
  ...[
    'hasAccountIds',
    'hasFingerprints',
    'hasDate',
    'isShuffled',
    'replayProtection',
    'refusalsUseUp',
    'hasFirst',
  ].flatMap((name) => [`${name} true`, `${name} false`]),
  ...['null', 'expiry', 'arrival', 'replay', 'lag', 'unstated', 'cursor', 'refusals'].map((kind) => `broken ${kind}`),
  ...['converts true', 'converts false', 'pages true', 'pages false'],
];

/** Everything that seeds have to meet between them. */
export const TO_BE_MET: readonly string[] = [...FAULT_KINDS, ...HAPPENINGS, ...DOUBTS_ENDED, ...ENDINGS, ...WORLDS];

/** What one seed met, and the world in which it did. */
export function metBy({ seed, faults, counts, doubts, endings }: SeedResult): Set<string> {
  const { variant, broken, conversions } = drawScenario(new Random(`seed ${seed}`));
  const happened = Object.entries({ ...faults, ...counts, ...doubts, ...endings }).filter(([, times]) => times > 0);
  return new Set([
    ...happened.map(([what]) => what),
    ...Object.entries(variant).map(([name, value]) => `${name} ${value}`),
    `broken ${broken}`,
    `converts ${conversions !== null}`,
    `pages ${variant.pageMax !== null}`,
  ]);
}
