import type { DoubtfulAnswer } from '../entry.ts';

/**
 * What became of the answer, of a doubt that an earlier payrun noted in words alone: the one place where words of the
 * journal are read.
 */
export function earlierAnswer(reason: string): DoubtfulAnswer | null {
  if (reason.startsWith('the answer was lost')) return 'lost';
  const status = /^the service answered (\d{3})/.exec(reason)?.[1];
  return status === undefined ? null : Number(status);
}
