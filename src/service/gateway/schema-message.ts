import type { z } from 'zod';

const SHOWN_MAX = 3;

/** The first things that are wrong, by their places. Values are not repeated: they may be account numbers. */
export function schemaMessage(error: z.ZodError): string {
  const shown = error.issues.slice(0, SHOWN_MAX);
  return shown.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join('; ');
}
