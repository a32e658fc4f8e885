import { TimeSlice } from '../app/background/time-slice.ts';
import type { RunInHistory } from '../app/history/runs-in-history.ts';
import { bookOf, type PayeeBook } from '../app/payees/payee-book.ts';
import type { AuditEntry } from '../app/people/audit-log.ts';
import type { Entities } from '../app/people/entities.ts';
import type { Person } from '../app/people/people.ts';
import { type OfRun, PersonSight, type Sees, type Sight } from '../app/people/sight.ts';
import type { RunReads } from '../app/runs/run-reads.ts';
import type { KnownJob } from '../app/schedule/known-jobs.ts';
import type { RunCreated } from '../domain/entry.ts';
import type { Clock } from '../platform/clock.ts';
import type { FollowedRuns } from './runs/followed-runs.ts';
import type { Upload, Uploads } from './uploads/uploads.ts';

/** What is behind the door. */
type Parts = {
  deps: { reads: RunReads; clock: Clock; jobs(): KnownJob[] };
  runs: FollowedRuns;
  uploads: Uploads;
  entities: Entities;
};

type PersonSeeing = Pick<Person, 'id' | 'grants' | 'mode'>;

type PlaceOfUpload = Pick<Upload, 'job' | 'runId' | 'corrects' | 'connectionId'>;

/** A payment as somebody sees it. Without names and amounts its header has no file name: see `unnamed`. */
export type SeenRun = RunInHistory & { sees: Exclude<Sees, 'nothing'> };

/** Runs among which those that something names are looked for, newest first. */
const RUNS_MAX = 10_000;

/** What the audit log has of people alone: everything else is of payments, files or payees. */
const ABOUT_PEOPLE: ReadonlySet<string> = new Set([
  ...['signed_in', 'signed_out', 'sign_in_refused', 'first_person_came_in', 'came_in', 'password_reset'],
  ...['password_changed', 'passkey_added', 'passkey_removed', 'passkeys_removed', 'app_added', 'app_removed'],
  ...['second_factor_refused', 'second_factor_policy', 'added_by_provider', 'provider_connected'],
  ...['link_made', 'invited', 'roles_changed', 'access_changed', 'access_confirmed', 'locked_out', 'let_in_again'],
]);

/** What is noted of a file in the words of its check or plan, which may quote a row. */
const NAMES_ROWS: ReadonlySet<string> = new Set(['plan_refused']);

/** The job and entity of a new plan: the entity is that of the job, else that of the connection. */
export async function placeOfNew(
  { deps, entities }: { deps: { jobs(): KnownJob[] }; entities: Pick<Entities, 'ofConnection'> },
  { job, connectionId }: Pick<Upload, 'job' | 'connectionId'>,
): Promise<OfRun> {
  const named = deps.jobs().find(({ name }) => name === job)?.entity;
  return { job, entity: named ?? (await entities.ofConnection(connectionId)) };
}

/** The door to payments, files and payees: each page reads them for a person, and nobody reads them beside it. */
export class Sights {
  readonly #parts: Parts;
  readonly #books = new WeakMap<PayeeBook, Map<string, Promise<PayeeBook>>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  of(person: PersonSeeing): Seen {
    return new Seen(person, this.#parts, this.#books);
  }
}

export class Seen extends PersonSight {
  readonly #person: PersonSeeing;
  readonly #parts: Parts;
  readonly #books: WeakMap<PayeeBook, Map<string, Promise<PayeeBook>>>;

  constructor(person: PersonSeeing, parts: Parts, books: WeakMap<PayeeBook, Map<string, Promise<PayeeBook>>>) {
    super(person);
    this.#person = person;
    this.#parts = parts;
    this.#books = books;
  }

  /** Every run that they see anything of, newest first. */
  async history(): Promise<SeenRun[]> {
    return (await this.#parts.deps.reads.history()).flatMap((run): SeenRun[] => {
      const { header } = run.summary;
      const { sees } = this.ofRun(header);
      if (sees === 'nothing') return [];
      if (sees === 'all') return [{ ...run, sees }];
      const planned = run.planned && { ...run.planned, totals: [], costs: [] };
      return [{ ...run, sees, planned, summary: { ...run.summary, header: unnamed(header) } }];
    });
  }

  /** Which runs they may see, by ID; undefined if they may see every run, even if only in the audit log. */
  async runs(): Promise<((runId: string) => boolean) | undefined> {
    if (this.seesEverything || this.seesAllActivity) return undefined;
    const seen = await this.#seenRuns();
    return (runId) => seen.has(runId);
  }

  /** What they see of a run that something names. */
  async seesRun(runId: string): Promise<Sees> {
    return (await this.#seenRuns()).get(runId)?.sees ?? 'nothing';
  }

  /**
   * The book without what they do not see, as if that had never been. Administrators who see no payments have all of it, to
   * put somebody on hold whom they are told of.
   */
  book(whole: PayeeBook): Promise<PayeeBook> {
    if (this.seesEverything) return Promise.resolve(whole);
    const known = this.#books.get(whole) ?? new Map<string, Promise<PayeeBook>>();
    this.#books.set(whole, known);
    const key = JSON.stringify([this.#person.grants, this.#person.mode]);
    const book = known.get(key) ?? this.#narrowed(whole);
    known.set(key, book);
    return book;
  }

  #narrowed({ payouts, isWhole }: PayeeBook): Promise<PayeeBook> {
    const own = payouts.filter(({ payment }) => this.ofRun(payment).sees === 'all');
    const runs = new Set(own.map(({ payment }) => payment.run_id)).size;
    return bookOf({ payouts: own, runs, isWhole, damaged: 0 }, new TimeSlice(this.#parts.deps.clock));
  }

  /** Whether they may upload for a job, over a connection: who does not see what they prepare prepares nothing. */
  async mayPrepare(place: Pick<Upload, 'job' | 'connectionId'>): Promise<boolean> {
    const { sees, roles } = this.ofRun(await this.#placeOf({ ...place, runId: null, corrects: null }));
    return sees === 'all' && roles.includes('preparer');
  }

  /** To whom an upload belongs: to whom its plan does, or the run whose rows it corrects; else its job or connection says. */
  async #placeOf({ job, runId, corrects, connectionId }: PlaceOfUpload): Promise<OfRun> {
    const ofRun = runId ?? corrects;
    const header = ofRun === null ? null : (await this.#parts.runs.read(ofRun))?.run.header;
    return header ?? placeOfNew(this.#parts, { job, connectionId });
  }

  /** The upload with that id, removed or not, where they see it. */
  async upload(id: string): Promise<{ upload: Upload; sight: Sight } | null> {
    return this.#seen(await this.#parts.uploads.get(id));
  }

  /** The upload of which a plan was made, where they see it. */
  async uploadOfRun(runId: string): Promise<Upload | null> {
    return (await this.#seen(await this.#parts.uploads.ofRun(runId)))?.upload ?? null;
  }

  /** Their own uploads of which no plan was made. */
  async openUploads(limit: number): Promise<Upload[]> {
    const seen: Upload[] = [];
    for (const upload of await this.#parts.uploads.open(limit, this.#person.id))
      if ((await this.#seen(upload)) !== null) seen.push(upload);
    return seen;
  }

  async #seen(upload: Upload | null): Promise<{ upload: Upload; sight: Sight } | null> {
    if (upload === null) return null;
    const sight = this.ofUpload({ ...(await this.#placeOf(upload)), personId: upload.personId });
    return sight.sees === 'all' ? { upload, sight } : null;
  }

  /**
   * The entries of the audit log that they see. Administrators see all of them, unless names and amounts are hidden from them;
   * others what they did themselves, what is about people, and what is of payments that they see.
   */
  async entries(entries: readonly AuditEntry[]): Promise<AuditEntry[]> {
    if (this.seesAllActivity) return [...entries];
    const seen = await this.#seenRuns();
    const shown: AuditEntry[] = [];
    for (const entry of entries) {
      const run = entry.runId === null ? null : seen.get(entry.runId);
      if (run === null) shown.push(...(await this.#apart(entry)));
      else if (run !== undefined) shown.push(run.sees === 'all' ? entry : { ...entry, details: {} });
    }
    return shown;
  }

  /** What they see of an entry that is of no run: of a file of somebody else, not what it is called. */
  async #apart(entry: AuditEntry): Promise<AuditEntry[]> {
    const { act, person, details } = entry;
    if (ABOUT_PEOPLE.has(act) || person === this.#person.id) return [entry];
    const { upload } = details;
    const isSeen = typeof upload === 'string' && (await this.upload(upload)) !== null;
    if (isSeen || !this.seesEverything) return isSeen ? [entry] : [];
    if (typeof upload !== 'string') return [entry];
    return [{ ...entry, details: NAMES_ROWS.has(act) ? {} : { ...details, name: null, upload: null } }];
  }

  /** Those of what was noted of runs that they see something of; `isNamed`: where that may say what the payment is called. */
  async notes<Note extends { runId: string }>(notes: readonly Note[]): Promise<{ note: Note; isNamed: boolean }[]> {
    if (this.seesEverything) return notes.map((note) => ({ note, isNamed: true }));
    const seen = await this.#seenRuns();
    return notes.flatMap((note) => {
      const run = seen.get(note.runId);
      return run === undefined ? [] : [{ note, isNamed: run.sees === 'all' || run.job !== null }];
    });
  }

  /** What they see of the newest runs, and the jobs of these, by their ids. */
  async #seenRuns(): Promise<Map<string, { sees: SeenRun['sees']; job: string | null }>> {
    const seen = new Map<string, { sees: SeenRun['sees']; job: string | null }>();
    for (const { run_id, header } of await this.#parts.deps.reads.newest(RUNS_MAX)) {
      const { sees } = this.ofRun(header);
      if (sees !== 'nothing') seen.set(run_id, { sees, job: header.job });
    }
    return seen;
  }
}

/** Stands in the place of the name of a file. */
export const UNNAMED = 'Payment';

/** The header without the name of the file, which may have somebody's name in it. */
export function unnamed(header: RunCreated): RunCreated {
  return { ...header, input: { ...header.input, name: UNNAMED } };
}
