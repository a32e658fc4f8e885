/** The run whose rows an upload corrects. */
export const sql = `
ALTER TABLE upload ADD COLUMN corrects text;
`;
