/** People, how they come in, what they prove themselves with, and what everybody did. Times are Unix ms. */
export const sql = `
CREATE TABLE person (
  id text PRIMARY KEY,
  name text NOT NULL,
  -- The name without regard to case, so that nobody can be taken for another.
  name_key text NOT NULL UNIQUE,
  created_at integer NOT NULL,
  locked_at integer,
  -- As in $argon2id$v=19$m=65536,t=3,p=1$salt$hash; null until the person has come in for the first time.
  password text,
  -- The second salt: from it and the password comes the passphrase of the key file.
  key_salt text,
  key_file text,
  public_key text UNIQUE,
  CHECK ((password IS NULL) = (key_salt IS NULL)),
  CHECK ((key_file IS NULL) = (public_key IS NULL))
) STRICT;

CREATE TABLE person_role (
  person_id text NOT NULL REFERENCES person (id),
  role text NOT NULL CHECK (role IN ('preparer', 'approver', 'viewer', 'administrator')),
  PRIMARY KEY (person_id, role)
) STRICT, WITHOUT ROWID;

CREATE TABLE invitation (
  token_hash text PRIMARY KEY,
  -- Null for the first person, who says their name when they come in.
  person_id text REFERENCES person (id),
  expires_at integer NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE passkey (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id),
  label text NOT NULL,
  rp_id text NOT NULL,
  public_key text NOT NULL,
  counter integer NOT NULL,
  transports text NOT NULL,
  created_at integer NOT NULL,
  used_at integer
) STRICT;

CREATE INDEX passkey_person ON passkey (person_id);

CREATE TABLE audit (
  n integer PRIMARY KEY CHECK (n > 0),
  at integer NOT NULL,
  person text,
  act text NOT NULL,
  run_id text,
  details text NOT NULL,
  previous_hash text NOT NULL,
  hash text NOT NULL UNIQUE
) STRICT;

CREATE INDEX audit_run ON audit (run_id, n) WHERE run_id IS NOT NULL;

-- The end of the chain, so that a cut-off end is seen.
CREATE TABLE audit_head (
  only integer PRIMARY KEY CHECK (only = 1),
  n integer NOT NULL,
  hash text NOT NULL
) STRICT;
`;
