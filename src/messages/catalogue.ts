import type { Note } from '../domain/entries/note.ts';
import type { JournalDamage } from '../domain/outcomes/journal-damage.ts';
import type * as notices from './notice-words.ts';
import type * as pages from './page-steps.ts';
import type * as checks from './problems/check-words.ts';
import type * as history from './problems/history-words.ts';
import type { ProblemText } from './problems/problem-words.ts';
import type * as process from './process-words.ts';
import type * as approvals from './refusals/approve-words.ts';
import type * as commands from './refusals/command-words.ts';
import type * as files from './refusals/file-words.ts';
import type * as jobs from './refusals/job-words.ts';
import type * as paid from './refusals/paid-words.ts';
import type * as plans from './refusals/plan-words.ts';
import type { RefusalTexts } from './refusals/refusal.ts';
import type * as settings from './refusals/settings-file-words.ts';
import type * as rejections from './rejection-words.ts';
import type * as actors from './report/actor-words.ts';
import type * as bankFiles from './report/bank-file-words.ts';
import type * as doubtLines from './report/doubt-lines.ts';
import type * as doubts from './report/doubt-words.ts';
import type * as outcomes from './report/outcome-words.ts';
import type * as pace from './report/pace-words.ts';
import type * as summary from './report/summary-words.ts';
import type * as runs from './run-name.ts';
import type * as schedules from './schedule-words.ts';
import type * as promises from './service-words.ts';
import type * as stops from './stop-words.ts';
import type * as text from './text.ts';

/**
 * The words by subject. They are English where they stand, and in the language of the viewer where they are read
 * (`translate.ts`). What lacks the words of a code does not compile.
 */
export type Catalogue = {
  actors: Same<typeof actors>;
  approvals: Same<
    typeof approvals,
    'approvalLine' | 'nextCommand' | 'nextStepText' | 'preparerText' | 'someOf' | 'WHY_VOID'
  >;
  bankFiles: Same<typeof bankFiles>;
  damage: { damageText(damage: JournalDamage | string): string };
  doubts: Same<typeof doubts> & Same<typeof doubtLines> & Same<typeof commands, 'riskText'>;
  files: Same<typeof settings, 'fileProblemLine' | 'wordsOfFileProblem'> &
    Same<typeof jobs, 'FILE_REMEDIES'> &
    Same<typeof files, 'LEFT_WORDS' | 'FORMAT_NAMES'>;
  notes: { noteText(note: Note): string };
  notices: Same<typeof notices>;
  outcomes: Same<typeof outcomes>;
  pace: Same<typeof pace>;
  pages: Same<typeof pages>;
  plans: Same<typeof plans, 'obstacleClause' | 'planAgain'> & Same<typeof paid, 'otherPlanText'>;
  problems: ProblemText & Same<typeof history, 'coolingText' | 'runText'> & Same<typeof checks, 'sumText'>;
  process: Same<typeof process>;
  promises: Same<typeof promises>;
  refusals: RefusalTexts;
  rejections: Same<typeof rejections>;
  runs: Same<typeof runs, 'runName'>;
  schedules: Same<typeof schedules, 'dayInZone' | 'timeInZone' | 'weekdayInZone'>;
  stops: Same<typeof stops>;
  summary: Same<typeof summary>;
  text: Same<typeof text, 'listed'>;
};

/** What a module of English words exports, with any other texts in place of its own. */
type Same<Words, Name extends keyof Words = keyof Words> = { readonly [N in Name]: AnyText<Words[N]> };

type AnyText<Of> = Of extends string
  ? string
  : Of extends (...args: never[]) => unknown
    ? Of
    : { readonly [Key in keyof Of]: AnyText<Of[Key]> };
