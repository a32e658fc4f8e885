// Over 250 lines: because migrations are read in their order, and none of them is edited any more.
/** Forward only: migration i makes schema version i + 1. A released one is never edited. Times are Unix ms. */
export const MIGRATIONS: readonly string[] = [
  // People, how they come in, what they prove themselves with, and what everybody did.
  `
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
`,
  // Files that were uploaded, and what came of them. The files are in `uploads/<id>/`.
  `
CREATE TABLE upload (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id),
  at integer NOT NULL,
  -- What people call it: text, and never a path.
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('.csv', '.tsv', '.txt', '.xlsx')),
  bytes integer NOT NULL,
  sha256 text NOT NULL,
  -- The name of the job that pays it; null where there is none.
  job text,
  -- What somebody said of how it is to be read (JSON), and how often that changed: a check is of one revision.
  reading text NOT NULL,
  revision integer NOT NULL,
  -- The upload whose mended file this is.
  mends text REFERENCES upload (id),
  -- The plan that was made of it last.
  run_id text
) STRICT;

CREATE INDEX upload_at ON upload (at);
CREATE INDEX upload_run ON upload (run_id) WHERE run_id IS NOT NULL;
`,
  // The runs that the page has started: those that are cut off it takes up again by itself.
  `
CREATE TABLE started_run (
  run_id text PRIMARY KEY,
  -- Who started it, or let it go on.
  person text NOT NULL REFERENCES person (id),
  at integer NOT NULL
) STRICT;
`,
  // Who made a one-time link: it is void when they are locked out, let in anew or no administrator any more.
  `
ALTER TABLE invitation ADD COLUMN made_by text REFERENCES person (id);
`,
  // Uploads whose files were removed (Unix ms), and by whom: null where that is the rule and nobody's doing.
  `
ALTER TABLE upload ADD COLUMN removed_at integer;
ALTER TABLE upload ADD COLUMN removed_by text REFERENCES person (id);
`,
  // The run whose rows an upload corrects.
  `
ALTER TABLE upload ADD COLUMN corrects text;
`,
  // What administrators changed in how others sign in, or who they are here: from then on the administrator could be that person. Times are Unix ms; it counts until another administrator confirms it.
  `
CREATE TABLE access_change (
  id integer PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id),
  -- Null where nobody is known to have done it.
  made_by text REFERENCES person (id),
  at integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('sign_in', 'passkeys', 'access')),
  confirmed_at integer,
  confirmed_by text REFERENCES person (id)
) STRICT;

CREATE INDEX access_change_open ON access_change (person_id) WHERE confirmed_at IS NULL;
`,
  // Browsers in which people have signed in: there nobody else's wrong passwords keep them out.
  `
CREATE TABLE known_device (
  token_hash text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id),
  seen_at integer NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX known_device_person ON known_device (person_id, seen_at);
`,
  // Files may have other endings: which ones, the program knows.
  `
CREATE TABLE upload_of_any_kind (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id),
  at integer NOT NULL,
  name text NOT NULL,
  -- The ending of the file's name, such as .csv.
  kind text NOT NULL,
  bytes integer NOT NULL,
  sha256 text NOT NULL,
  job text,
  reading text NOT NULL,
  revision integer NOT NULL,
  mends text REFERENCES upload_of_any_kind (id),
  run_id text,
  removed_at integer,
  removed_by text REFERENCES person (id),
  corrects text
) STRICT;
INSERT INTO upload_of_any_kind
  SELECT id, person_id, at, name, kind, bytes, sha256, job, reading, revision, mends, run_id, removed_at, removed_by, corrects
  FROM upload ORDER BY rowid;
DROP TABLE upload;
ALTER TABLE upload_of_any_kind RENAME TO upload;
CREATE INDEX upload_at ON upload (at);
CREATE INDEX upload_run ON upload (run_id) WHERE run_id IS NOT NULL;
`,
  // What people have mails about, and which they had.
  `
CREATE TABLE notice_choice (
  person_id text PRIMARY KEY REFERENCES person (id),
  address text NOT NULL,
  -- Names (JSON).
  events text NOT NULL,
  changed_at integer NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE notice (
  person_id text NOT NULL REFERENCES person (id),
  -- Of what, and which event of it.
  key text NOT NULL,
  tries integer NOT NULL,
  tried_at integer NOT NULL,
  -- Null until it was sent.
  sent_at integer,
  PRIMARY KEY (person_id, key)
) STRICT, WITHOUT ROWID;
`,
  // The tokens of programs that act for people, and the answers to what they asked, by idempotency key. Times are Unix ms.
  `
CREATE TABLE api_token (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id),
  name text NOT NULL,
  -- With blanks between them.
  scopes text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  -- What signs the plans that are made with it, encrypted with the token.
  key_file text,
  public_key text UNIQUE,
  created_at integer NOT NULL,
  expires_at integer NOT NULL,
  used_at integer,
  revoked_at integer
) STRICT;

CREATE INDEX api_token_person ON api_token (person_id);

CREATE TABLE api_answer (
  token_id text NOT NULL REFERENCES api_token (id),
  key text NOT NULL,
  -- The SHA-256 of the request.
  request text NOT NULL,
  begun_at integer NOT NULL,
  -- Null until it was answered.
  status integer,
  body text,
  PRIMARY KEY (token_id, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_answer_begun ON api_answer (begun_at);
`,
  // The second factor at the sign-in: authenticator apps, and codes for who has lost theirs.
  `
CREATE TABLE authenticator_app (
  person_id text PRIMARY KEY REFERENCES person (id),
  -- Encrypted with what the person's password yields.
  secret text NOT NULL,
  -- The session in which it was shown, which alone confirms it; and when: null until the person has given a first code of it.
  shown_in text NOT NULL,
  confirmed_at integer,
  -- The time step of the last code that was taken: each counts once.
  last_step integer NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_code (
  code_hash text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id)
) STRICT, WITHOUT ROWID;

-- What an administrator chose for everybody.
CREATE TABLE page_setting (
  name text PRIMARY KEY,
  value text NOT NULL
) STRICT, WITHOUT ROWID;
`,
  // Where people have events posted, and which were. Times are Unix ms.
  `
CREATE TABLE webhook_endpoint (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id),
  url text NOT NULL,
  -- What signs them: a receiver has the same.
  secret text NOT NULL,
  created_at integer NOT NULL,
  removed_at integer
) STRICT;

CREATE TABLE webhook_delivery (
  endpoint_id text NOT NULL REFERENCES webhook_endpoint (id),
  -- The event, and of what it is.
  key text NOT NULL,
  body text NOT NULL,
  tries integer NOT NULL,
  noted_at integer NOT NULL,
  next_at integer NOT NULL,
  -- Null until it was taken.
  done_at integer,
  failure text,
  PRIMARY KEY (endpoint_id, key)
) STRICT, WITHOUT ROWID;
`,
  // What people changed in the rows of uploads: one of these for each save, with the revision of the upload that it made.
  `
CREATE TABLE upload_edit (
  upload_id text NOT NULL REFERENCES upload (id),
  revision integer NOT NULL,
  person_id text NOT NULL REFERENCES person (id),
  at integer NOT NULL,
  -- Null of a text file.
  sheet text,
  -- JSON.
  changes text NOT NULL,
  -- The revision that this one takes back.
  undoes integer,
  PRIMARY KEY (upload_id, revision)
) STRICT, WITHOUT ROWID;
`,
  // Who people are at the provider that signs them in (OpenID Connect).
  `
CREATE TABLE provider_account (
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id text NOT NULL REFERENCES person (id),
  PRIMARY KEY (issuer, subject),
  UNIQUE (issuer, person_id)
) STRICT, WITHOUT ROWID;
`,
  // The companies that pay, and how the page reaches the services that they pay through beside the one that it was started with.
  `
CREATE TABLE entity (
  id text PRIMARY KEY,
  name text NOT NULL,
  name_key text NOT NULL UNIQUE,
  created_at integer NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO entity (id, name, name_key, created_at) VALUES ('main', 'Main', 'main', 0);

CREATE TABLE connection (
  id text PRIMARY KEY,
  entity_id text NOT NULL REFERENCES entity (id),
  name text NOT NULL,
  name_key text NOT NULL UNIQUE,
  -- A connection profile (YAML). Keys stand in it as references.
  profile text NOT NULL,
  -- Grows with each profile that takes the place of another.
  revision integer NOT NULL,
  added_at integer NOT NULL,
  added_by text NOT NULL REFERENCES person (id),
  changed_at integer NOT NULL,
  changed_by text NOT NULL REFERENCES person (id),
  -- By another administrator than changed it last.
  confirmed_at integer,
  confirmed_by text REFERENCES person (id),
  -- JSON: what came of the last test of this revision.
  test text,
  -- Whether no money moves there, by the last test that passed.
  is_rehearsal integer,
  disabled_at integer
) STRICT, WITHOUT ROWID;

-- Null: the one that the page was started with.
ALTER TABLE upload ADD COLUMN connection_id text;
`,
  // What people are notified of in the page, and what they chose to be: of everything where there is no row. Times are Unix ms.
  `
CREATE TABLE page_notice (
  person_id text NOT NULL REFERENCES person (id),
  -- The event, and of what it is.
  key text NOT NULL,
  run_id text NOT NULL,
  -- A sentence that names no payee.
  text text NOT NULL,
  rehearsal integer NOT NULL,
  -- 0 of what was known before this person was first notified.
  at integer NOT NULL,
  read_at integer,
  PRIMARY KEY (person_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE page_notice_choice (
  person_id text PRIMARY KEY REFERENCES person (id),
  -- JSON.
  events text NOT NULL
) STRICT, WITHOUT ROWID;
`,
  // What a role is for: an entity and a job (empty for all of them), and whether names and amounts are shown there.
  `
CREATE TABLE person_grant (
  person_id text NOT NULL REFERENCES person (id),
  role text NOT NULL CHECK (role IN ('preparer', 'approver', 'viewer', 'administrator')),
  entity_id text NOT NULL,
  job text NOT NULL,
  details integer NOT NULL CHECK (details IN (0, 1)),
  PRIMARY KEY (person_id, role, entity_id, job)
) STRICT, WITHOUT ROWID;

INSERT INTO person_grant SELECT person_id, role, '', '', 1 FROM person_role;

DROP TABLE person_role;
`,
  // In which language and time zone each person reads the page.
  `
CREATE TABLE person_view (
  person_id text PRIMARY KEY REFERENCES person (id),
  -- Null: as the browser asks for it.
  language text,
  time_zone text
) STRICT, WITHOUT ROWID;
`,
  // Words by which people group recipients; payee is a hash.
  `
CREATE TABLE payee_tag (
  payee text NOT NULL,
  -- The tag as it is compared.
  tag_key text NOT NULL,
  tag text NOT NULL,
  added_at integer NOT NULL,
  added_by text NOT NULL REFERENCES person (id),
  PRIMARY KEY (payee, tag_key)
) STRICT, WITHOUT ROWID;
`,
  // Access that the only administrator gave: held against them for payments that move money.
  `
ALTER TABLE access_change ADD COLUMN is_alone integer NOT NULL DEFAULT 0;
`,
  // What the headers of a file map to, by a name that people give it; and when an upload was last changed.
  `
CREATE TABLE file_layout (
  id text PRIMARY KEY,
  name text NOT NULL,
  -- The name as it is compared.
  name_key text NOT NULL UNIQUE,
  -- SHA-256 of the headers as they are compared, in their alphabetical order, as JSON.
  headers text NOT NULL UNIQUE,
  -- JSON, the column of each of them; null where it is not used.
  columns text NOT NULL,
  saved_at integer NOT NULL,
  saved_by text NOT NULL REFERENCES person (id)
) STRICT, WITHOUT ROWID;

ALTER TABLE upload ADD COLUMN changed_at integer;

-- When people signed in last is found by it.
CREATE INDEX audit_act ON audit (act, person, at);
`,
];
