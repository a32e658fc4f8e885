import { CANDIDATES, type Candidate } from './candidates.ts';
import { type AskedEncoding, isEastAsian, isMultiByte, type LegacyEncoding, readAs } from './encodings.ts';
import {
  ALIKE_MAX,
  EAST_ASIAN_WORD_MAX,
  FAMILIAR_WORD_MAX,
  MARGIN,
  RARER,
  RARER_EAST,
  STRANGE,
  STRANGE_EAST,
  STRANGE_WORD_MAX,
  UNWRITTEN,
  WORD_MAX,
} from './evidence.ts';
import { headerEvidence } from './header-evidence.ts';
import { hasUtf8Words } from './mixed-encodings.ts';
import { sampleOf, type TextSample } from './text-sample.ts';
import { isUnread, UNREAD, type Unread } from './unread.ts';
import { type WordScore, wordScores } from './word-scores.ts';

/** What one encoding makes of some names that others read differently. */
export type Reading = { encoding: AskedEncoding; names: readonly string[] };

export type UnreadReading = { encoding: Unread; names: readonly string[] };

export type Readings = {
  readings: readonly Reading[];
  /** What it reads as in encodings that payrun does not read, where it may be in one of them. */
  unread: readonly UnreadReading[];
};

/** Which encoding a text has, or what it reads as in those that are possible where nothing decides. */
export type Decision = Readings & {
  encoding: LegacyEncoding;
  /** Whether some of its words are UTF-8. */
  isMixed: boolean;
};

/** An encoding that the text may have, with what its words read as in it. */
type Contender<Name = Candidate> = { encoding: Name; words: readonly WordScore[]; header: number };

/**
 * Decides the encoding of a text that is not Unicode, whose first bytes are `head`, by what letters do in names: `Jiří` has
 * an ř where Czech names have it, and `Jiøí` an ø where no name has one. One encoding must be better than every other that
 * reads the text differently, by as much as no name alone can give, and its words must be like names. Else nothing decides:
 * a name in the wrong encoding is another name.
 */
export async function decideEncoding(chunks: AsyncIterable<Uint8Array>, head: Uint8Array): Promise<Decision> {
  const sample = await sampleOf(chunks);
  const words = [...sample.words];
  const possible = CANDIDATES.filter((encoding) => !isMultiByte(encoding) || sample.valid.includes(encoding));
  const headers = headerEvidence(possible, head);
  const contenders = possible.map(
    (encoding): Contender => ({
      encoding,
      words: wordScores(encoding, words),
      header: headers.get(encoding) ?? 0,
    }),
  );
  const best = contenders.reduce((one, other) => (evidenceFor(other, one) > 0 ? other : one));
  const different = contenders
    .filter(({ encoding }) => !readAlike(best.encoding, encoding, sample))
    .map((other) => ({ encoding: other.encoding, evidence: evidenceFor(best, other) }))
    .sort((one, other) => one.evidence - other.evidence);
  const rivals = isStrange(best) ? different : different.filter(({ evidence }) => evidence < MARGIN);
  const unreadRivals = unreadRivalsOf(best, Math.min(...headers.values()), words, sample);
  const shown = [best, ...rivals].slice(0, READINGS_SHOWN).map((each) => each.encoding);
  const isDecided = rivals.length + unreadRivals.length === 0;
  const readings = isDecided ? NO_READINGS : readingsIn([...shown, ...unreadRivals], sample);
  // German names read alike in most of them, and people expect the most frequent one.
  const encoding = possible.find((each) => readAlike(each, best.encoding, sample)) ?? best.encoding;
  return { encoding, ...readings, isMixed: hasUtf8Words(words, best.words) };
}

/** The encoding of those that payrun does not read in which the text is nearly as likely as in the best, or more so. */
function unreadRivalsOf(best: Contender, least: number, words: readonly string[], sample: TextSample): Unread[] {
  const [rival] = UNREAD.filter((encoding) => !readAlike(best.encoding, encoding, sample))
    .map((encoding) => {
      const header = Math.min(least, isEastAsian(encoding) ? RARER_EAST : RARER);
      return { encoding, words: wordScores(encoding, words), header };
    })
    .map((other) => ({ encoding: other.encoding, evidence: evidenceFor(best, other) }))
    .filter(({ evidence }) => evidence < MARGIN)
    .toSorted((one, other) => one.evidence - other.evidence);
  return rival === undefined ? [] : [rival.encoding];
}

/** What the words and the header say for one encoding and against another. */
function evidenceFor(one: Contender, other: Contender<Candidate | Unread>): number {
  const wordMax = isEastAsian(one.encoding) && isEastAsian(other.encoding) ? EAST_ASIAN_WORD_MAX : WORD_MAX;
  let [alike, different] = [0, 0];
  for (const [at, word] of one.words.entries()) {
    const inOther = other.words[at];
    if (inOther === undefined) continue;
    if (word.text === inOther.text) alike += (word.likeness ?? 0) - (inOther.likeness ?? 0);
    else if (word.likeness !== null && inOther.likeness !== null)
      different += limited(word.likeness - inOther.likeness, wordMax);
    else if (word.likeness !== inOther.likeness) different += word.likeness === null ? -UNWRITTEN : UNWRITTEN;
  }
  return limited(alike, ALIKE_MAX) + different + one.header - other.header;
}

function limited(evidence: number, max: number): number {
  return Math.max(-max, Math.min(max, evidence));
}

/** Whether its words are as unlike names as words are in a wrong encoding. */
function isStrange({ encoding, words }: Contender): boolean {
  let evidence = 0;
  for (const { likeness, chance } of words)
    evidence +=
      likeness === null ? STRANGE : Math.max(-FAMILIAR_WORD_MAX, Math.min(STRANGE_WORD_MAX, chance - likeness));
  return evidence >= (isEastAsian(encoding) ? STRANGE_EAST : STRANGE);
}

/** Whether two encodings read all of a text alike. */
function readAlike(one: Candidate, other: Candidate | Unread, { bytes }: TextSample): boolean {
  if (isEastAsian(one) || isEastAsian(other)) return one === other;
  return bytes.values().every((byte) => readAs(one, byte) === readAs(other, byte));
}

const NAMES_SHOWN = 5;
const READINGS_SHOWN = 4;

const NO_READINGS: Readings = { readings: [], unread: [] };

/** What a text reads as in some encodings, apart in those that payrun does not read. */
export function readingsIn(
  encodings: readonly (AskedEncoding | Unread)[],
  sample: Pick<TextSample, 'cells'>,
): Readings {
  const all = readingsOf(encodings, sample);
  return {
    readings: all.flatMap(({ encoding, names }) => (isUnread(encoding) ? [] : [{ encoding, names }])),
    unread: all.flatMap(({ encoding, names }) => (isUnread(encoding) ? [{ encoding, names }] : [])),
  };
}

/** What the encodings make of the names that they read in the most ways. */
function readingsOf<Name extends AskedEncoding | Unread>(
  encodings: readonly Name[],
  { cells }: Pick<TextSample, 'cells'>,
): { encoding: Name; names: string[] }[] {
  const rows = cells
    .values()
    .map((cell) => encodings.map((encoding) => readAs(encoding, cell)))
    .map((texts) => ({ texts, ways: new Set(texts).size }))
    .filter(({ ways }) => ways > 1)
    .toArray();
  const shown = rows.toSorted((one, other) => other.ways - one.ways).slice(0, NAMES_SHOWN);
  const readings = encodings.map((encoding, at) => ({ encoding, names: shown.map(({ texts }) => texts[at] ?? '') }));
  return [...Map.groupBy(readings, ({ names }) => names.join('\n')).values()].flatMap(([first]) => first ?? []);
}
