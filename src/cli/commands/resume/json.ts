import { ranOutput } from '../run/json.ts';

export const resumeOutput = ranOutput.meta({ description: 'A run that ended or stopped.' });
