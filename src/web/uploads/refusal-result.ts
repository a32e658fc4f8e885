import { z } from 'zod';

/** What every command prints that did not do its work. */
export const refusalResult = z.object({
  message: z.string(),
  remedy: z.string().default(''),
  /** Which rows earlier runs paid, where it was refused for their sake and not for that of the whole file. */
  rows: z.array(z.number()).optional(),
});
