/** The first of the seeds that catches each mutant (`mutants.ts`), and would catch a mistake like it. */
export const CATCHING: Readonly<Record<string, number>> = {
  'retry on timeout': 3,
  'intent after send': 1,
  'the first list believed': 27,
  'epoch not checked': 14,
  'token without amount': 17,
  'a 429 for every copy': 356,
  'ceiling of a payout not kept': 37,
  'ceiling of a run not counted': 50,
  'what is sent looked for in place of what is received': 190,
  'where it went not looked at': 689,
  'the id of another row accepted': 96,
  'REPLAYED ignored': 210,
  'absence before the canary': 8,
  'lag believed': 62,
  'last look left out': 68,
  'tokens not counted': 68,
  'a refusal believed of every copy': 320,
  'old copy not noticed': 1,
};

/** Each showed a mistake once. */
export const MEMORABLE: readonly number[] = [
  101509, 110296, 110417, 111713, 112570, 114527, 118246, 118275, 118707, 134035, 134210, 134553, 140368, 145491,
  145962, 151259, 155083, 156865, 157182,
];

/** Showed a mistake too, and each takes as long as ten others: for `npm run soak` alone. */
export const MEMORABLE_LONG: readonly number[] = [101380, 101881, 118349];

/** With the others they meet everything that can go wrong, in every kind of world, more than once (`coverage.ts`). */
export const MEETING: readonly number[] = [
  30, 34, 50, 61, 63, 73, 80, 82, 89, 119, 152, 153, 154, 180, 195, 201, 215, 226, 235, 251, 269, 286, 407, 2749,
];

/** The seeds of `npm test`. */
export const SEEDS: readonly number[] = [...new Set([...Object.values(CATCHING), ...MEMORABLE, ...MEETING])];
