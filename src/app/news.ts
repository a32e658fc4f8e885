import type { NotifyEvent, NotifySettings } from '../domain/notices/notify.ts';
import type { DeliveryFault } from '../domain/outcomes/notice-outcome.ts';
import type { RunEnding } from '../domain/run/ending.ts';
import type { RunState } from '../domain/run/run-state.ts';
import type { PlanWaits } from '../notify/run-notices.ts';
import type { RunEnd } from '../runner/run.ts';

/** A run that ended, for now or at all, as the event that its job wants to hear of. */
export type EndedRun = {
  run: RunState;
  event: Exclude<NotifyEvent, 'planned'>;
  end: RunEnd;
  ending: RunEnding;
  /** What kept advice from payees; null where nothing did. */
  unsentAdvice: DeliveryFault | null;
};

/** What people are notified of. */
export type News = ({ news: 'plan_waits' } & PlanWaits) | ({ news: 'run_ended' } & EndedRun);

/** Notifies people of what a job wants them notified of. `news` is called where somebody is to be notified. Never throws. */
export type Notify = (settings: NotifySettings | null, news: () => Promise<News>) => Promise<void>;
