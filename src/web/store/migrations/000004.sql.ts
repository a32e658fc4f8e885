/** Who made a one-time link: it is void when they are locked out, let in anew or no administrator any more. */
export const sql = `
ALTER TABLE invitation ADD COLUMN made_by text REFERENCES person (id);
`;
