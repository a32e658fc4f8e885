import * as damage from './damage-words.ts';
import * as notes from './note-words.ts';
import * as notices from './notice-words.ts';
import * as pages from './page-steps.ts';
import { sumText } from './problems/check-words.ts';
import { encodingName, fieldName } from './problems/field-names.ts';
import { coolingReasonText, coolingText, runText } from './problems/history-words.ts';
import { kindTitle } from './problems/kind-titles.ts';
import { markWords, placeText } from './problems/mark-words.ts';
import { problemLine, problemWords, worded } from './problems/problem-words.ts';
import { shortReason } from './problems/short-words.ts';
import * as process from './process-words.ts';
import * as approvals from './refusals/approve-words.ts';
import { riskText } from './refusals/command-words.ts';
import { FORMAT_NAMES, LEFT_WORDS } from './refusals/file-words.ts';
import { FILE_REMEDIES } from './refusals/job-words.ts';
import { otherPlanText } from './refusals/paid-words.ts';
import { obstacleClause, planAgain } from './refusals/plan-words.ts';
import { refusalOfTest, refusalOnPage, refusalText } from './refusals/refusal.ts';
import { fileProblemLine, wordsOfFileProblem } from './refusals/settings-file-words.ts';
import * as rejections from './rejection-words.ts';
import * as actors from './report/actor-words.ts';
import * as bankFiles from './report/bank-file-words.ts';
import * as doubtLines from './report/doubt-lines.ts';
import * as doubts from './report/doubt-words.ts';
import * as headings from './report/file-headings.ts';
import * as outcomes from './report/outcome-words.ts';
import * as pace from './report/pace-words.ts';
import * as summary from './report/summary-words.ts';
import * as runs from './run-name.ts';
import { dayInZone, timeInZone, weekdayInZone } from './schedule-words.ts';
import * as promises from './service-words.ts';
import * as stops from './stop-words.ts';
import * as text from './text.ts';

/** The words that people read, in the language of the viewer. Everything outside of this folder takes them from here. */
export const messages = {
  actors,
  approvals,
  bankFiles,
  damage,
  doubts: { ...doubts, ...doubtLines, riskText },
  headings,
  files: { fileProblemLine, wordsOfFileProblem, FILE_REMEDIES, LEFT_WORDS, FORMAT_NAMES },
  notes,
  notices,
  outcomes,
  pace,
  pages,
  plans: { obstacleClause, planAgain, otherPlanText },
  problems: {
    ...{ problemWords, problemLine, worded, shortReason, kindTitle, markWords, placeText, fieldName, encodingName },
    ...{ coolingReasonText, coolingText, runText, sumText },
  },
  process,
  promises,
  refusals: { refusalText, refusalOnPage, refusalOfTest },
  rejections,
  runs,
  schedules: { dayInZone, timeInZone, weekdayInZone },
  stops,
  summary,
  text,
};
