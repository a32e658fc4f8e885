/**
 * A lease has a random id beside its epoch: an older copy of the journal gives the same epoch out again, and never the
 * same id. Leases from before have none. Whether a run is a plan is asked of its entries, which the chain proves.
 * Which file the journal was when a lease was last taken, and when it was first found to be another (Unix ms).
 */
export const sql = `
ALTER TABLE lease ADD COLUMN lease_id text;

CREATE INDEX entry_of_start ON entry (run, kind) WHERE kind = 'planned' OR kind = 'started';

CREATE TABLE journal_file (
  one integer PRIMARY KEY CHECK (one = 1),
  identity text NOT NULL,
  copied_at integer NOT NULL
) STRICT;
`;
