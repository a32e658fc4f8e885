/** The runs that the page has started: those that are cut off it takes up again by itself. Times are Unix ms. */
export const sql = `
CREATE TABLE started_run (
  run_id text PRIMARY KEY,
  -- Who started it, or let it go on.
  person text NOT NULL REFERENCES person (id),
  at integer NOT NULL
) STRICT;
`;
