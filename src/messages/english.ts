import { type DamageWords, ENGLISH_DAMAGE } from './damage-words.ts';
import { ENGLISH_NOTES, type NoteWords } from './note-words.ts';
import * as notices from './notice-words.ts';
import { ENGLISH as ENGLISH_PROBLEMS } from './problems/english.ts';
import type { ProblemCatalogue } from './problems/words.ts';
import { ENGLISH_REFUSALS, type RefusalCatalogue } from './refusals/refusal.ts';
import { ENGLISH_SETTINGS_FILES, type SettingsFileCatalogue } from './refusals/settings-file-words.ts';
import { ENGLISH_REPORT, type ReportWords } from './report/english.ts';
import * as promises from './service-words.ts';
import * as stops from './stop-words.ts';
import * as troubles from './trouble-words.ts';

/**
 * All words of one language, by subject. Another language is another one of these, with a file for each subject: German
 * words are `const GERMAN: Catalogue = {…}`, which does not compile while a code has no words there.
 */
export type Catalogue = {
  problems: ProblemCatalogue;
  refusals: RefusalCatalogue;
  settingsFiles: SettingsFileCatalogue;
  notes: NoteWords;
  damage: DamageWords;
  report: ReportWords;
  notices: typeof notices;
  stops: typeof stops;
  troubles: typeof troubles;
  promises: typeof promises;
};

export const ENGLISH: Catalogue = {
  problems: ENGLISH_PROBLEMS,
  refusals: ENGLISH_REFUSALS,
  settingsFiles: ENGLISH_SETTINGS_FILES,
  notes: ENGLISH_NOTES,
  damage: ENGLISH_DAMAGE,
  report: ENGLISH_REPORT,
  notices,
  stops,
  troubles,
  promises,
};
