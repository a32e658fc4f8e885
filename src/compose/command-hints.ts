import { isAbsolute, relative } from 'node:path';
import process from 'node:process';
import { shownUrl } from '../journal/place.ts';
import { type CommandLine, plainCommand } from '../messages/command-line.ts';
import type { Place } from '../messages/refusals/refusal-words.ts';
import { DATA_DIR_DEFAULT, type Settings } from './settings.ts';

type PlaceSettings = Pick<Settings, 'dataDir' | 'database' | 'isDatabaseOption'>;

/**
 * How commands are printed for people to paste: with the data directory where it is not the default, since a command
 * that looks in another journal finds no run, or a wrong one.
 */
export function commandsFor({ dataDir, database, isDatabaseOption }: PlaceSettings): CommandLine {
  const where = [
    ...(dataDir === DATA_DIR_DEFAULT ? [] : ['--data-dir', dataDir]),
    // The environment and the profile are there for the next command too. A password is nowhere repeated.
    ...(database !== undefined && isDatabaseOption === true ? ['--database', shownUrl(database)] : []),
  ];
  return where.length === 0 ? plainCommand : (...words) => plainCommand(...words, ...where);
}

/** How commands and paths are printed for people at this command line. */
export function placeFor(settings: PlaceSettings): Place {
  return { command: commandsFor(settings), near: nearFile };
}

/** A path as people name it who are in this folder. */
export function nearFile(file: string): string {
  const near = relative(process.cwd(), file);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? file : near;
}
