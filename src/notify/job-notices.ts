import type { NotifyEvent } from '../domain/notices/notify.ts';
import { REFUSAL_EXIT } from '../domain/refusals/kinds.ts';
import { messages } from '../messages/messages.ts';
import type { ScheduleState } from '../messages/notice-words.ts';
import { type Notice, noticeOf } from './notice.ts';
import { oneLine, withoutNumbers } from './redact.ts';

type Stamp = Pick<Notice, 'at' | 'id'>;

/** A job that did not begin, or whose process had to stop. */
export type JobRefused = {
  job: string;
  /** Null where there is none, or none is known. */
  runId: string | null;
  /** Null where it is not known. */
  rehearsal: boolean | null;
  /** Of several lines. */
  message: string;
  remedy: string;
  exit: number;
  /** Whether something may have been sent before. */
  isStopped: boolean;
};

const LINES_MAX = 20;

/** That a job did not begin, and why. The message may repeat a cell, so that numbers are left out. */
export function refusedNotice(refused: JobRefused, stamp: Stamp): Notice {
  const { job, runId, rehearsal, exit, isStopped } = refused;
  const linesOf = (text: string): string[] =>
    text
      .split('\n')
      .slice(0, LINES_MAX)
      .map((line) => withoutNumbers(oneLine(line)));
  const message = linesOf(refused.message);
  const remedy = linesOf(refused.remedy);
  return noticeOf({
    ...stamp,
    event: exit === REFUSAL_EXIT.person_needed ? 'doubts' : 'failed',
    letter: messages.notices.refusedLetter(oneLine(job), { isStopped, exit, lines: [...message, ...remedy] }),
    data: {
      // What did not begin is no run: the run that a refusal names is another one.
      run_id: isStopped ? runId : null,
      refers_to: isStopped ? null : runId,
      job,
      rehearsal,
      state: isStopped ? 'stopped' : 'refused',
      message: message.join('\n'),
      remedy: remedy.join('\n'),
      exit,
    },
  });
}

/** What a scheduler sees of a job, and no run of the job can report. */
export type ScheduleNews = {
  event: NotifyEvent;
  state: ScheduleState;
  job: string;
  /** Null where it is of a run that was started. */
  period: string | null;
  runId: string | null;
  /** Null where it is not known. */
  rehearsal: boolean | null;
  /** With the literal next command. Names no payee and no account. */
  message: string;
};

/** That a time of a job was missed or given up, that its plan waits or cannot be run, or that its run was cut off. */
export function scheduleNotice(news: ScheduleNews, stamp: Stamp): Notice {
  const { event, state, job, period, runId, rehearsal } = news;
  const message = oneLine(news.message);
  return noticeOf({
    ...stamp,
    event,
    letter: messages.notices.scheduleLetter(oneLine(period === null ? job : `${job}, ${period}`), state, message),
    data: { run_id: runId, job, period, rehearsal, state, message },
  });
}
