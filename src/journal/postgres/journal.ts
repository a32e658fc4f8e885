import { assert } from '../../domain/refusal.ts';
import type { JournalOptions } from '../options.ts';
import { holderText } from '../run-record.ts';
import { TablesJournal } from '../tables/journal.ts';
import { LostLeases } from '../tables/lost-leases.ts';
import { Projections } from '../tables/projections.ts';
import { Runs } from '../tables/runs.ts';
import { get, type Steps } from '../tables/steps.ts';
import type { Store } from '../tables/store.ts';
import type { Tables } from '../tables/tables.ts';
import { append } from './append.ts';
import { ClockOffset } from './clock-offset.ts';
import type { Connection } from './connection.ts';
import { factsOfServer } from './facts.ts';
import { sharedLimitIn } from './shared-limit.ts';

/** The journal in one database. Built by `openJournal`, which has checked the server and its settings. */
export class PostgresJournal extends TablesJournal {
  constructor(db: Connection, options: JournalOptions & { leaseMs: number }) {
    super(storeOf(db, options));
  }
}

function storeOf(db: Connection, options: JournalOptions & { leaseMs: number }): Store {
  const { clock, randomness, isAlive, leaseMs } = options;
  const holder = holderText(options.process);
  const offset = new ClockOffset();
  const runs = new Runs({ hasPlans: true });
  const tables: Tables = {
    read: (work) => db.read(work),
    snapshot: (work) => db.snapshot(work),
    write: (lock, work) => db.write(lock, work),
    commit: (commit) => append(db, { holder, leaseMs }, commit),
    isWhole: () => db.isWhole,
    close: () => db.close(),
  };
  return {
    clock,
    randomness,
    isAlive,
    leaseMs,
    lost: new LostLeases(),
    tables,
    runs,
    projections: new Projections(tables, runs, true),
    holder,
    copy: { identity: db.identity, isSame: (identity) => identity === db.identity },
    isRemote: true,
    sharedLimit: (scope) => sharedLimitIn(db, clock, offset, scope),
    dialect: {
      // The planner chooses the index.
      indexedBy: () => '',
      forShare: ' FOR SHARE',
      leaseNow,
      // biome-ignore lint/correctness/useYield: it has no files that could be looked at from here
      *findings() {
        return [];
      },
      facts: factsOfServer,
      sizeBytes,
    },
  };
}

function* sizeBytes(): Steps<number> {
  const row = yield* get(
    `SELECT sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'payrun'::regnamespace`,
  );
  return Number(row?.bytes);
}

function* leaseNow(): Steps<number> {
  const now = (yield* get('SELECT clock_ms() AS now'))?.now;
  assert(typeof now === 'number', 'the database has no clock');
  return now;
}
