import type { NotLooked } from '../domain/outcomes/cancel-outcome.ts';
import type { RefusalWords } from './refusals/refusal-words.ts';
import { anotherServiceWords } from './refusals/run-words.ts';
import { unusableWords } from './refusals/service-unusable-words.ts';
import { asSentence } from './text.ts';

/** Why the service could not be asked about the payouts of a cancelled run that wait, and what to do about it. */
export function notLookedWords(notLooked: NotLooked): RefusalWords {
  switch (notLooked.outcome) {
    case 'interrupted':
      return { kind: 'refused', message: 'The look was interrupted.', remedy: 'Let it come to its end.' };
    case 'stopped':
      return {
        kind: 'unreachable',
        message: `The look stopped: ${asSentence(notLooked.message)}`,
        remedy: notLooked.refusedCredentials
          ? {
              command_line: 'Check --api-key and --signing-key.',
              page: 'Have the API key and the signing key checked.',
            }
          : 'Wait until the service answers.',
      };
    case 'another_service':
      return anotherServiceWords(notLooked);
    case 'service_unusable':
      return unusableWords(notLooked);
  }
}
