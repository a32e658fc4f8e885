import type { LegacyEncoding } from './encodings.ts';
import type { NameLanguage } from './letter-statistics.ts';

const WESTERN = ['es', 'de', 'fr', 'pt', 'it', 'sv', 'nb', 'nl', 'ga'] as const;
const CENTRAL = ['cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'pl', 'de'] as const;

/** The encodings that payrun distinguishes, with the languages whose names they write. Others are read only by `--encoding`. */
export const LANGUAGES_OF = {
  'windows-1252': [...WESTERN, 'is', 'et'],
  'windows-1250': CENTRAL,
  'windows-1254': ['tr', 'de'],
  'windows-1257': ['lv', 'lt', 'et', 'de'],
  'iso-8859-2': CENTRAL,
  macintosh: WESTERN,
  gb18030: ['zh'],
  shift_jis: ['ja'],
} as const satisfies Partial<Record<LegacyEncoding, readonly NameLanguage[]>>;

export type Candidate = keyof typeof LANGUAGES_OF;

export const CANDIDATES = Object.keys(LANGUAGES_OF) as Candidate[];
