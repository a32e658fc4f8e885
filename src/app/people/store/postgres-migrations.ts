// Over 250 lines: because migrations are read in their order, and none of them is edited any more.
/**
 * Forward only: migration i makes schema version i + 1. A released one is never edited. The search path is `payrun_page`.
 * Dates are Unix ms; what runs out does so by `clock_ms()`.
 */
export const MIGRATIONS: readonly string[] = [
  // The same tables as in SQLite, and what a page alone keeps in memory and in files. Texts are compared byte by byte.
  `
CREATE TABLE person (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  -- The name without regard to case, so that nobody can be taken for another.
  name_key text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  locked_at bigint,
  -- As in $argon2id$v=19$m=65536,t=3,p=1$salt$hash; null until the person has come in for the first time.
  password text,
  -- The second salt: from it and the password comes the passphrase of the key file.
  key_salt text,
  key_file text,
  public_key text COLLATE "C" UNIQUE,
  CHECK ((password IS NULL) = (key_salt IS NULL)),
  CHECK ((password IS NULL) = (public_key IS NULL)),
  CHECK ((key_file IS NULL) = (public_key IS NULL))
);

CREATE TABLE person_role (
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  role text COLLATE "C" NOT NULL CHECK (role IN ('preparer', 'approver', 'viewer', 'administrator')),
  PRIMARY KEY (person_id, role)
);

CREATE TABLE invitation (
  token_hash text COLLATE "C" PRIMARY KEY,
  -- Null for the first person, who says their name when they come in.
  person_id text COLLATE "C" REFERENCES person (id),
  expires_at bigint NOT NULL,
  -- Who made it: it is void when they are locked out, let in anew or no administrator any more.
  made_by text COLLATE "C" REFERENCES person (id)
);

CREATE TABLE passkey (
  id text COLLATE "C" PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  label text NOT NULL,
  rp_id text NOT NULL,
  public_key text NOT NULL,
  counter bigint NOT NULL,
  transports text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint
);

CREATE INDEX passkey_person ON passkey (person_id);

-- Browsers in which people have signed in: there nobody else's wrong passwords keep them out.
CREATE TABLE known_device (
  token_hash text COLLATE "C" PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  seen_at bigint NOT NULL
);

CREATE INDEX known_device_person ON known_device (person_id, seen_at);

-- passphrase and new_link are encrypted with the token of the session, which is kept nowhere. challenge: what a passkey was
-- asked to sign last in this browser (JSON).
CREATE TABLE session (
  token_hash text COLLATE "C" PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  passphrase text NOT NULL,
  begun_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  challenge text,
  new_link text
) WITH (fillfactor = 70);

CREATE INDEX session_person ON session (person_id);

-- Wrong passwords, by whose and where.
CREATE TABLE attempt (
  key text COLLATE "C" PRIMARY KEY,
  failures bigint NOT NULL,
  at bigint NOT NULL
);

-- What administrators changed in how others sign in, or who they are here. It counts until another administrator confirms it.
CREATE TABLE access_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  made_by text COLLATE "C" REFERENCES person (id),
  at bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('sign_in', 'passkeys', 'access')),
  confirmed_at bigint,
  confirmed_by text COLLATE "C" REFERENCES person (id)
);

CREATE INDEX access_change_open ON access_change (person_id) WHERE confirmed_at IS NULL;

CREATE TABLE audit (
  n bigint PRIMARY KEY CHECK (n > 0),
  at bigint NOT NULL,
  person text COLLATE "C",
  act text COLLATE "C" NOT NULL,
  run_id text COLLATE "C",
  details text NOT NULL,
  previous_hash text NOT NULL,
  hash text COLLATE "C" NOT NULL UNIQUE
);

CREATE INDEX audit_run ON audit (run_id, n) WHERE run_id IS NOT NULL;
CREATE INDEX audit_of_people ON audit (act, n)
  WHERE act IN ('first_person_came_in', 'came_in', 'password_reset', 'roles_changed', 'invited', 'link_made');

-- The end of the chain, so that a cut-off end is seen.
CREATE TABLE audit_head (
  "only" integer PRIMARY KEY CHECK ("only" = 1),
  n bigint NOT NULL,
  hash text NOT NULL
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END
$$;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE OR DELETE ON audit
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE upload (
  id text COLLATE "C" PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  at bigint NOT NULL,
  name text NOT NULL,
  -- The ending of the file's name, such as .csv.
  kind text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  job text,
  -- What somebody chose on how it is to be read (JSON), and how often that changed: a check is of one revision.
  reading text NOT NULL,
  revision bigint NOT NULL,
  -- The upload whose corrected file this is, and the run whose rows it corrects.
  mends text COLLATE "C" REFERENCES upload (id),
  corrects text COLLATE "C",
  -- The plan that was made of it last.
  run_id text COLLATE "C",
  removed_at bigint,
  removed_by text COLLATE "C" REFERENCES person (id)
);

CREATE INDEX upload_at ON upload (at);
CREATE INDEX upload_run ON upload (run_id) WHERE run_id IS NOT NULL;

-- Files, each written once and whole, in parts of a mebibyte.
CREATE TABLE kept_file (
  folder text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  kept_at bigint NOT NULL,
  PRIMARY KEY (folder, name)
);

CREATE TABLE file_part (
  folder text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (folder, name, part),
  FOREIGN KEY (folder, name) REFERENCES kept_file (folder, name) ON DELETE CASCADE
);

-- What people chose for sheets with these headers (JSON).
CREATE TABLE header_set (
  headers text COLLATE "C" PRIMARY KEY,
  meaning text NOT NULL,
  changed_at bigint NOT NULL
);

-- The runs that the page has started.
CREATE TABLE started_run (
  run_id text COLLATE "C" PRIMARY KEY,
  person text COLLATE "C" NOT NULL REFERENCES person (id),
  at bigint NOT NULL
);

-- What is under way on one of the hosts; it counts until then, unless the host puts that off.
CREATE TABLE work (
  key text COLLATE "C" PRIMARY KEY,
  claim text NOT NULL,
  what text NOT NULL,
  until bigint NOT NULL
);

-- The last plan that somebody asked for of an upload: what they chose, and what became of it (JSON).
CREATE TABLE planning (
  upload_id text COLLATE "C" PRIMARY KEY REFERENCES upload (id),
  at bigint NOT NULL,
  choices text NOT NULL,
  outcome text
);

-- Why the last act on a run did nothing, and the number of its newest entry then.
CREATE TABLE refused_act (
  run_id text COLLATE "C" PRIMARY KEY,
  n bigint NOT NULL,
  why text NOT NULL
);

-- Holds nothing. Each transaction locks it first, so that one writes at a time.
CREATE TABLE turn ();

CREATE FUNCTION clock_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
$$;
`,
  // What people have mails about, and which they had.
  `
CREATE TABLE notice_choice (
  person_id text COLLATE "C" PRIMARY KEY REFERENCES person (id),
  address text NOT NULL,
  -- Names (JSON).
  events text NOT NULL,
  changed_at bigint NOT NULL
);

CREATE TABLE notice (
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  -- Of what, and which event of it.
  key text COLLATE "C" NOT NULL,
  tries bigint NOT NULL,
  tried_at bigint NOT NULL,
  -- Null until it was sent.
  sent_at bigint,
  PRIMARY KEY (person_id, key)
);
`,
  // The tokens of programs that act for people, and the answers to what they asked, as in SQLite.
  `
CREATE TABLE api_token (
  id text COLLATE "C" PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  name text NOT NULL,
  scopes text NOT NULL,
  token_hash text COLLATE "C" NOT NULL UNIQUE,
  key_file text,
  public_key text COLLATE "C" UNIQUE,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  used_at bigint,
  revoked_at bigint
);
CREATE INDEX api_token_person ON api_token (person_id);
CREATE TABLE api_answer (
  token_id text COLLATE "C" NOT NULL REFERENCES api_token (id),
  key text COLLATE "C" NOT NULL,
  request text NOT NULL,
  begun_at bigint NOT NULL,
  status bigint,
  body text,
  PRIMARY KEY (token_id, key)
);
CREATE INDEX api_answer_begun ON api_answer (begun_at);
`,
  // The second factor at the sign-in.
  `
-- Encrypted with what the person's password yields. shown_in: the session in which it was shown, which alone confirms it;
-- confirmed_at is null until the person has given a first code. last_step: the time step of the last code that was taken,
-- since each counts once.
CREATE TABLE authenticator_app (
  person_id text COLLATE "C" PRIMARY KEY,
  secret text NOT NULL,
  shown_in text NOT NULL,
  confirmed_at bigint,
  last_step bigint NOT NULL
);

-- For who has lost the app. Each counts once.
CREATE TABLE recovery_code (
  code_hash text COLLATE "C" PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL
);

-- What an administrator chose for everybody.
CREATE TABLE page_setting (
  name text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

-- 1 while only the password is proven, and a second factor is still asked for.
ALTER TABLE session ADD COLUMN is_half bigint NOT NULL DEFAULT 0;
`,
  // Where people have events posted, and which were. Times are Unix ms.
  `
CREATE TABLE webhook_endpoint (
  id text COLLATE "C" PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  url text NOT NULL,
  -- What signs them: a receiver has the same.
  secret text NOT NULL,
  created_at bigint NOT NULL,
  removed_at bigint
);

CREATE TABLE webhook_delivery (
  endpoint_id text COLLATE "C" NOT NULL REFERENCES webhook_endpoint (id),
  -- The event, and of what it is.
  key text COLLATE "C" NOT NULL,
  body text NOT NULL,
  tries bigint NOT NULL,
  noted_at bigint NOT NULL,
  next_at bigint NOT NULL,
  -- Null until it was taken.
  done_at bigint,
  failure text,
  PRIMARY KEY (endpoint_id, key)
);
`,
  // What people changed in the rows of uploads: one of these for each save, with the revision of the upload that it made.
  `
CREATE TABLE upload_edit (
  upload_id text COLLATE "C" NOT NULL REFERENCES upload (id),
  revision integer NOT NULL,
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  at bigint NOT NULL,
  sheet text,
  changes text NOT NULL,
  undoes integer,
  PRIMARY KEY (upload_id, revision)
);
`,
  // Who people are at the provider that signs them in (OpenID Connect), and what it gave a session, encrypted with its token.
  `
CREATE TABLE provider_account (
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (issuer, subject),
  UNIQUE (issuer, person_id)
);

ALTER TABLE session ADD COLUMN provider text;
`,
  // The companies that pay, and how the page reaches the services that they pay through beside the one that it was started with.
  `
CREATE TABLE entity (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL
);

INSERT INTO entity (id, name, name_key, created_at) VALUES ('main', 'Main', 'main', 0);

CREATE TABLE connection (
  id text COLLATE "C" PRIMARY KEY,
  entity_id text COLLATE "C" NOT NULL REFERENCES entity (id),
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL UNIQUE,
  profile text NOT NULL,
  revision integer NOT NULL,
  added_at bigint NOT NULL,
  added_by text COLLATE "C" NOT NULL REFERENCES person (id),
  changed_at bigint NOT NULL,
  changed_by text COLLATE "C" NOT NULL REFERENCES person (id),
  confirmed_at bigint,
  confirmed_by text COLLATE "C" REFERENCES person (id),
  test text,
  is_rehearsal integer,
  disabled_at bigint
);

ALTER TABLE upload ADD COLUMN connection_id text COLLATE "C";

ALTER TABLE session ADD COLUMN entity_id text COLLATE "C";
`,
  // What people are notified of in the page, and what they chose to be: of everything where there is no row. Times are Unix ms.
  `
CREATE TABLE page_notice (
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  -- The event, and of what it is.
  key text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  -- A sentence that names no payee.
  text text NOT NULL,
  rehearsal bigint NOT NULL,
  -- 0 of what was known before this person was first notified.
  at bigint NOT NULL,
  read_at bigint,
  PRIMARY KEY (person_id, key)
);

CREATE TABLE page_notice_choice (
  person_id text COLLATE "C" PRIMARY KEY REFERENCES person (id),
  -- JSON.
  events text NOT NULL
);
`,
  // What a role is for: an entity and a job (empty for all of them), and whether names and amounts are shown there.
  `
ALTER TABLE person_role RENAME TO person_grant;

ALTER TABLE person_grant
  ADD COLUMN entity_id text COLLATE "C" NOT NULL DEFAULT '',
  ADD COLUMN job text COLLATE "C" NOT NULL DEFAULT '',
  ADD COLUMN details smallint NOT NULL DEFAULT 1 CHECK (details IN (0, 1)),
  DROP CONSTRAINT person_role_pkey,
  ADD PRIMARY KEY (person_id, role, entity_id, job);
`,
  // In which language and time zone each person reads the page.
  `
CREATE TABLE person_view (
  person_id text COLLATE "C" PRIMARY KEY REFERENCES person (id),
  -- Null: as the browser asks for it.
  language text,
  time_zone text
);
`,
  // Words by which people group recipients; payee is a hash.
  `
CREATE TABLE payee_tag (
  payee text COLLATE "C" NOT NULL,
  -- The tag as it is compared.
  tag_key text COLLATE "C" NOT NULL,
  tag text NOT NULL,
  added_at bigint NOT NULL,
  added_by text COLLATE "C" NOT NULL REFERENCES person (id),
  PRIMARY KEY (payee, tag_key)
);
`,
  // Access that the only administrator gave: held against them for payments that move money.
  `
ALTER TABLE access_change ADD COLUMN is_alone smallint NOT NULL DEFAULT 0;
`,
  // The mode a session's lists show: live payments, or rehearsals.
  `
ALTER TABLE session ADD COLUMN mode text CHECK (mode IN ('live', 'test'));
`,
  // What the headers of a file map to, by a name that people give it; and when an upload was last changed.
  `
CREATE TABLE file_layout (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  -- The name as it is compared.
  name_key text COLLATE "C" NOT NULL UNIQUE,
  -- SHA-256 of the headers as they are compared, in their alphabetical order, as JSON.
  headers text COLLATE "C" NOT NULL UNIQUE,
  -- JSON, the column of each of them; null where it is not used.
  columns text NOT NULL,
  saved_at bigint NOT NULL,
  saved_by text COLLATE "C" NOT NULL REFERENCES person (id)
);

ALTER TABLE upload ADD COLUMN changed_at bigint;

-- When people signed in last is found by it.
CREATE INDEX audit_act ON audit (act, person, at);
`,
];
