import { FIRST_HASH, type HashedPosting, postingHash } from '../../ledger/posting-hash.ts';
import type { Store } from '../database.ts';

/** Version 2: conversions, and the chain of hashes over the postings. */
export function migrate(store: Store): void {
  store.exec(SQL);
  chainPostings(store);
  store.exec(AGAIN);
}

const SQL = `
-- Of a conversion: its own fee (fee_value is the rail's), that fee's rate, what the caller asked to receive (in_value is
-- what was received in the end), and the market rate in whole ticks, as decimal texts for people. Null where there was
-- none. proof_of_purpose: JSON, of a withdrawal that has one.
ALTER TABLE transfer ADD COLUMN conversion_fee_value text NOT NULL DEFAULT '0';
ALTER TABLE transfer ADD COLUMN conversion_fee_bps integer NOT NULL DEFAULT 0;
ALTER TABLE transfer ADD COLUMN asked_value text;
ALTER TABLE transfer ADD COLUMN market_rate text;
ALTER TABLE transfer ADD COLUMN tick_size text;
ALTER TABLE transfer ADD COLUMN proof_of_purpose text;

CREATE TRIGGER transfer_money_stays BEFORE UPDATE OF customer, kind, in_code, in_chain, out_code, out_chain, out_value,
  fee_value, conversion_fee_value, asked_value ON transfer
BEGIN
  SELECT raise(ABORT, 'what was sent is never changed');
END;

CREATE TRIGGER transfer_receipt_stays BEFORE UPDATE OF in_value ON transfer WHEN OLD.status <> 'PENDING'
BEGIN
  SELECT raise(ABORT, 'what was received is never changed');
END;

-- SHA-256 of the hash before and of this row (posting-hash.ts).
ALTER TABLE posting ADD COLUMN hash text NOT NULL DEFAULT '';
DROP TRIGGER posting_is_never_changed;
`;

const AGAIN = `
CREATE TRIGGER posting_is_never_changed BEFORE UPDATE ON posting
BEGIN
  SELECT raise(ABORT, 'a posting is never changed');
END;
`;

const PAGE = 10_000;

function chainPostings(store: Store): void {
  let last = 0;
  let hash = FIRST_HASH;
  for (;;) {
    const rows = store.all('SELECT * FROM posting WHERE posting > ? ORDER BY posting LIMIT ?', last, PAGE);
    for (const row of rows) {
      hash = postingHash(hash, row as HashedPosting);
      last = Number(row.posting);
      store.run('UPDATE posting SET hash = ? WHERE posting = ?', hash, last);
    }
    if (rows.length < PAGE) return;
  }
}
