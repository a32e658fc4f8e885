import { z } from 'zod';
import { count, text } from '../../domain/entries/members.ts';
import { EXIT } from '../exit.ts';

export const exitCode = z
  .int()
  .meta({ id: 'exit', enum: Object.values(EXIT), description: 'The exit code of the command.' });

export const rehearsal = z.boolean().describe('Against the service that payrun ships: no money moves.');

export const nextCommand = text.describe('The literal next command.');

export const holder = z.strictObject({ pid: count, host: text }).describe('The process that works on the run.');
