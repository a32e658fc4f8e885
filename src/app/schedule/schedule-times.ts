/** A time that is longer ago was missed: the machine was off, or its clock was set. */
export const LATE_MAX_MS = 600_000;

/** The clock is looked at so often, since somebody may set it and the machine may sleep. */
export const LOOK_EVERY_MS = 1_000;

/**
 * How long after a run that could not begin it is tried again: nothing was sent, because another process held the job or the
 * service was unavailable. After the last of them it is given up.
 */
export const TRY_AGAIN_MS = [60_000, 120_000, 240_000, 480_000, 900_000, 1_800_000, 1_800_000, 1_800_000] as const;

/** So often the files of the jobs are looked at. */
export const LOOK_AT_FILES_EVERY_MS = 60_000;

/** So often a plan that waits is looked at: it may be approved, run or useless by then. */
export const LOOK_AT_PLAN_EVERY_MS = 300_000;

/** So often a run is looked at that another host began: its process may have died, and nobody there reports it. */
export const LOOK_AT_RUN_EVERY_MS = 60_000;

/** So many of a job's last times are looked at for periods without a run. */
export const TIMES_MAX = 12;
