/** Version 5: what became of the request that used a nonce. */
export const sql = `
-- What a copy of the request is told: the status of the first one's answer, and the id of the transaction that it made.
-- A status of null: the request came before this was kept.
ALTER TABLE nonce ADD COLUMN status integer;
ALTER TABLE nonce ADD COLUMN transaction_id text;
`;
