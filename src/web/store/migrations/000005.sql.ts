/** Uploads whose files were removed (Unix ms), and by whom: null where that is the rule and nobody's doing. */
export const sql = `
ALTER TABLE upload ADD COLUMN removed_at integer;
ALTER TABLE upload ADD COLUMN removed_by text REFERENCES person (id);
`;
