import { RATE_LIMIT_SQL } from './rate-limit.sql.ts';

/** Forward only: migration i makes schema version i + 1. A released one is never edited. The search path is `payrun`. */
export const MIGRATIONS: readonly string[] = [
  // The same tables as in SQLite. `entry.place` is an order over all runs, in which those that are written at the same moment
  // may stand either way. Texts are compared byte by byte, so that no upgrade of the system's languages changes an index.
  `
CREATE TABLE run (
  run bigint PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  input_sha256 text COLLATE "C" NOT NULL,
  head_n bigint NOT NULL,
  head_hash bytea NOT NULL,
  is_planned integer NOT NULL CHECK (is_planned IN (0, 1)),
  job_period text COLLATE "C"
) WITH (fillfactor = 70);

-- holder is null where nobody holds the lease; expires_at is in Unix milliseconds, by the clock of the database.
CREATE TABLE lease (
  run bigint PRIMARY KEY REFERENCES run (run),
  epoch bigint NOT NULL,
  lease_id text,
  holder text,
  expires_at bigint NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE entry (
  place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run bigint NOT NULL REFERENCES run (run),
  n bigint NOT NULL,
  at bigint NOT NULL,
  epoch bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  row_number bigint,
  data text NOT NULL,
  hash bytea NOT NULL,
  UNIQUE (run, n)
);

-- Only what is looked up over all runs is indexed, so that the other kinds pay nothing.
CREATE INDEX entry_ensured ON entry (place) WHERE kind = 'ensured';
CREATE INDEX entry_surfaced ON entry (place) WHERE kind = 'surfaced';
CREATE INDEX entry_of_runs ON entry (place) WHERE kind IN ('started', 'lease_taken', 'cancelled', 'finished');
CREATE INDEX entry_of_start ON entry (run, kind) WHERE kind = 'planned' OR kind = 'started';

-- Against mistakes; against malice there is the chain.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the journal is append-only';
END
$$;

CREATE TRIGGER entry_is_never_changed BEFORE UPDATE OR DELETE ON entry
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE hint (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id text COLLATE "C" NOT NULL UNIQUE,
  transaction_id text NOT NULL,
  type text NOT NULL,
  received_at bigint NOT NULL
);

CREATE TABLE cancel_asked (
  run bigint PRIMARY KEY REFERENCES run (run),
  asked_by text NOT NULL,
  asked_at bigint NOT NULL
);

CREATE TABLE pause_asked (
  run bigint PRIMARY KEY REFERENCES run (run),
  epoch bigint NOT NULL,
  asked_by text NOT NULL,
  asked_at bigint NOT NULL
);

-- Which database the journal was when a lease was last taken, and when it was first found to be another (Unix ms).
CREATE TABLE journal_file (
  one integer PRIMARY KEY CHECK (one = 1),
  identity text NOT NULL,
  copied_at bigint NOT NULL
);

CREATE TABLE projected_run (
  run bigint PRIMARY KEY REFERENCES run (run),
  n bigint NOT NULL,
  head_hash bytea NOT NULL,
  facts text,
  proof bytea NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE projected_states (
  run bigint NOT NULL REFERENCES run (run),
  n bigint NOT NULL,
  states text NOT NULL,
  orders_hash bytea NOT NULL,
  PRIMARY KEY (run, n)
) WITH (fillfactor = 70);

CREATE TABLE projected_orders (
  run bigint NOT NULL REFERENCES run (run),
  n bigint NOT NULL,
  orders text NOT NULL,
  PRIMARY KEY (run, n)
);

-- Holds nothing. A start of a run locks it first, so that two starts never look at the same state of the journal.
CREATE TABLE run_start ();

-- The time by which leases run out (Unix ms): that of the database, which all hosts share.
CREATE FUNCTION clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;

-- Which database this is. The timeline is another one after each promotion of a standby and each recovery to a point in time;
-- the number of the table is another one where the schema was restored from a dump.
CREATE FUNCTION identity() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT system_identifier::text || ' ' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
    || ' ' || 'payrun.entry'::regclass::oid::text
  FROM pg_control_system()
$$;

-- One commit of a run's writer, in one statement. Returns 'done', or why nothing was written: 'replaced' where this is another
-- database than the one whose lease the writer has, 'taken' where another process has the lease, 'moved' where the run does
-- not end where the writer left it. The row of the lease stays locked until the commit, so that a takeover, which changes it,
-- comes before all of this or after all of it: only looking at it would let a commit through that ends after the takeover.
-- given_lease_ms: null where the lease is left as it is, 0 where it is given back, else how long it lasts from now on.
CREATE FUNCTION append(
  given_run bigint, given_epoch bigint, given_lease_id text, given_holder text, given_identity text,
  given_head_n bigint, given_head_hash bytea, given_at bigint,
  kinds text[], row_numbers bigint[], texts text[], hashes bytea[],
  page_ns bigint[], page_states text[], page_orders_hashes bytea[], page_orders text[],
  given_facts text, given_proof bytea, given_lease_ms bigint
) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  end_n bigint := given_head_n + cardinality(kinds);
  end_hash bytea := coalesce(hashes[cardinality(kinds)], given_head_hash);
BEGIN
  IF payrun.identity() <> given_identity THEN
    RETURN 'replaced';
  END IF;
  PERFORM FROM payrun.lease
    WHERE run = given_run AND epoch = given_epoch AND lease_id = given_lease_id AND holder = given_holder
    FOR SHARE;
  IF NOT FOUND THEN
    RETURN 'taken';
  END IF;
  UPDATE payrun.run SET head_n = end_n, head_hash = end_hash
    WHERE run = given_run AND head_n = given_head_n AND head_hash = given_head_hash;
  IF NOT FOUND THEN
    RETURN 'moved';
  END IF;
  IF end_n > given_head_n THEN
    INSERT INTO payrun.entry (run, n, at, epoch, kind, row_number, data, hash)
      SELECT given_run, given_head_n + ordinal, given_at, given_epoch, given.kind, given.row_number, given.data, given.hash
      FROM unnest(kinds, row_numbers, texts, hashes) WITH ORDINALITY AS given (kind, row_number, data, hash, ordinal)
      ORDER BY ordinal;
    INSERT INTO payrun.projected_states (run, n, states, orders_hash)
      SELECT given_run, page.n, page.states, page.orders_hash
      FROM unnest(page_ns, page_states, page_orders_hashes) AS page (n, states, orders_hash)
      ON CONFLICT (run, n) DO UPDATE SET states = excluded.states, orders_hash = excluded.orders_hash;
    INSERT INTO payrun.projected_orders (run, n, orders)
      SELECT given_run, page.n, page.orders
      FROM unnest(page_ns, page_orders) AS page (n, orders) WHERE page.orders IS NOT NULL
      ON CONFLICT (run, n) DO UPDATE SET orders = excluded.orders;
    INSERT INTO payrun.projected_run (run, n, head_hash, facts, proof)
      VALUES (given_run, end_n, end_hash, given_facts, given_proof)
      ON CONFLICT (run) DO UPDATE
        SET n = excluded.n, head_hash = excluded.head_hash, facts = excluded.facts, proof = excluded.proof;
  END IF;
  IF given_lease_ms = 0 THEN
    UPDATE payrun.lease SET holder = NULL, expires_at = 0 WHERE run = given_run;
  ELSIF given_lease_ms IS NOT NULL THEN
    UPDATE payrun.lease SET expires_at = payrun.clock_ms() + given_lease_ms WHERE run = given_run;
  END IF;
  RETURN 'done';
END
$$;
`,
  // That all runs go to another journal, or come from one: but for `kept` nobody writes to a run meanwhile, except
  // the process that copies. And of what people were notified by a schedule, so that no other host notifies them again.
  `
CREATE TABLE journal_move (
  one integer PRIMARY KEY CHECK (one = 1),
  state text NOT NULL CHECK (state IN ('leaving', 'left', 'arriving', 'kept')),
  id text COLLATE "C" NOT NULL,
  other text NOT NULL,
  holder text,
  expires_at bigint NOT NULL
);

CREATE TABLE announcement (
  id text COLLATE "C" PRIMARY KEY,
  announced_at bigint NOT NULL
);
`,
  // Runs that are left to workers. task: how a worker goes on with it, as JSON. due_at: no worker takes it before then (Unix ms, by the clock of
  // the database), and none at all where it is null. why: the reason for which the last worker left it, as JSON.
  `
CREATE TABLE queued_run (
  run bigint PRIMARY KEY REFERENCES run (run),
  queued_at bigint NOT NULL,
  task text NOT NULL,
  tries bigint NOT NULL,
  due_at bigint,
  why text
) WITH (fillfactor = 70);
`,
  // One rate limit for all processes.
  RATE_LIMIT_SQL,
  // Payees that must not be paid, and that may be again: only added to, and what was recorded last counts. payee and
  // accounts (JSON) are hashes.
  `
CREATE TABLE payee_hold (
  n bigint PRIMARY KEY CHECK (n > 0),
  at bigint NOT NULL,
  act text NOT NULL CHECK (act IN ('hold', 'release')),
  payee text COLLATE "C" NOT NULL,
  name text NOT NULL,
  payee_id text,
  accounts text NOT NULL,
  reason text NOT NULL,
  recorded_by text NOT NULL
);
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
