import { REHEARSAL_BAND } from '../report/model/outcome.ts';
import { type Notice, subjectOf } from './notice.ts';
import { oneLine, withoutNumbers } from './words.ts';

/** A job that did not begin, or whose process had to stop. */
export type JobRefused = {
  job: string;
  /** Null where there is none, or none is known. */
  runId: string | null;
  /** Null where nobody knows. */
  rehearsal: boolean | null;
  /** What was said of it, line by line. */
  message: string;
  remedy: string;
  exit: number;
  /** Whether something may have been sent before. */
  isStopped: boolean;
};

const LINES_MAX = 20;

/** Tells that a job did not begin, and why. What was said of it may repeat a cell, so that numbers are left out. */
export function refusedNotice(refused: JobRefused, { at, id }: { at: number; id: string }): Notice {
  const { job, runId, rehearsal, exit, isStopped } = refused;
  const said = (text: string): string[] => text.split('\n').slice(0, LINES_MAX).map(oneLine).map(withoutNumbers);
  const message = said(refused.message);
  const remedy = said(refused.remedy);
  const how = isStopped ? 'stopped' : 'did not begin: nothing was sent';
  const lines = [
    ...(rehearsal ? [`${REHEARSAL_BAND}.`, ''] : []),
    `Job ${oneLine(job)} ${how} (exit ${exit}).`,
    '',
    ...message,
    ...remedy,
  ];
  const data = {
    // What did not begin is no run: the run that a refusal names is another one.
    run_id: isStopped ? runId : null,
    refers_to: isStopped ? null : runId,
    job,
    rehearsal,
    state: isStopped ? 'stopped' : 'refused',
    message: message.join('\n'),
    remedy: remedy.join('\n'),
    exit,
  };
  const subject = subjectOf({ rehearsal }, `${job} ${how}`);
  return { event: exit === 5 ? 'doubts' : 'failed', id, at, subject, text: `${lines.join('\n')}\n`, data };
}
