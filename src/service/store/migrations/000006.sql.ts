/** Version 6: what totals round, and in whose name a payout is sent. */
export const sql = `
-- What usd_cents leaves out, in 10^-9 of a cent: totals add both up and round once.
ALTER TABLE transfer ADD COLUMN usd_rest integer NOT NULL DEFAULT 0;
ALTER TABLE transfer_total ADD COLUMN usd_rest integer NOT NULL DEFAULT 0;

-- The account of the customer's own in whose name it is sent, masked; null where the request names none.
ALTER TABLE transfer ADD COLUMN ordering_account text;
`;
