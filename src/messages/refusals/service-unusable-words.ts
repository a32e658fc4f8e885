import type { ServiceUnusable } from '../../domain/outcomes/service-unusable.ts';
import { refusalOnPage } from './refusal.ts';
import type { RefusalWords } from './refusal-words.ts';

/** What keeps the service of a run from being used. */
export function unusableWords(unusable: ServiceUnusable): RefusalWords {
  const { kind, message, remedy } = unusable;
  const page = refusalOnPage(unusable);
  return {
    kind,
    message: { command_line: message, page: page.message },
    remedy: { command_line: remedy, page: page.remedy },
  };
}
