import { Refusal } from '../../domain/refusal.ts';
import type { Database } from '../../platform/sqlite.ts';
import { isSameHead } from '../chain.ts';
import { JournalDamaged } from '../errors.ts';
import type { StorageFacts } from '../facts.ts';
import type { JournalOptions } from '../options.ts';
import type { ProcessIdentity } from '../process-identity.ts';
import { holderText } from '../run-record.ts';
import { isSound } from '../tables/audit.ts';
import { commitSteps } from '../tables/commit.ts';
import { TablesJournal } from '../tables/journal.ts';
import { LostLeases } from '../tables/lost-leases.ts';
import { Projections } from '../tables/projections.ts';
import { Runs } from '../tables/runs.ts';
import { all, get, type Steps } from '../tables/steps.ts';
import { nowOf, type Store } from '../tables/store.ts';
import type { Tables } from '../tables/tables.ts';
import { Connection } from './connection.ts';
import type { OpenedFiles } from './opened-files.ts';

export type SqliteJournalParts = Pick<JournalOptions, 'clock' | 'randomness' | 'isAlive'> & {
  database: Database;
  files: OpenedFiles;
  holder: ProcessIdentity;
  leaseMs: number;
};

/** SQLite's own findings that are named. */
const FINDINGS_MAX = 5;

/** The journal in one SQLite file. Built by `openJournal`, which has checked the file and its settings. */
export class SqliteJournal extends TablesJournal {
  readonly #db: Connection;
  readonly #store: Store;

  constructor(parts: SqliteJournalParts) {
    const db = new Connection(parts.database, parts.files);
    const store = storeOf(db, parts);
    super(store);
    this.#db = db;
    this.#store = store;
  }

  /** Whether nothing is wrong with any run, nor beside them. In one turn: the journal is opened in one. */
  isSound(): boolean {
    return this.#db.snapshot(() => isSound(this.#store));
  }

  /**
   * Stores who was paid by runs of which an earlier payrun has written, a run at a time, each in a transaction of its own.
   * Where another process keeps the journal locked, or a run is damaged, that is left as it is: the entries are read instead,
   * until the journal is opened again.
   */
  bringUpToDate(): void {
    const { projections } = this.#store;
    for (let after = 0; ; ) {
      const behind = this.#db.read(() => projections.behind(after));
      if (behind.length === 0) return;
      for (const { run, id } of behind) {
        after = run;
        try {
          this.#bringRunUpToDate(id);
        } catch (error) {
          if (error instanceof Refusal) return;
          if (!(error instanceof JournalDamaged)) throw error;
        }
      }
    }
  }

  #bringRunUpToDate(id: string): void {
    const { projections, runs } = this.#store;
    const folded = this.#db.snapshot(() => projections.fold(id));
    if (folded === null) return;
    const { record, projection } = folded;
    this.#db.write({ runId: id }, function* () {
      if (isSameHead((yield* runs.end(id))?.head, record.head))
        yield* projections.save(record.run, record.head, projection);
    });
  }
}

function storeOf(db: Connection, parts: SqliteJournalParts): Store {
  const { clock, randomness, isAlive, leaseMs, files, holder } = parts;
  const runs = new Runs({ hasPlans: true });
  const tables: Tables = {
    read: (work) => db.read(work),
    snapshot: (work) => db.snapshot(work),
    write: (lock, work) => db.write(lock, work),
    commit: (commit) => db.write(commit, () => commitSteps(store, commit)),
    isWhole: () => db.areFilesWhole(),
    close: () => db.close(),
  };
  const store: Store = {
    clock,
    randomness,
    isAlive,
    leaseMs,
    lost: new LostLeases(),
    tables,
    runs,
    projections: new Projections(tables, runs, true),
    holder: holderText(holder),
    copy: { identity: files.identity, isSame: (identity) => files.isFile(identity) },
    isRemote: false,
    sharedLimit: () => null,
    dialect: {
      indexedBy: (index) => `INDEXED BY ${index}`,
      forShare: '',
      // biome-ignore lint/correctness/useYield: this machine's clock is asked and no database
      *leaseNow() {
        return nowOf({ clock });
      },
      findings,
      facts,
      *sizeBytes() {
        const sql = 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size';
        return Number((yield* get(sql))?.bytes);
      },
    },
  };
  return store;
}

/** Pages and indexes that are not as SQLite wrote them. */
function* findings(): Steps<string[]> {
  const checked = yield* all(`PRAGMA integrity_check(${FINDINGS_MAX})`);
  return checked.map((row) => String(row.integrity_check)).filter((finding) => finding !== 'ok');
}

/** Those that were set when it was opened, as they are. */
function* facts(): Steps<StorageFacts> {
  const version = (yield* get('SELECT sqlite_version() AS version'))?.version;
  const settings: Record<string, string> = {};
  for (const name of ['journal_mode', 'synchronous', 'fullfsync', 'checkpoint_fullfsync'])
    settings[name] = String(Object.values((yield* get(`PRAGMA ${name}`)) ?? {})[0]);
  return { kind: 'sqlite', version: String(version), settings };
}
