import process from 'node:process';

/** How many random cases a search tries: `few` in `npm test`, `many` in `npm run soak:cases`. */
export function cases(few: number, many: number): number {
  return process.env.MANY_CASES === undefined ? few : many;
}
