import type { ColumnName } from '../synonyms.ts';

/** What one language calls our columns and what is beside them, divided by commas as in `Words`. */
export type LanguageWords = {
  language:
    | 'cs'
    | 'tr'
    | 'sv'
    | 'da'
    | 'no'
    | 'fi'
    | 'hu'
    | 'ro'
    | 'ru'
    | 'hr'
    | 'el'
    | 'bg'
    | 'ar'
    | 'ja'
    | 'zh'
    | 'ko'
    | 'th'
    | 'vi'
    | 'id'
    | 'he';
  columns: Readonly<Partial<Record<ColumnName, string>>>;
  /** The reference where no other column is. */
  weakReference: string;
  first?: string;
  middle?: string;
  last?: string;
  /** Whether people write the family name first. */
  isFamilyFirst?: true;
  /** As in `UNSURE_WORDS`. */
  unsure: Readonly<Partial<Record<ColumnName, string>>>;
  tax: string;
};
