import { z } from 'zod';
import { text } from '../../../domain/entries/members.ts';

export const webOutput = z
  .strictObject({
    url: text,
    first_user_url: text.nullable().describe('Makes the first user; null where there is one.'),
    rehearsal: z.boolean().nullable().describe('Null where the service has not answered yet.'),
  })
  .meta({ description: 'One line when the page listens.' });
export type WebOutput = z.output<typeof webOutput>;
