/**
 * Who asked that a run be paused, and when (Unix ms). Beside the chain, because whoever asks does not hold the run. Meant
 * is the process that held it then, by its epoch: whoever takes the run up later was asked nothing.
 * Payouts that were perhaps paid twice are few, and the list of all runs has to know of them.
 */
export const sql = `
CREATE TABLE pause_asked (
  run integer PRIMARY KEY REFERENCES run (run),
  epoch integer NOT NULL,
  asked_by text NOT NULL,
  asked_at integer NOT NULL
) STRICT;

CREATE INDEX entry_surfaced ON entry (place) WHERE kind = 'surfaced';
`;
