import type { Notify } from '../app/news.ts';
import type { Maker } from '../app/plan/preparer.ts';
import { commandsFor, placeFor } from '../compose/command-hints.ts';
import { noticeOf, notify } from '../compose/notices.ts';
import { personHere } from '../compose/person.ts';
import { DATA_DIR_DEFAULT, readSettings, type Settings } from '../compose/settings.ts';
import { passphraseIn, unlockKey } from '../compose/unlock-key.ts';
import { Refusal } from '../domain/refusal.ts';
import { refusalText } from '../messages/refusals/refusal.ts';
import type { Log } from '../platform/log.ts';

/** A program reads results, and no lines for people. */
export const SILENT = { stderr: () => {} };

/** The passphrase of the key that `as` names stands in a file. */
export function makerOf({ as: path, passphraseFile }: Settings): Maker {
  const unlock = (could: string) => unlockKey(path ?? '', could, () => passphraseIn(passphraseFile ?? ''));
  return { account: personHere(), unlock: path === undefined ? null : unlock };
}

/** Notifies people, until `stop` is aborted. */
export function notifyIn(settings: Settings, log: Log, stop: AbortSignal): Notify {
  const command = commandsFor(settings);
  return (notices, news) => notify(notices, async () => noticeOf(await news(), command), { io: SILENT, log, stop });
}

/** Throws a `Refusal` whose message is the sentence: a program that was written wrongly shows it as it is. */
export function settingsOf(options: Record<string, unknown>, job: Parameters<typeof readSettings>[2] = null): Settings {
  try {
    return readSettings({ ...options, quiet: true }, {}, job);
  } catch (error) {
    if (error instanceof Refusal) error.message = refusalText(error, placeFor({ dataDir: DATA_DIR_DEFAULT })).message;
    throw error;
  }
}
