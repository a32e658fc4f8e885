/**
 * How evidence for an encoding is weighed. Evidence is a difference of natural logarithms of probabilities, so 8 is the
 * odds of 3,000 to one. `test/input/encodings/measure-encodings.ts` shows what these numbers give.
 */

/** A reading is taken where so much speaks for it and against any other. */
export const MARGIN = 12;

/** A word that two encodings read differently counts so much at most: no name decides alone. */
export const WORD_MAX = 8;

/** So much at most count all words together that both read alike, for the languages that they show. */
export const ALIKE_MAX = 8;

/** Between Chinese and Japanese a word counts less: characters of both are names to the other. */
export const EAST_ASIAN_WORD_MAX = 2;

/** A word that nobody writes so. */
export const UNWRITTEN = 16;

/** What speaks for windows-1252, in which most files are, before they are looked at; and against the Baltic one. */
export const MOST_FREQUENT = 4;
export const RARE = -4;

/**
 * What speaks against encodings that payrun does not read, in which hardly a file is any more. With MOST_FREQUENT it is less
 * than MARGIN: `Simäes` is no better a name than the `Simões` of DOS.
 */
export const RARER = -7.5;

/** The same in East Asia, where a word counts little. */
export const RARER_EAST = -10;

/** A sign beyond ASCII, or a letter of the wrong case, in a word. */
export const ODD_SIGN = -8;

/** A letter that stands where no name of a language has it, at the least. */
export const LETTER_LEAST = -12;

/** A letter of any reading that is wrong, about. */
export const LETTER_BY_CHANCE = -8.5;

/** A reading is strange where so much speaks for chance and against names. */
export const STRANGE = 6;

/** The same in East Asia, where other bytes give common characters too. */
export const STRANGE_EAST = 2;

/** What one word adds to that, and takes from it, at most. */
export const STRANGE_WORD_MAX = 5;
export const FAMILIAR_WORD_MAX = 2;
