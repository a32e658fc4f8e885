import { join } from 'node:path';
import { Refusal } from '../domain/refusal.ts';

const SQLITE = 'sqlite:';

/** The URL of the journal in a data directory, where nothing else is asked for: `sqlite:DATA_DIR/journal.db`. */
export function journalIn(dataDir: string): string {
  return `${SQLITE}${join(dataDir, 'journal.db')}`;
}

/** The file that a journal's URL names. Throws a `Refusal` of kind `usage` for another kind of URL. */
export function sqlitePath(url: string): string {
  if (url.startsWith(SQLITE) && url.length > SQLITE.length) return url.slice(SQLITE.length);
  throw new Refusal('usage', `${url} names no journal.`, 'Name one as sqlite:PATH, such as sqlite:.payrun/journal.db.');
}
