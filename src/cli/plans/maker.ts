import type { Tell } from '../../app/plan/plan-deps.ts';
import type { Maker } from '../../app/plan/preparer.ts';
import { openLog } from '../../compose/data-dir.ts';
import { personHere } from '../../compose/person.ts';
import type { Settings } from '../../compose/settings.ts';
import { unlockKey } from '../../compose/unlock-key.ts';
import { notify } from '../jobs/notices.ts';
import type { Io } from '../terminal.ts';

/** Who makes a plan at this command line: its account, and the key that `--as` names. */
export function makerHere(policy: unknown, settings: Settings, io: Io): Maker {
  const { as: path } = settings;
  if (policy === null && path !== undefined) io.stderr('--as does nothing here: nobody has to approve this plan.\n');
  const unlock = (could: string) =>
    unlockKey(path ?? '', could, async () => {
      const { askPassphrase } = await import('../connection/passphrase.ts');
      return askPassphrase(path ?? '', settings, io);
    });
  return { account: personHere(), unlock: path === undefined ? null : unlock };
}

/** Notifies people of a plan, and logs it. */
export function tellLogged({ dataDir, logLevel }: Settings, io: Pick<Io, 'stderr'>): Tell {
  return async (settings, notice) => {
    if (settings === null) return;
    const { log, flush } = openLog(dataDir, logLevel);
    await notify(settings, notice, { io, log }).finally(flush);
  };
}
