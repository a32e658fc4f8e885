import { t } from './translate.ts';
import { seesRun } from './viewer.ts';

/** What a run is called in a sentence: its id, for who sees anything of it. */
export function runName(runId: string): string {
  return seesRun(runId) ? runId : t`another payment that you may not see`;
}

/** What to do about what a run has to do with it: `look` there, or ask who can. */
export function lookOrAsk(runId: string, look: () => string): string {
  return seesRun(runId) ? look() : t`Ask an administrator, who can have that payment looked at.`;
}
