import type { Entry } from '../../domain/entry.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';

/** What a new run keeps of who is told of it: it goes on from its journal alone. */
export function notifyEntries(settings: NotifySettings | null): Entry[] {
  return settings === null ? [] : [{ kind: 'notify', notify: settings }];
}
