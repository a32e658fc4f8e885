import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import PQueue from 'p-queue';
import { z } from 'zod';
import { checkResult, type ShownCheck, shownCheck } from '../../app/check/check-result.ts';
import { endForLog } from '../../app/launcher/launch.ts';
import { Refusal } from '../../domain/refusal.ts';
import { refusalOnPage } from '../../messages/refusals/refusal.ts';
import type { Dependencies } from '../parts.ts';
import { fileOrderOf, type Upload, type Uploads } from './uploads.ts';

/** What came of the check of an upload. */
type Checked =
  | { state: 'checked'; result: ShownCheck }
  /** The file or what was said of it is of no use, in the words of `check`. */
  | { state: 'refused'; message: string; remedy: string }
  /** It ended without an answer; the log says how. */
  | { state: 'broken' };

/** As many as there are processors on a small machine; the others wait. */
const AT_ONCE = 2;

/**
 * The checks of uploads, each in a process of its own, once for each revision. Its result is kept beside the file, so that a
 * page that is shown again checks nothing again.
 */
export class Checks {
  readonly #deps: Dependencies;
  readonly #uploads: Uploads;
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #running = new Map<string, Promise<Checked>>();
  readonly #broken = new Set<string>();

  constructor(deps: Dependencies, uploads: Uploads) {
    this.#deps = deps;
    this.#uploads = uploads;
  }

  /** What is known by now, within `waitMs`; null while it is still being checked. */
  async look(upload: Upload, waitMs: number): Promise<Checked | null> {
    const kept = this.#kept(upload);
    if (kept !== null) return kept;
    const running = this.begin(upload);
    return Promise.race([running, this.#deps.clock.sleep(waitMs).then(() => null)]);
  }

  /** Begins the check where it is neither done nor under way. `forget` makes payrun forget what it remembers of the headers. */
  begin(upload: Upload, { forget = false }: { forget?: boolean } = {}): Promise<Checked> {
    const key = keyOf(upload);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const begun = this.#queue
      .add(() => this.#check(upload, forget))
      .catch((error: unknown): Checked => {
        if (error instanceof Refusal) return { state: 'refused', ...refusalOnPage(error) };
        this.#deps.log.error({ error, upload: upload.id }, 'a check could not be made');
        this.#broken.add(key);
        return { state: 'broken' };
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, begun);
    return begun;
  }

  /** Lets a check that broke be made again. */
  again(upload: Upload): void {
    this.#broken.delete(keyOf(upload));
  }

  async #check(upload: Upload, forgetColumns: boolean): Promise<Checked> {
    const file = fileOrderOf(upload, this.#uploads, this.#deps.jobs());
    const ended = await this.#deps.tasks.check({ ...file, forgetColumns, copy: null });
    if (ended.outcome !== 'done' && ended.outcome !== 'refused') {
      this.#deps.log.error({ upload: upload.id, ...endForLog(ended) }, 'a check gave no answer');
      this.#broken.add(keyOf(upload));
      return { state: 'broken' };
    }
    const result = ended.outcome === 'done' ? ended.value : refusalOnPage(ended.refusal);
    const path = this.#path(upload);
    writeFileSync(`${path}.new`, JSON.stringify(result), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    for (let old = 1; old < upload.revision; old++) rmSync(this.#path({ ...upload, revision: old }), { force: true });
    return answerOf(result);
  }

  #kept(upload: Upload): Checked | null {
    if (this.#broken.has(keyOf(upload))) return { state: 'broken' };
    try {
      const checked = answerOf(JSON.parse(readFileSync(this.#path(upload), 'utf8')));
      return checked.state === 'broken' ? null : checked;
    } catch {
      return null;
    }
  }

  #path(upload: Upload): string {
    return this.#uploads.beside(upload, `checked-${upload.revision}.json`);
  }
}

function keyOf({ id, revision }: Upload): string {
  return `${id} ${revision}`;
}

function answerOf(result: unknown): Checked {
  const checked = checkResult.safeParse(result);
  if (checked.success) return { state: 'checked', result: shownCheck(checked.data) };
  const refused = refusalResult.safeParse(result);
  return refused.success ? { state: 'refused', ...refused.data } : { state: 'broken' };
}

/** What every command prints that did not do its work. */
export const refusalResult = z.object({
  message: z.string(),
  remedy: z.string().default(''),
  /** Which rows earlier runs paid, where it was refused for their sake and not for that of the whole file. */
  rows: z.array(z.number()).optional(),
  /** The run that can be repeated knowingly. */
  repeatable: z.string().optional(),
  /** Whether another period may be meant. */
  other_period: z.boolean().optional(),
});

export type RefusalResult = z.output<typeof refusalResult>;
