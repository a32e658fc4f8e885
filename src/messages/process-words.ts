import type { Awaited } from '../domain/outcomes/awaited.ts';
import type { DeliveryFault, DeliveryWay } from '../domain/outcomes/notice-outcome.ts';
import { zoneText } from '../domain/zone.ts';
import { faultText, wayText } from './notice-words.ts';
import { awaitedText } from './report/pace-words.ts';
import { inOneLine, printable, withoutStop } from './text.ts';

/** Where payrun is at fault: in a notice, and to the person whose command it was. */
export const BUG = {
  notice: 'payrun met a bug.',
  message: 'payrun met a bug. What was sent is in the journal; nothing is lost.',
} as const;

/** In a notice, which names no payees. */
export const SEE_OUTPUT = 'See the output for the affected rows.';

/** `check`: the command that shows the problems. */
export function wrongInputText(check: string): { message: string; remedy: string } {
  return { message: 'The input has problems.', remedy: `See them: ${check}` };
}

/** Why a run stopped that somebody ended. */
export function endedText(isPaused: boolean): string {
  return isPaused ? 'it was paused' : 'it was interrupted';
}

export function notDeliveredText(to: DeliveryWay, why: DeliveryFault): string {
  return `Not notified: ${printable(`${wayText(to)}: ${withoutStop(faultText(why))}`)}. This changes nothing else.`;
}

/** `cause`: what was thrown. */
export function nobodyNotifiedText(cause: string): string {
  return `Nobody was notified: ${printable(cause)}. This changes nothing else.`;
}

/** Where somebody ends a process while it notifies people. */
export const NOBODY_ELSE = 'Stopping: nobody else is notified.';

/** Of a service that does not answer, or has asked for a pause. */
export function waitText(awaited: Awaited): string {
  const seconds = Math.round(awaited.forMs / 1_000);
  if (awaited.code === 'answer') return `Waiting for the service: no answer to ${awaited.operation} for ${seconds} s.`;
  return `Waiting for the service: ${awaitedText(awaited)}.`;
}

/** What a process that stays reports of its database. */
export function databaseText(event: { event: 'database_away'; message: string } | { event: 'database_back' }): string {
  if (event.event === 'database_back') return 'the database can be used again';
  return `the database cannot be used, and is tried again: ${inOneLine(event.message)}`;
}

export function receivedAtText(url: string): string {
  return `webhooks are received at ${url}`;
}

/** `lastWhy`: as the last sender was answered. */
export function refusedWebhooksText(count: number, lastWhy: string): string {
  return `${count} webhooks were refused, the last one: ${lastWhy}. Check --webhook-key and the secret.`;
}

/** Which file of which job is read; `pattern`: of which files it is the newest. */
export function jobText(job: { name: string; file: string }, input: { path: string; pattern: string | null }): string {
  const { path, pattern } = input;
  return `Job ${job.name} (${job.file}): ${pattern === null ? path : `${path}, the newest of ${pattern}`}`;
}

/** For which period a job is run; `due`: the time of its schedule that has it, null where it was given. */
export function periodText({ key, due }: { key: string; due: { at: number; timeZone: string } | null }): string {
  const why =
    due === null ? 'as --period says' : `of ${zoneText(due.at, due.timeZone)}, the nearest time of its schedule`;
  return `Period ${key}, ${why}`;
}
