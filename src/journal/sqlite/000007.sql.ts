/**
 * A lease has a random id beside its epoch: an older copy of the journal gives the same epoch out again, and never the
 * same id. Leases from before have none. Whether a run is a plan is asked of its entries, which the chain proves.
 */
export const sql = `
ALTER TABLE lease ADD COLUMN lease_id text;

CREATE INDEX entry_of_start ON entry (run, kind) WHERE kind = 'planned' OR kind = 'started';
`;
