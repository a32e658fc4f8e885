import { z } from 'zod';
import { durationText } from '../values.ts';

const PERCENT_REMEDY = 'write whole per cent, from 0% to 1000%';

/** Whole per cent of `25%`. */
const percentText = z
  .string()
  .regex(/^(1000|\d{1,3})%$/, PERCENT_REMEDY)
  .transform((text) => Number(text.slice(0, -1)));

/** What a run is compared with. */
export const comparePart = {
  repeat_window: durationText
    .optional()
    .describe(
      'the same amount to the same account within this time is refused, such as 20d, the default; 0s for never',
    ),
  amount_change: percentText
    .optional()
    .describe("by how much a payee's pay may differ from the last run's before plan says so, such as 25%, the default"),
};
