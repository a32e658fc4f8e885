import type { ReasonOf, RefusalCode } from '../../domain/refusals/reason.ts';
import type { CommandLine } from '../command-line.ts';
import { t } from '../translate.ts';

/** How commands and paths are written for who reads them. */
export type Place = { command: CommandLine; near: (file: string) => string };

/** The page shows the words for the page alone. */
export const NO_COMMANDS: Place = { command: () => '', near: (file) => file };

/** Who reads it: at a command line, or on the page. */
export type Reader = 'command_line' | 'page';

/** The same for all who read it, or what each of them reads. */
export type Wording = string | { readonly command_line: string; readonly page: string };

export type RefusalWords = {
  /** What happened, in one sentence. */
  message: Wording;
  /** Whether it adds that nothing was sent. */
  nothingSent?: true;
  /** More of what happened, each in a line of its own. */
  lines?: readonly string[];
  /** What to do. Empty where there is nothing. */
  remedy: Wording;
  details?: Record<string, unknown>;
};

/** The words of each of some reasons. What lacks one does not compile. */
export type WordsOf<Code extends RefusalCode> = {
  readonly [C in Code]: (reason: ReasonOf<C>, place: Place) => RefusalWords;
};

/** What a refusal adds where nothing was sent. */
export const nothingSent = () => t`Nothing was sent.`;

export function textOf(
  { message, lines = [], remedy, ...words }: RefusalWords,
  reader: Reader,
): { message: string; remedy: string } {
  const first = `${wordingFor(reader, message)}${words.nothingSent ? ` ${nothingSent()}` : ''}`;
  return { message: [first, ...lines].join('\n'), remedy: wordingFor(reader, remedy) };
}

/** What this reader reads. */
export function wordingFor(reader: Reader, text: Wording): string {
  return typeof text === 'string' ? text : text[reader];
}
