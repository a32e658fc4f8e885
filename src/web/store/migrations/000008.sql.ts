/** Browsers in which people have signed in: there nobody else's wrong passwords keep them out. Times are Unix ms. */
export const sql = `
CREATE TABLE known_device (
  token_hash text PRIMARY KEY,
  person_id text NOT NULL REFERENCES person (id),
  seen_at integer NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX known_device_person ON known_device (person_id, seen_at);
`;
