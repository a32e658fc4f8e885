import type { RunCreated } from '../domain/entry.ts';
import type { NotifyEvent } from '../domain/notices/notify.ts';
import type { DeliveryFault } from '../domain/outcomes/notice-outcome.ts';
import { Refusal } from '../domain/refusal.ts';
import { messages } from '../messages/messages.ts';
import type { Letter } from '../messages/notice-words.ts';
import { oneLine } from './redact.ts';

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

type Draft = Omit<Notice, 'subject' | 'text'> & { letter: Letter; data: { rehearsal: boolean | null } };

export function noticeOf({ letter, ...rest }: Draft): Notice {
  const { subject, text } = messages.notices.letterText(letter, rest.data.rehearsal ?? false);
  return { ...rest, subject: oneLine(subject), text };
}

/** `monthly-payroll, 2026-11`, or the name of the file where it is no job's. */
export function whoseOf({ job, period, input }: Pick<RunCreated, 'job' | 'period'> & { input: { name: string } }) {
  return oneLine(job === null ? input.name : period === null ? job : `${job}, ${period}`);
}

/** What stands where `env:NAME` or `file:PATH` points. Throws a `Refusal` (`usage`), which `name` is the subject of. */
export type Secrets = (reference: string, name: string) => string;

/** What this program itself finds of a delivery that failed. */
export class NotDelivered extends Error {
  readonly fault: DeliveryFault;
  constructor(fault: 'no_time' | 'connection_closed') {
    super(fault);
    this.name = 'NotDelivered';
    this.fault = { fault };
  }
}

const REASON_MAX = 200;

/** Why a delivery failed. What a server wrote is cut to one short line. */
export function faultOf(error: unknown): DeliveryFault {
  if (error instanceof NotDelivered) return error.fault;
  if (error instanceof Refusal) return { fault: 'refused', reason: error.reason };
  const text = oneLine(error instanceof Error ? error.message : String(error));
  return { fault: 'noted', text: text.length > REASON_MAX ? `${text.slice(0, REASON_MAX)}…` : text };
}
