import { type CommandLine, plainCommand } from '../report/command-line.ts';
import { DATA_DIR_DEFAULT } from './settings.ts';

/**
 * How commands are printed for people to paste: with the data directory where it is not the default, since a command
 * that looks in another journal finds no run, or a wrong one.
 */
export function commandsFor({ dataDir }: { dataDir: string }): CommandLine {
  if (dataDir === DATA_DIR_DEFAULT) return plainCommand;
  return (...words) => plainCommand(...words, '--data-dir', dataDir);
}
