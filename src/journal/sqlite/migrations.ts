/** Forward only: migration i makes schema version i + 1. A released one is never edited. */
export const MIGRATIONS: readonly string[] = [
  // Keys are ordered numbers: random ones cost four times as much on insertion (they touch a page each). `entry` keeps
  // its place over all runs as the rowid, so that the newest knowledge of a recipient or an account is the last one.
  `
CREATE TABLE run (
  run integer PRIMARY KEY,
  id text NOT NULL UNIQUE,
  created_at integer NOT NULL,
  input_sha256 text NOT NULL,
  head_n integer NOT NULL,
  head_hash blob NOT NULL
) STRICT;

CREATE INDEX run_input ON run (input_sha256);

-- holder is null where nobody holds the lease; expires_at is in Unix milliseconds.
CREATE TABLE lease (
  run integer PRIMARY KEY REFERENCES run (run),
  epoch integer NOT NULL,
  holder text,
  expires_at integer NOT NULL
) STRICT;

CREATE TABLE entry (
  place integer PRIMARY KEY,
  run integer NOT NULL REFERENCES run (run),
  n integer NOT NULL,
  at integer NOT NULL,
  epoch integer NOT NULL,
  kind text NOT NULL,
  row_number integer,
  data text NOT NULL,
  hash blob NOT NULL,
  UNIQUE (run, n)
) STRICT;

-- Only what is looked up over all runs is indexed, so that the other kinds pay nothing.
CREATE INDEX entry_ensured ON entry (place) WHERE kind = 'ensured';

-- Against mistakes; against malice there is the chain.
CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
BEGIN
  SELECT raise(ABORT, 'the journal is append-only');
END;

CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry
BEGIN
  SELECT raise(ABORT, 'the journal is append-only');
END;
`,
  // What webhooks reported, in the order of arrival. Numbers are never given twice, so a reader can go on after the
  // last.
  `
CREATE TABLE hint (
  n integer PRIMARY KEY AUTOINCREMENT,
  webhook_id text NOT NULL UNIQUE,
  transaction_id text NOT NULL,
  type text NOT NULL,
  received_at integer NOT NULL
) STRICT;
`,
  // Who asked that a run be cancelled, and when (Unix ms). Beside the chain, because the person who asks does not hold the
  // run.
  `
CREATE TABLE cancel_asked (
  run integer PRIMARY KEY REFERENCES run (run),
  asked_by text NOT NULL,
  asked_at integer NOT NULL
) STRICT;
`,
  // A run can be a plan that waits to be started, and can pay one period of a job. Only started runs forbid others. A
  // new run is started by default: an older payrun that is still at work knows no plans.
  `
ALTER TABLE run ADD COLUMN is_planned integer NOT NULL DEFAULT 0 CHECK (is_planned IN (0, 1));
ALTER TABLE run ADD COLUMN job_period text;

CREATE INDEX run_job_period ON run (job_period) WHERE job_period IS NOT NULL;
`,
  // How runs began and ended is asked of all runs at once; payouts have a hundred thousand times as many entries.
  `
CREATE INDEX entry_of_runs ON entry (place) WHERE kind IN ('started', 'lease_taken', 'cancelled', 'finished');
`,
  // Who asked that a run be paused, and when (Unix ms). Beside the chain, because the person who asks does not hold the run.
  // Meant is the process that held it then, by its epoch: a process that takes the run up later was asked nothing. Payouts
  // that were perhaps paid twice are few, and the list of all runs has to know of them.
  `
CREATE TABLE pause_asked (
  run integer PRIMARY KEY REFERENCES run (run),
  epoch integer NOT NULL,
  asked_by text NOT NULL,
  asked_at integer NOT NULL
) STRICT;

CREATE INDEX entry_surfaced ON entry (place) WHERE kind = 'surfaced';
`,
  // A lease has a random id beside its epoch: an older copy of the journal gives the same epoch out again, and never
  // the same id. Leases from before have none. Whether a run is a plan is asked of its entries, which the chain
  // proves. Which file the journal was when a lease was last taken, and when it was first found to be another (Unix
  // ms).
  `
ALTER TABLE lease ADD COLUMN lease_id text;

CREATE INDEX entry_of_start ON entry (run, kind) WHERE kind = 'planned' OR kind = 'started';

CREATE TABLE journal_file (
  one integer PRIMARY KEY CHECK (one = 1),
  identity text NOT NULL,
  copied_at integer NOT NULL
) STRICT;
`,
  // Who was paid, perhaps paid, or is about to be: what the fold of a run's entries gives, so that later payments need
  // not read those again. It is true of the run's end that is noted with it, and of no other. A page is of one `rows`
  // entry: a letter for each payable row, and what they order, which never changes. `facts` is null where the entries
  // are no history.
  `
CREATE TABLE projected_run (
  run integer PRIMARY KEY REFERENCES run (run),
  n integer NOT NULL,
  head_hash blob NOT NULL,
  facts text,
  proof blob NOT NULL
) STRICT;

CREATE TABLE projected_states (
  run integer NOT NULL REFERENCES run (run),
  n integer NOT NULL,
  states text NOT NULL,
  orders_hash blob NOT NULL,
  PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE projected_orders (
  run integer NOT NULL REFERENCES run (run),
  n integer NOT NULL,
  orders text NOT NULL,
  PRIMARY KEY (run, n)
) STRICT;
`,
  // That all runs go to another journal, or come from one: but for `kept` nobody writes to a run meanwhile, except
  // the process that copies. And of what people were notified by a schedule.
  `
CREATE TABLE journal_move (
  one integer PRIMARY KEY CHECK (one = 1),
  state text NOT NULL CHECK (state IN ('leaving', 'left', 'arriving', 'kept')),
  id text NOT NULL,
  other text NOT NULL,
  holder text,
  expires_at integer NOT NULL
) STRICT;

CREATE TABLE announcement (
  id text PRIMARY KEY,
  announced_at integer NOT NULL
) STRICT, WITHOUT ROWID;
`,
  // Payees that must not be paid, and that may be again: only added to, and what was recorded last counts. `payee` and
  // `accounts` (JSON) are hashes.
  `
CREATE TABLE payee_hold (
  n integer PRIMARY KEY CHECK (n > 0),
  at integer NOT NULL,
  act text NOT NULL CHECK (act IN ('hold', 'release')),
  payee text NOT NULL,
  name text NOT NULL,
  payee_id text,
  accounts text NOT NULL,
  reason text NOT NULL,
  recorded_by text NOT NULL
) STRICT;
`,
  // When plans are to be started is asked of all runs at once.
  `
CREATE INDEX entry_scheduled ON entry (place) WHERE kind = 'scheduled';
`,
  // Completed payouts that came back are looked up over all runs.
  `
CREATE INDEX entry_returned ON entry (place) WHERE kind = 'returned';
`,
  // Since when payouts are in doubt is asked of a run as it stands; doubts are few.
  `
CREATE INDEX entry_doubt ON entry (run, n) WHERE kind IN ('doubt', 'unknown_transaction', 'suspected');
`,
  // For listing the plans of all runs in one query.
  `
CREATE INDEX entry_planned ON entry (place) WHERE kind = 'planned';
`,
];
