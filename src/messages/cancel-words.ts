import type { NotLooked } from '../domain/outcomes/cancel-outcome.ts';
import { anotherServiceRefusal } from './service-words.ts';

/** Why the service could not be asked about the payouts of a cancelled run that wait, and what to do about it. */
export function notLookedText(notLooked: NotLooked): { message: string; remedy: string } {
  switch (notLooked.outcome) {
    case 'interrupted':
      return { message: 'The look was interrupted.', remedy: 'Let it come to its end.' };
    case 'stopped': {
      const message = `The look stopped: ${notLooked.message.replace(/[.\s]+$/, '')}.`;
      const check = 'Check --api-key and --signing-key.';
      return { message, remedy: notLooked.refusedCredentials ? check : 'Wait until the service answers.' };
    }
    case 'another_service':
      return anotherServiceRefusal(notLooked);
    case 'service_unusable':
      return notLooked;
  }
}
