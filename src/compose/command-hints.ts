import { isAbsolute, relative } from 'node:path';
import process from 'node:process';
import { type CommandLine, plainCommand } from '../messages/command-line.ts';
import type { Place } from '../messages/refusals/refusal-words.ts';
import { DATA_DIR_DEFAULT } from './settings.ts';

/**
 * How commands are printed for people to paste: with the data directory where it is not the default, since a command
 * that looks in another journal finds no run, or a wrong one.
 */
export function commandsFor({ dataDir }: { dataDir: string }): CommandLine {
  if (dataDir === DATA_DIR_DEFAULT) return plainCommand;
  return (...words) => plainCommand(...words, '--data-dir', dataDir);
}

/** How commands and paths are printed for people at this command line. */
export function placeFor(settings: { dataDir: string }): Place {
  return { command: commandsFor(settings), near: nearFile };
}

/** A path as people name it who are in this folder. */
export function nearFile(file: string): string {
  const near = relative(process.cwd(), file);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? file : near;
}
