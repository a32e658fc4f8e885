import type { RunCreated } from '../domain/entry.ts';
import type { NotifyEvent } from '../domain/notices/notify.ts';
import { REHEARSAL_BAND } from '../messages/report/outcome-words.ts';
import { oneLine } from './words.ts';

/** A notice, once for all ways of delivering it. Nothing in it names an account. */
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

type Draft = Omit<Notice, 'text'> & { lines: readonly string[]; data: { rehearsal: boolean | null } };

/** A mail that is sorted by its subject has to say there, too, that no money moved. */
export function noticeOf({ subject, lines, ...rest }: Draft): Notice {
  const { rehearsal } = rest.data;
  const text = [...(rehearsal ? [`${REHEARSAL_BAND}.`, ''] : []), ...lines].join('\n');
  return { ...rest, subject: oneLine(`${rehearsal ? 'REHEARSAL: ' : ''}payrun: ${subject}`), text: `${text}\n` };
}

/** `monthly-payroll, 2026-11`, or the name of the file where it is no job's. */
export function whoseOf({ job, period, input }: Pick<RunCreated, 'job' | 'period'> & { input: { name: string } }) {
  return oneLine(job === null ? input.name : period === null ? job : `${job}, ${period}`);
}

/** What stands where `env:NAME` or `file:PATH` points. Throws a `Refusal` (`usage`), which `name` is the subject of. */
export type Secrets = (reference: string, name: string) => string;
