/** The rate limit of one service and key that all processes share. Times are in ms, and may have fractions. */
export type SharedLimit = {
  /**
   * Reserves slots: moments in which this process may send one request each. Rejects where the limit cannot be asked; slots
   * that were reserved all the same are lost.
   */
  takeSlots(wanted: SlotsWanted): Promise<SlotsGiven>;
};

/** A limit as one process was given it. */
export type Pace = {
  /** In any window; 0 for no limit. */
  requests: number;
  windowMs: number;
  /** How late a request may arrive that leaves in its slot. */
  lateMs: number;
};

export type SlotsWanted = Pace & {
  /** At most so many slots. 0 only asks how things stand. */
  count: number;
  /** No slot is nearer than this. */
  noticeMs: number;
  /** For so long nobody gets a slot: the service refused a request for its pace. */
  pauseMs: number;
};

/** `windowMs` and `lateMs`: of the slowest pace that a process uses, which holds for all. */
export type SlotsGiven = Pick<Pace, 'windowMs' | 'lateMs'> & {
  count: number;
  /** When the first slot begins, on the monotonic clock of this process, as well as it knows the clock of the limit. */
  first: { earliestMs: number; latestMs: number };
  /** How late this process's own pace lets a request arrive; more than was asked for where the clock is known badly. */
  ownLateMs: number;
  /** Between two slots; 0 where no process has a limit. */
  everyMs: number;
  /** For so long nobody may send. */
  pausedMs: number;
  /** Where there was no slot: when to ask again. */
  againInMs: number;
};
