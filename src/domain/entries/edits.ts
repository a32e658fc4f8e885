import { z } from 'zod';
import { count, milliseconds, text } from './members.ts';

/** The sheet, null of a text file; who made the edit, by the name that the page had for them, and when (Unix ms). */
const by = { sheet: text.nullable(), by: text, at: milliseconds };

/**
 * What people changed in an input before it was planned, each change as it stands in the end. Rows are numbered as of the
 * file, those that were added behind its last one; columns from 0. The file itself stays as it is.
 */
export const inputEdit = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cell'), row: count, column: count, old: text, new: text, ...by }),
  /** `old`: the texts of its cells. */
  z.strictObject({ kind: z.literal('row_deleted'), row: count, old: z.array(text), ...by }),
  /** Its cells are those that are set in it. */
  z.strictObject({ kind: z.literal('row_added'), row: count, ...by }),
]);
export type InputEdit = z.output<typeof inputEdit>;
