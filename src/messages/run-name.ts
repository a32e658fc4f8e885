import { t } from './translate.ts';
import { seesRun } from './viewer.ts';

/** A run's name in a sentence: its ID, if the reader may see the run. */
export function runName(runId: string): string {
  return seesRun(runId) ? runId : t`another payment that you may not see`;
}

/** The remedy for a problem with another run: `look` at it, or ask an administrator. */
export function lookOrAsk(runId: string, look: () => string): string {
  return seesRun(runId) ? look() : t`Ask an administrator to check that payment.`;
}
