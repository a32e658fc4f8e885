import type { RunStep } from '../../domain/outcomes/run-outcome.ts';
import { number } from '../text.ts';
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

/** The pace in words, as far as it is known: `3.5/s`, `about 6 min left`. */
export function paceTexts({
  perSecond,
  secondsLeft,
}: {
  perSecond: number | null;
  secondsLeft: number | null;
}): string[] {
  const texts: string[] = [];
  if (perSecond !== null) texts.push(`${perSecond < 10 ? perSecond.toFixed(1) : number(Math.round(perSecond))}/s`);
  if (secondsLeft !== null) texts.push(t`about ${durationText(secondsLeft)} left`);
  return texts;
}

/** `45 s`, `6 min`, `2 h 10 min`: as precise as an estimate is. */
function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return t`${minutes} min`;
  const hours = `${number(Math.floor(minutes / 60))} h`;
  return minutes % 60 === 0 ? hours : t`${hours} ${minutes % 60} min`;
}
