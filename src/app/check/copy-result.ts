import { z } from 'zod';
import { count, text } from '../../domain/entries/members.ts';
import { change, left } from './copies.ts';

/** A copy of an input with its problems marked. */
export const annotatedResult = z.strictObject({
  file: text,
  cells: count.describe('Cells that are marked.'),
  problems: count,
  left: count.describe('Problems that did not fit.'),
});

/** A copy of an input with the safe suggestions applied. */
export const fixedResult = z.strictObject({
  file: text,
  changes: z.array(change),
  left: z.array(left),
  remaining: z.strictObject({ errors: count, warnings: count }),
});
