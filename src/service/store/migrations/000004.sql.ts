/** Version 4: nonces in the order in which they came. */
export const sql = `
-- Nonces are random: in the order of their text, each of a group's would be on another page, and each page is written
-- whole. So they stand in the order in which they came, by expiry first because that is how they are deleted. That none
-- comes twice is looked up in memory, where all of them are.
CREATE TABLE nonce_in_order (
  expires integer NOT NULL,
  place integer NOT NULL,
  api_key integer NOT NULL REFERENCES api_key,
  nonce text NOT NULL,
  PRIMARY KEY (expires, place)
) STRICT, WITHOUT ROWID;

INSERT INTO nonce_in_order (expires, place, api_key, nonce)
  SELECT expires, row_number() OVER (ORDER BY expires, api_key, nonce), api_key, nonce FROM nonce;
DROP TABLE nonce;
ALTER TABLE nonce_in_order RENAME TO nonce;
`;
