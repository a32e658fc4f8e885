/**
 * Who was paid, perhaps paid, or is about to be: what the fold of a run's entries gives, so that later payments need not
 * read those again. It is true of the run's end that is noted with it, and of no other. A page is of one `rows` entry: a
 * letter for each payable row, and what they order, which never changes. `facts` is null where the entries are no history.
 */
export const sql = `
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
`;
