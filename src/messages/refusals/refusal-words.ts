import type { ReasonOf, RefusalCode } from '../../domain/refusals/reason.ts';
import type { CommandLine } from '../command-line.ts';

/** How commands and paths are written for who reads them. */
export type Place = { command: CommandLine; near: (file: string) => string };

/** The same for all who read it, or what each of them reads. */
export type Said = string | { readonly command_line: string; readonly page: string };

export type RefusalWords = {
  /** What happened, in one sentence. */
  message: Said;
  /** Whether it adds that nothing was sent. */
  nothingSent?: true;
  /** More of what happened, each in a line of its own. */
  lines?: readonly string[];
  /** What to do. Empty where there is nothing. */
  remedy: Said;
  details?: Record<string, unknown>;
};

/** The words of each of some reasons. What lacks one does not compile. */
export type WordsOf<Code extends RefusalCode> = {
  readonly [C in Code]: (reason: ReasonOf<C>, place: Place) => RefusalWords;
};

export function textOf(words: RefusalWords, reader: 'command_line' | 'page'): { message: string; remedy: string } {
  return { message: messageOf(words, reader), remedy: saidTo(reader, words.remedy) };
}

export function saidTo(audience: 'command_line' | 'page', said: Said): string {
  return typeof said === 'string' ? said : said[audience];
}

function messageOf({ message, nothingSent, lines = [] }: RefusalWords, audience: 'command_line' | 'page'): string {
  const first = `${saidTo(audience, message)}${nothingSent ? ' Nothing was sent.' : ''}`;
  return [first, ...lines].join('\n');
}
