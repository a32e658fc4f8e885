import { z } from 'zod';
import { count, text } from '../../../domain/entries/members.ts';
import { exitCode } from '../../json/members.ts';

export const templateOutput = z
  .strictObject({ file: text, columns: z.array(text), examples: count, exit: exitCode })
  .meta({ description: 'The spreadsheet that was written.' });
export type TemplateOutput = z.output<typeof templateOutput>;
