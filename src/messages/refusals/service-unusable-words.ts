import type { ServiceUnusable } from '../../domain/outcomes/service-unusable.ts';
import { kindOf } from '../../domain/refusals/reason.ts';
import { NO_COMMANDS, refusalOnPage, refusalText } from './refusal.ts';
import type { RefusalWords } from './refusal-words.ts';

/** What keeps the service of a run from being used. */
export function unusableWords(unusable: ServiceUnusable): RefusalWords {
  const [here, page] = [refusalText(unusable, NO_COMMANDS), refusalOnPage(unusable)];
  return {
    kind: kindOf(unusable.reason),
    message: { command_line: here.message, page: page.message },
    remedy: { command_line: here.remedy, page: page.remedy },
  };
}
