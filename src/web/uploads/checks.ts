import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import PQueue from 'p-queue';
import { z } from 'zod';
import { type MappedResult, mappedResult, type ShownCheck, shownCheck } from '../../app/check/check-result.ts';
import { type Ended, endForLog } from '../../app/launcher/launch.ts';
import type { OrderOf, ValueOf } from '../../app/launcher/tasks.ts';
import { Refusal } from '../../domain/refusal.ts';
import { MAIN_ENTITY } from '../../domain/run/entity.ts';
import { ANYBODY, asViewer, viewer } from '../../messages/viewer.ts';
import { UnderWay, within } from '../once.ts';
import type { WebParts } from '../parts.ts';
import { apartRefused, inWordsOfReader, type KeptProblem, keptProblem } from '../refused.ts';
import type { Problem } from '../shell/parts.ts';
import { placeOfNew } from '../sights.ts';
import { fileOrderOf, type Upload } from './uploads.ts';

/** The outcome of the check of an upload. */
export type Checked =
  | { state: 'checked'; result: ShownCheck }
  /** The file, or how it is to be read, is of no use, in the words of `check`. */
  | ({ state: 'refused' } & Problem)
  /** It ended without an answer; the log has the reason. */
  | { state: 'broken' };

/** The same as it is kept, and shared by all who wait for it. */
type Kept = { state: 'checked'; result: MappedResult } | ({ state: 'refused' } & KeptProblem) | { state: 'broken' };

/** What a refusal of a file says beside its words. */
export const refusalDetails = z.object({
  /** Which rows earlier runs paid, where it was refused for their sake and not for that of the whole file. */
  rows: z.array(z.number()).optional(),
  /** How many payouts the file has, then; absent in refusals of earlier versions. */
  payouts: z.number().optional(),
  /** The run that can be repeated knowingly. */
  repeatable: z.string().optional(),
  /** Whether another period may be meant. */
  other_period: z.boolean().optional(),
  /** The day on which nothing is paid for which it was to be scheduled, and the nearest one on which something is (Unix ms). */
  day_of_rest: z
    .object({ at: z.number(), time_zone: z.string(), offered: z.number().nullable(), is_of_job: z.boolean() })
    .optional(),
});

export type RefusalDetails = z.output<typeof refusalDetails>;

/** What is copied of a file: itself with its problems marked, for readers of a language, and its cells (an SQLite file) for the sheet. */
type CopyKind = 'annotated' | 'cells';

/** The names of what is made of an upload in one of its revisions. Earlier versions made cells-N.sqlite, which has words in one language. */
const MADE = /^(checked|annotated|cells)-(\d+)(?:-[a-z]{2}(?:-unnamed)?)?\.(?:json|xlsx|sqlite3)$/;

/** As many as there are processors on a small machine; the others wait. */
const AT_ONCE = 2;

/** How often it is looked whether another host has checked a file; and for how long, which is longer than a check may take. */
const LOOK_EVERY_MS = 300;
const ELSEWHERE_MAX_MS = 15 * 60_000;

type CheckOptions = {
  /** Makes payrun forget what it remembers of the headers. */
  forget?: boolean;
  /** Called when this host has taken the check. */
  onTaken?: () => void;
};

/**
 * The checks of uploads, each in a process of its own, once for each revision, on whichever host. The result is kept beside the
 * file, so that a page that is shown again checks nothing again.
 */
export class Checks {
  readonly #parts: WebParts;
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #running = new UnderWay<Kept>();
  readonly #copying = new UnderWay<{ path: string | null }>();
  readonly #broken = new Set<string>();

  constructor(parts: WebParts) {
    this.#parts = parts;
  }

  /** What is known by now, within `waitMs`; null while it is still being checked. */
  async look(upload: Upload, waitMs: number): Promise<Checked | null> {
    const kept = (await this.#kept(upload)) ?? (await within(this.#parts.deps.clock, this.begin(upload), waitMs));
    return kept && shown(kept);
  }

  /** Begins the check where it is not under way. */
  begin(upload: Upload, options: CheckOptions = {}): Promise<Kept> {
    return this.#running.of(keyOf(upload), () =>
      asViewer(ANYBODY, () =>
        this.#once(upload, options).catch((error: unknown): Kept => {
          if (error instanceof Refusal) return { state: 'refused', ...refusedFor(error) };
          return this.#breaks(upload, 'a check could not be made', { error });
        }),
      ),
    );
  }

  /** The same, which resolves when the check is begun, here or on another host. */
  async start(upload: Upload, options: CheckOptions): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    void this.begin(upload, { ...options, onTaken: resolve }).finally(resolve);
    await promise;
  }

  /** Waits while another host checks the file; where that one dies, it is checked here. */
  async #once(upload: Upload, { forget = false, onTaken = () => {} }: CheckOptions): Promise<Kept> {
    const { deps, work } = this.#parts;
    for (let waitedMs = 0; waitedMs < ELSEWHERE_MAX_MS; waitedMs += LOOK_EVERY_MS) {
      const claim = await work.take(`check ${keyOf(upload)}`, 'checked');
      if (claim !== null) {
        onTaken();
        const made = async () =>
          (await this.#kept(upload)) ?? (await this.#queue.add(() => this.#check(upload, forget)));
        return made().finally(() => claim.release());
      }
      await deps.clock.sleep(LOOK_EVERY_MS);
      const kept = await this.#kept(upload);
      if (kept !== null) return kept;
    }
    return { state: 'broken' };
  }

  /** Lets a check that broke be made again. */
  again(upload: Upload): void {
    this.#broken.delete(keyOf(upload));
  }

  /** Where a copy of the file for the viewer is, written once in a process of its own; null where there is none, such as of no problems. */
  copy(upload: Upload, kind: CopyKind): Promise<{ path: string | null }> {
    const { deps, uploads } = this.#parts;
    const { language, sees } = viewer();
    const namesRuns = sees === undefined;
    const annotated = `annotated-${upload.revision}-${language}${namesRuns ? '' : '-unnamed'}.xlsx`;
    const path = kind === 'cells' ? this.cellsPath(upload) : uploads.beside(upload, annotated);
    const copy = kind === 'cells' ? { kind, path } : { kind, path, language, namesRuns };
    return this.#copying.of(path, async () => {
      if (existsSync(path)) return { path };
      const ended = await this.#queue.add(() => this.#task(upload, { forgetColumns: false, copy }));
      if (ended.outcome === 'done' && (await this.#kept(upload)) === null) await this.#keep(upload, ended.value);
      this.#removeOlder(upload);
      if (existsSync(path)) return { path };
      deps.log.warn({ upload: upload.id, copy: kind, ...endForLog(ended) }, 'a copy of a file was not written');
      return { path: null };
    });
  }

  async #check(upload: Upload, forgetColumns: boolean): Promise<Kept> {
    const ended = await this.#task(upload, { forgetColumns, copy: null });
    const isAnswer = ended.outcome === 'done' || ended.outcome === 'refused';
    if (!isAnswer) return this.#breaks(upload, 'a check gave no answer', endForLog(ended));
    const result = ended.outcome === 'done' ? ended.value : refusedFor(ended.refusal);
    await this.#keep(upload, result);
    return keptOf(result) ?? { state: 'broken' };
  }

  async #task(upload: Upload, how: Pick<OrderOf<'check'>, 'forgetColumns' | 'copy'>): Promise<Ended<ValueOf<'check'>>> {
    const { deps, uploads, remembered } = this.#parts;
    const { entity = MAIN_ENTITY } = await placeOfNew(this.#parts, upload);
    const file = { ...(await fileOrderOf(upload, uploads, deps.jobs())), entity, ...how };
    return remembered.with((memory) => deps.tasks.check({ ...file, memory }));
  }

  async #keep(upload: Upload, result: unknown): Promise<void> {
    const { uploads } = this.#parts;
    const [name, path] = [nameOf(upload.revision), uploads.beside(upload, nameOf(upload.revision))];
    writeFileSync(`${path}.new`, JSON.stringify(result), { mode: 0o600 });
    renameSync(`${path}.new`, path);
    await uploads.keep(upload, name);
    this.#removeOlder(upload);
  }

  /** Where the cells of an upload are, or will be. */
  cellsPath(upload: Upload): string {
    return this.#parts.uploads.beside(upload, `cells-${upload.revision}.sqlite3`);
  }

  /** The newest revision of which this host has the cells and the check, which are written one after the other; or null. */
  newestCells(upload: Upload): number | null {
    return this.#complete(upload).at(-1) ?? null;
  }

  #complete(upload: Upload): number[] {
    const made = this.#madeOf(upload);
    const checked = new Set(made.flatMap(({ of, revision }) => (of === 'checked' ? [revision] : [])));
    return made.flatMap(({ of, revision }) => (of === 'cells' && checked.has(revision) ? [revision] : []));
  }

  /** Removes what was made of earlier revisions, but for the newest two with cells and check: people may read these now. */
  #removeOlder(upload: Upload): void {
    const [first = upload.revision] = this.#complete(upload).slice(-2);
    for (const { name, revision } of this.#madeOf(upload))
      if (revision < Math.min(first, upload.revision))
        rmSync(this.#parts.uploads.beside(upload, name), { force: true });
  }

  /** What was made of an upload on this host, oldest first. */
  #madeOf(upload: Upload) {
    return readdirSync(this.#parts.uploads.beside(upload, ''))
      .flatMap((name) => {
        const [, of, revision] = MADE.exec(name) ?? [];
        return of === undefined ? [] : [{ name, of, revision: Number(revision) }];
      })
      .sort((one, other) => one.revision - other.revision);
  }

  #breaks(upload: Upload, what: string, why: Record<string, unknown>): Kept {
    this.#parts.deps.log.error({ upload: upload.id, ...why }, what);
    this.#broken.add(keyOf(upload));
    return { state: 'broken' };
  }

  async #kept(upload: Upload): Promise<Kept | null> {
    if (this.#broken.has(keyOf(upload))) return { state: 'broken' };
    const path = await this.#parts.uploads.find(upload, nameOf(upload.revision));
    try {
      return path === null ? null : keptOf(JSON.parse(readFileSync(path, 'utf8')));
    } catch {
      return null;
    }
  }
}

/** The file of a result. */
function nameOf(revision: number): string {
  return `checked-${revision}.json`;
}

function keyOf({ id, revision }: Upload): string {
  return `${id} ${revision}`;
}

/** Null for what is no result of a check. */
function keptOf(result: unknown): Kept | null {
  const checked = mappedResult.safeParse(result);
  if (checked.success) return { state: 'checked', result: checked.data };
  const refused = keptProblem.safeParse(result);
  return refused.success ? { state: 'refused', ...refused.data } : null;
}

function refusedFor(refusal: Pick<Refusal, 'reason'>): KeptProblem {
  return keptProblem.parse(apartRefused({ outcome: 'refused', refusal }));
}

/** In the words of who reads it now. */
function shown(kept: Kept): Checked {
  if (kept.state === 'checked') return { ...kept, result: shownCheck(kept.result) };
  return kept.state === 'refused' ? { state: 'refused', ...inWordsOfReader(kept) } : kept;
}
