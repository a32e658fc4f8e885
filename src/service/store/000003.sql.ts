import type { Store } from './database.ts';

/** Version 3: what happened to transactions, for telling others of it. */
export function migrate(store: Store): void {
  store.exec(SQL);
}

const SQL = `
-- Each change of a transaction's status, its creation too: written in the transaction of the change, never changed.
CREATE TABLE event (
  event integer PRIMARY KEY,
  transfer integer NOT NULL REFERENCES transfer,
  type text NOT NULL CHECK (type IN ('transaction.created', 'transaction.updated')),
  status text NOT NULL,
  at integer NOT NULL
) STRICT;

CREATE INDEX event_of_transfer ON event (transfer);

-- What happened before there were events.
INSERT INTO event (transfer, type, status, at)
  SELECT transfer, 'transaction.created', CASE kind WHEN 'deposit' THEN status ELSE 'PENDING' END, created_at FROM transfer;
INSERT INTO event (transfer, type, status, at)
  SELECT transfer, 'transaction.updated', status, updated_at FROM transfer WHERE status <> 'PENDING' AND kind <> 'deposit';
`;
