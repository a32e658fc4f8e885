import type { Tell } from '../app/plan/plan-deps.ts';
import type { Maker } from '../app/plan/preparer.ts';
import { openLog } from '../compose/data-dir.ts';
import { notify } from '../compose/notices.ts';
import { personHere } from '../compose/person.ts';
import type { Settings } from '../compose/settings.ts';
import { passphraseIn, unlockKey } from '../compose/unlock-key.ts';

/** A program reads results, and no lines for people. */
export const SILENT = { stderr: () => {} };

/** The passphrase of the key that `as` names stands in a file. */
export function makerOf({ as: path, passphraseFile }: Settings): Maker {
  const unlock = (could: string) => unlockKey(path ?? '', could, () => passphraseIn(passphraseFile ?? ''));
  return { account: personHere(), unlock: path === undefined ? null : unlock };
}

/** Notifies people of a plan, and logs it. */
export function tellLogged({ dataDir, logLevel }: Settings, stop: AbortSignal): Tell {
  return async (notices, notice) => {
    if (notices === null) return;
    const { log, flush } = openLog(dataDir, logLevel);
    await notify(notices, notice, { io: SILENT, log, stop }).finally(flush);
  };
}
