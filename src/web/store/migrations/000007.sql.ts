/**
 * What administrators changed in how others sign in, or who they are here: from then on the administrator could be that
 * person. Times are Unix ms; it counts until another administrator confirms it.
 */
export const sql = `
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
`;
