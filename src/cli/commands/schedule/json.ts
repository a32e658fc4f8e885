import { z } from 'zod';
import { scheduleLines } from '../../../app/schedule/schedule-event.ts';
import { text } from '../../../domain/entries/members.ts';
import { exitCode } from '../../json/members.ts';
import { refusal } from '../../json/refusal.ts';
import { runOutput } from '../run/json.ts';

const notStarted = z.strictObject({ message: text }).describe('Its process could not be started.');
/** What another process printed: no compiler knows it. */
const result = z.unknown().pipe(z.union([runOutput, refusal, notStarted]).nullable());

export const scheduleOutput = scheduleLines(exitCode, result).meta({
  description: 'One line for each thing that happens.',
});
export type ScheduleLine = z.input<typeof scheduleOutput>;
