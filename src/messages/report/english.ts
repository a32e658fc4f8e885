import * as approvals from '../refusals/approve-words.ts';
import * as stops from '../stop-words.ts';
import * as text from '../text.ts';
import * as actors from './actor-words.ts';
import * as doubts from './doubt-words.ts';
import * as outcomes from './outcome-words.ts';
import * as summary from './summary-words.ts';

/**
 * The words of a report. Another language is another one of these: a file for each of its subjects, which does not compile
 * while a code has no words there.
 */
export type ReportWords = {
  language: string;
  actors: typeof actors;
  approvals: Pick<typeof approvals, 'WHY_VOID'>;
  doubts: typeof doubts;
  outcomes: typeof outcomes;
  summary: typeof summary;
  stops: Pick<typeof stops, 'stoppedText'>;
  text: Pick<typeof text, 'listed'>;
};

export const ENGLISH_REPORT: ReportWords = {
  language: 'en',
  actors,
  approvals,
  doubts,
  outcomes,
  summary,
  stops,
  text,
};
