import type { NotifyEvent } from '../domain/notices/notify.ts';
import { REHEARSAL_BAND } from '../report/model/outcome.ts';
import { type Notice, subjectOf } from './notice.ts';
import { oneLine } from './words.ts';

/** What a scheduler tells of a job that nobody was told of by its run. */
export type ScheduleNews = {
  event: NotifyEvent;
  state: 'missed' | 'gave_up' | 'cut_off' | 'killed' | 'useless_plan' | 'planned';
  job: string;
  /** Null where it is of a run that was started. */
  period: string | null;
  runId: string | null;
  /** Null where nobody knows. */
  rehearsal: boolean | null;
  /** What was said of it, with the literal next command. Names no payee and no account. */
  message: string;
};

const HOW: Readonly<Record<ScheduleNews['state'], string>> = {
  missed: 'was missed',
  gave_up: 'was given up: nothing was sent',
  cut_off: 'was cut off, and needs a person',
  killed: 'was ended before it began',
  useless_plan: 'was not run: its plan cannot be run any more',
  planned: 'was missed: its plan waits',
};

/** Tells that a time of a job was missed or given up, that its plan waits or cannot be run, or that its run was cut off. */
export function scheduleNotice(told: ScheduleNews, { at, id }: { at: number; id: string }): Notice {
  const { event, state, job, period, runId, rehearsal } = told;
  const whose = oneLine(period === null ? job : `${job}, ${period}`);
  const message = oneLine(told.message);
  const lines = [...(rehearsal ? [`${REHEARSAL_BAND}.`, ''] : []), message];
  const data = { run_id: runId, job, period, rehearsal, state, message };
  const subject = subjectOf({ rehearsal }, `${whose} ${HOW[state]}`);
  return { event, id, at, subject, text: `${lines.join('\n')}\n`, data };
}
