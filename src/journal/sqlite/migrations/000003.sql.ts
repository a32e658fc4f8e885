/** Who asked that a run be cancelled, and when (Unix ms). Beside the chain, because whoever asks does not hold the run. */
export const sql = `
CREATE TABLE cancel_asked (
  run integer PRIMARY KEY REFERENCES run (run),
  asked_by text NOT NULL,
  asked_at integer NOT NULL
) STRICT;
`;
