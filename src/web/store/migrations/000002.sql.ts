/** Files that were uploaded, and what came of them. The files are in `uploads/<id>/`; times are Unix ms. */
export const sql = `
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
`;
