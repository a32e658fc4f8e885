import type { Awaited } from '../../domain/outcomes/awaited.ts';
import type { RunStep } from '../../domain/outcomes/run-outcome.ts';
import { grouped, number } from '../text.ts';
import { t, textTable } from '../translate.ts';

/** What a run is doing. */
export const STEPS: Readonly<Record<RunStep, string>> = textTable({
  checking_journal: 'checking the journal',
  checking_earlier_payments: 'checking the service for earlier payments',
  preparing_payees: 'preparing payees',
  first_payout: 'first payout',
  submitting: 'submitting',
  waiting: 'waiting',
  checking_sent: 'checking what was sent',
  done: 'done',
});

/** The same as a page has it: `3.5 a second · about 6 min left`; empty where nothing is known. */
export function pagePaceText({
  perSecond,
  secondsLeft,
}: {
  perSecond: number | null;
  secondsLeft: number | null;
}): string {
  const parts = [
    perSecond !== null && t`${paceNumber(perSecond)} a second`,
    secondsLeft !== null && t`about ${durationText(secondsLeft)} left`,
  ];
  return parts.filter((part) => part !== false).join(' · ');
}

function paceNumber(perSecond: number): string {
  return perSecond < 10 ? grouped(perSecond.toFixed(1)) : number(Math.round(perSecond));
}

/** The pace in words, as far as it is known: `3.5/s`, `about 6 min left`. */
export function paceTexts({
  perSecond,
  secondsLeft,
}: {
  perSecond: number | null;
  secondsLeft: number | null;
}): string[] {
  const texts: string[] = [];
  if (perSecond !== null) texts.push(`${paceNumber(perSecond)}/s`);
  if (secondsLeft !== null) texts.push(t`about ${durationText(secondsLeft)} left`);
  return texts;
}

/**
 * What the run waits for, how long it has waited, and how long it waits at most. A lower-case phrase, not a sentence.
 */
export function awaitedText(awaited: Awaited): string {
  const since = spent(awaited.forMs);
  const left = awaited.leftMs === null ? '' : durationText(awaited.leftMs / 1_000);
  switch (awaited.code) {
    case 'answer':
      return t`no answer to ${awaited.operation} for ${since}, given up in ${left}`;
    case 'pause':
      return t`paused for ${since} as the service asked (HTTP 429), ${left} left`;
    case 'limit':
      return left === ''
        ? t`waiting for ${since} for room in the rate limit`
        : t`waiting for ${since} for room in the rate limit, ${left} left`;
    case 'outcomes':
      return awaited.nextMs === null
        ? t`waiting for ${since} for outcomes, ${left} left at most`
        : t`waiting for ${since} for outcomes, next look in ${durationText(awaited.nextMs / 1_000)}, ${left} left at most`;
    case 'late_requests':
      return t`waiting for ${since} until no request can take effect any more, ${left} left`;
  }
}

/** A time that has passed. */
function spent(ms: number): string {
  return ms < 60_000 ? `${Math.floor(ms / 1_000)} s` : durationText(ms / 1_000);
}

/** `45 s`, `6 min`, `2 h 10 min`: as precise as an estimate is. */
function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return t`${minutes} min`;
  const hours = `${number(Math.floor(minutes / 60))} h`;
  return minutes % 60 === 0 ? hours : t`${hours} ${minutes % 60} min`;
}
