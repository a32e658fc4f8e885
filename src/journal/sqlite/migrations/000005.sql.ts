/** How runs began and ended is asked of all runs at once; payouts have a hundred thousand times as many entries. */
export const sql = `
CREATE INDEX entry_of_runs ON entry (place) WHERE kind IN ('started', 'lease_taken', 'cancelled', 'finished');
`;
