import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What `payrun schedule` has told people of: no other scheduler, and none that is started later, tells it again. */
export class AnnouncedTimes {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = resolve(dataDir, 'schedule-told');
  }

  has(what: readonly string[]): boolean {
    return existsSync(this.#file(what));
  }

  /** Whether nobody has told it. From here on somebody has; where that cannot be noted, rather twice than never. */
  isFirst(what: readonly string[]): boolean {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(this.#file(what), `${what.join(' ')}\n`, { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      return !this.has(what);
    }
  }

  #file(what: readonly string[]): string {
    return join(this.#folder, announcementId(what));
  }
}

/** The same for the same. */
export function announcementId(what: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('hex').slice(0, 32);
}
