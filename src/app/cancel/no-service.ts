import type { Client } from '../../client/client.ts';
import { Bug } from '../../domain/refusal.ts';

/** For commands that change a run without asking the service anything: a request would be a mistake of ours. */
export const NO_SERVICE: Client = {
  read: () => Promise.reject(new Bug('a command without a service asked it')),
  change: () => Promise.reject(new Bug('a command without a service asked it to change something')),
  resend: () => Promise.reject(new Bug('a command without a service sent something again')),
  resendRefused: () => Promise.reject(new Bug('a command without a service sent something again')),
  unanswered: () => null,
  close: () => Promise.resolve(),
};
