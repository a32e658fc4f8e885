/** How a process that worked on a run ended: what is loudest comes first where several are true. */
export type RunEnding = 'interrupted' | 'unreachable' | 'person_needed' | 'some_failed' | 'ok';

/** The exit code that each is. */
export const ENDING_EXIT = {
  ok: 0,
  some_failed: 4,
  person_needed: 5,
  unreachable: 8,
  interrupted: 130,
} as const satisfies Record<RunEnding, number>;
