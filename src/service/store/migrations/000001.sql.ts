/**
 * The service's data, version 1. Times are Unix milliseconds. Amounts are minor units as decimal text, because one
 * ether has 10^18 of them and SQLite's integers end at 9.2 ether. Rows are numbered in the order of their creation, so
 * an index of numbers grows at its end; the ids that clients see are time-ordered for the same reason.
 *
 * A CHECK of three values or more is written with OR: for a longer IN list SQLite fills a table of its own at each row,
 * which took 2 µs, a sixth of a transfer's statements in all.
 */
export const sql = `
CREATE TABLE setting (
  name text PRIMARY KEY,
  value text NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE customer (
  customer integer PRIMARY KEY,
  id text NOT NULL UNIQUE,
  created_at integer NOT NULL,
  name text NOT NULL,
  business_info text
) STRICT;

CREATE TABLE api_key (
  api_key integer PRIMARY KEY,
  id text NOT NULL UNIQUE,
  customer integer NOT NULL REFERENCES customer,
  public_key blob NOT NULL,
  created_at integer NOT NULL,
  revoked_at integer
) STRICT;

-- By expiry first: what is written and what is deleted then lies together, though nonces are random.
CREATE TABLE nonce (
  expires integer NOT NULL,
  api_key integer NOT NULL REFERENCES api_key,
  nonce text NOT NULL,
  PRIMARY KEY (expires, api_key, nonce)
) STRICT, WITHOUT ROWID;

CREATE TABLE recipient (
  recipient integer PRIMARY KEY,
  id text NOT NULL UNIQUE,
  customer integer NOT NULL REFERENCES customer,
  created_at integer NOT NULL,
  name text NOT NULL,
  details text NOT NULL
) STRICT;

CREATE INDEX recipient_of_customer ON recipient (customer, recipient);

-- A row is never changed, so a payout's snapshot of its destination is the row itself.
CREATE TABLE external_account (
  account integer PRIMARY KEY,
  id text NOT NULL UNIQUE,
  customer integer NOT NULL REFERENCES customer,
  recipient integer REFERENCES recipient,
  created_at integer NOT NULL,
  type text NOT NULL,
  account_name text NOT NULL,
  account_number text NOT NULL,
  national_clearing_code text NOT NULL,
  bic text NOT NULL,
  account_type text NOT NULL,
  wallet_address text NOT NULL,
  chain text NOT NULL,
  fingerprint text NOT NULL,
  details text NOT NULL
) STRICT;

CREATE INDEX external_account_of_owner ON external_account (customer, recipient, account);

CREATE TRIGGER external_account_is_never_changed BEFORE UPDATE ON external_account
BEGIN
  SELECT raise(ABORT, 'an external account is never changed');
END;

-- in_ is what is received, out_ what is sent. due_at: when the step is due, null where nothing is to be done.
CREATE TABLE transfer (
  transfer integer PRIMARY KEY,
  id text NOT NULL UNIQUE,
  customer integer NOT NULL REFERENCES customer,
  kind text NOT NULL CHECK (kind = 'withdraw' OR kind = 'deposit' OR kind = 'buy' OR kind = 'sell'),
  status text NOT NULL CHECK (status = 'PENDING' OR status = 'COMPLETED' OR status = 'FAILED'),
  created_at integer NOT NULL,
  updated_at integer NOT NULL,
  recipient integer REFERENCES recipient,
  account integer REFERENCES external_account,
  in_code text NOT NULL,
  in_chain text,
  in_value text NOT NULL,
  out_code text NOT NULL,
  out_chain text,
  out_value text NOT NULL,
  fee_value text NOT NULL,
  rail text NOT NULL,
  description text,
  reference text,
  payout_reference text NOT NULL,
  external_reference text NOT NULL,
  external_reference_type text NOT NULL,
  outcome text NOT NULL,
  step text CHECK (step IN ('settle', 'return')),
  due_at integer,
  failure_code text,
  usd_cents integer NOT NULL
) STRICT;

CREATE INDEX transfer_due ON transfer (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX transfer_of_recipient ON transfer (recipient, transfer) WHERE recipient IS NOT NULL;

CREATE TRIGGER transfer_final_status_stays BEFORE UPDATE OF status ON transfer WHEN OLD.status <> 'PENDING'
BEGIN
  SELECT raise(ABORT, 'a final status stays');
END;

-- The folded text that a search looks into, apart so that a search reads nothing else.
CREATE TABLE transfer_search (
  customer integer NOT NULL,
  transfer integer NOT NULL REFERENCES transfer,
  text text NOT NULL,
  PRIMARY KEY (customer, transfer)
) STRICT, WITHOUT ROWID;

-- Transfers that have not FAILED, for the totals of an unfiltered listing.
CREATE TABLE transfer_total (
  customer integer NOT NULL REFERENCES customer,
  kind text NOT NULL,
  transfers integer NOT NULL,
  usd_cents integer NOT NULL,
  PRIMARY KEY (customer, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_account (
  ledger_account integer PRIMARY KEY,
  owner text NOT NULL,
  code text NOT NULL,
  chain text NOT NULL,
  debits_pending text NOT NULL,
  credits_pending text NOT NULL,
  debits_posted text NOT NULL,
  credits_posted text NOT NULL,
  UNIQUE (owner, code, chain)
) STRICT;

-- reserve: pending. post, release: resolve a reserve. move: posted at once.
CREATE TABLE posting (
  posting integer PRIMARY KEY,
  at integer NOT NULL,
  kind text NOT NULL CHECK (kind = 'reserve' OR kind = 'post' OR kind = 'release' OR kind = 'move'),
  transfer integer REFERENCES transfer,
  debit integer NOT NULL REFERENCES ledger_account,
  credit integer NOT NULL REFERENCES ledger_account,
  amount text NOT NULL,
  resolves integer REFERENCES posting,
  CHECK ((resolves IS NOT NULL) = (kind IN ('post', 'release'))),
  CHECK (debit <> credit)
) STRICT;

CREATE INDEX posting_of_transfer ON posting (transfer) WHERE kind = 'reserve';
CREATE UNIQUE INDEX posting_resolved_once ON posting (resolves) WHERE resolves IS NOT NULL;

CREATE TRIGGER posting_is_never_changed BEFORE UPDATE ON posting
BEGIN
  SELECT raise(ABORT, 'a posting is never changed');
END;

CREATE TRIGGER posting_is_never_deleted BEFORE DELETE ON posting
BEGIN
  SELECT raise(ABORT, 'a posting is never deleted');
END;
`;
