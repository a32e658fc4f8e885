/** What webhooks said, in the order of its arrival. Numbers are never given twice, so a reader can go on after the last. */
export const sql = `
CREATE TABLE hint (
  n integer PRIMARY KEY AUTOINCREMENT,
  webhook_id text NOT NULL UNIQUE,
  transaction_id text NOT NULL,
  type text NOT NULL,
  received_at integer NOT NULL
) STRICT;
`;
