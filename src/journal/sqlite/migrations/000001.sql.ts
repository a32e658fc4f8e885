/**
 * Keys are ordered numbers: random ones cost four times as much on insertion (they touch a page each). `entry` keeps
 * its place over all runs as the rowid, so that the newest knowledge of a recipient or an account is the last one.
 */
export const sql = `
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
`;
