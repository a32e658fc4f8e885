import { z } from 'zod';

/** The connection of the page that work goes over, in place of what the page was started with. */
export const over = z.object({
  /** A connection profile (YAML): the options that name a service count for nothing beside it. */
  profile: z.string(),
  /** Who pays, and over which connection, by their ids: what a plan notes; null for what it need not. */
  entity: z.string().nullable(),
  connection: z.string().nullable(),
  /** Whether no money moves there, by its last test: no plan is made where that is otherwise now. */
  isRehearsal: z.boolean().nullable(),
});
export type Over = z.output<typeof over>;
