import { z } from 'zod';

/** What every command prints that did not do its work. */
export const refusalResult = z.object({
  message: z.string(),
  remedy: z.string().default(''),
  /** Which rows earlier runs paid, where it was refused for their sake and not for that of the whole file. */
  rows: z.array(z.number()).optional(),
  /** The run that can be repeated knowingly. */
  repeatable: z.string().optional(),
  /** Whether another period may be meant. */
  other_period: z.boolean().optional(),
});

export type RefusalResult = z.output<typeof refusalResult>;
