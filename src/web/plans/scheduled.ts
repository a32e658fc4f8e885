import type { PlanStanding } from '../../app/approve/plan-standing.ts';
import type { StartStanding, WhyMissed } from '../../app/schedule/start-standing.ts';
import type { StartTime } from '../../domain/entry.ts';
import type { ScheduledStart } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { isShownTwice } from '../../domain/zone.ts';
import { messages } from '../../messages/messages.ts';
import { t } from '../../messages/translate.ts';
import { viewer } from '../../messages/viewer.ts';
import { type Html, html } from '../shell/html.ts';
import { moment } from '../shell/parts.ts';
import { type StandingFor, waitsForText } from './standing.ts';

/** `Friday 27 November 2026, 09:00, Europe/Berlin`. */
export function startText({ at, time_zone: timeZone }: StartTime): string {
  return `${messages.schedules.timeInZone(at, timeZone)}${isShownTwice(at, timeZone) ? t`, before the clocks are set back` : ''}`;
}

/** The same as a time that browsers and people with other clocks understand. */
export function startMoment(start: StartTime): Html {
  const iso = isoUtc(start.at);
  return html`<time datetime="${iso}" title="${iso.slice(0, 16).replace('T', ' ')} UTC">${startText(start)}</time>`;
}

/** Who set, changed or recalled when a plan is started. */
function setterName({ actor }: Pick<ScheduledStart, 'actor'>): string {
  return actor.page_person ?? actor.by;
}

const WHY_MISSED: Readonly<Record<WhyMissed, (who: string) => string>> = {
  not_approved: () => t`It was not approved in time.`,
  rows_not_approved: () => t`Rows to new or changed accounts were not approved in time.`,
  person: (who) => t`${who}, who set the time, can no longer start payments.`,
  refused: () => t`The start was refused.`,
  nobody: () => t`payrun was not running at that time, or was kept from starting it.`,
};

/** What a plan waits for, in words, its time too. */
export function planWaitsText(standing: PlanStanding, scheduled: StartStanding | null): string {
  const waits = waitsForText(standing);
  if (scheduled === null) return waits;
  const time = startText(scheduled.start);
  switch (scheduled.state) {
    case 'ahead':
      return standing.isReady && standing.rowsMissing.length === 0
        ? t`Approved. Starts on ${time}.`
        : t`${waits} It is scheduled for ${time}.`;
    case 'due':
      return t`Approved. It is being started.`;
    case 'missed':
      return t`Missed its time. ${waits}`;
  }
}

/** What comes next, for the timeline. */
export function nextStep({ standing, scheduled }: Pick<StandingFor, 'standing' | 'scheduled'>): string {
  if (scheduled?.state === 'ahead' && standing.isReady) return t`Starts on ${startText(scheduled.start)}`;
  return standing.isReady ? t`Ready to start` : t`Awaiting approval`;
}

/** When it starts on its own, and who said so; or that it did not, why, and what to do. `refused`: why the start was refused. */
export function scheduledPart(scheduled: StartStanding, refused: string | null): Html {
  const { start, state, why } = scheduled;
  const who = setterName(scheduled);
  if (state === 'missed')
    return html`<div class="notice wrong" id="scheduled"><p><strong>It was not started on ${startMoment(start)}.</strong> ${refused ?? WHY_MISSED[why](who)}</p><p>It will not start on its own. Once it is approved, a preparer starts it or sets another time.</p></div>`;
  const warning =
    why === 'person' &&
    html`<div class="notice care"><p>${WHY_MISSED.person(who)} It will not start at that time unless another preparer sets it.</p></div>`;
  const isElsewhere = viewer().timeZone !== start.time_zone;
  return html`<p id="scheduled" class="soft">Set by ${who}, ${moment(scheduled.setAt, 'sentence')}.${isElsewhere && html` By your clock it starts at ${moment(start.at, 'sentence')}.`}</p>${warning}`;
}
