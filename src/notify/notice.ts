import type { RunCreated } from '../domain/entry.ts';
import type { NotifyEvent } from '../domain/notices/notify.ts';
import { oneLine } from './words.ts';

/** What people are told, once for all ways of telling it. Nothing in it names an account. */
export type Notice = {
  event: NotifyEvent;
  /** The same for every copy of it, 1 to 100 of `A-Z a-z 0-9 _ -`. */
  id: string;
  /** Unix ms. */
  at: number;
  subject: string;
  /** Plain text, lines of a letter. */
  text: string;
  /** What a program reads: the webhook's `data`. */
  data: Record<string, unknown>;
};

/** `monthly-payroll, 2026-11`, or the name of the file where it is no job's. */
export function whoseOf({ job, period, input }: Pick<RunCreated, 'job' | 'period'> & { input: { name: string } }) {
  return oneLine(job === null ? input.name : period === null ? job : `${job}, ${period}`);
}

/** A mail that is sorted by its subject has to say there that no money moved. */
export function subjectOf({ rehearsal }: { rehearsal: boolean | null }, text: string): string {
  return oneLine(`${rehearsal ? 'REHEARSAL: ' : ''}payrun: ${text}`);
}
