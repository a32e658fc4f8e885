import type { Notify } from '../../app/news.ts';
import type { Maker } from '../../app/plan/preparer.ts';
import { noticeOf } from '../../compose/notices.ts';
import { personHere } from '../../compose/person.ts';
import type { Settings } from '../../compose/settings.ts';
import { unlockKey } from '../../compose/unlock-key.ts';
import type { CommandLine } from '../../messages/command-line.ts';
import type { Log } from '../../platform/log.ts';
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

/** Notifies people, with the commands that `command` writes. */
export function notifyHere(here: { io: Pick<Io, 'stderr'>; log: Log }, command: CommandLine): Notify {
  return (settings, news) => notify(settings, async () => noticeOf(await news(), command), here);
}
