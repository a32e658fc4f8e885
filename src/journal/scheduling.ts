/** What schedules share that run the same jobs, on whatever host. */
export type Scheduling = {
  /** The time (Unix ms) by the clock that all hosts share: that of the database, or this machine's. */
  now(): Promise<number>;
  /** Notes that people were notified of this. False where it was noted before: of several that note it at once, one gets true. */
  announce(id: string): Promise<boolean>;
  isAnnounced(id: string): Promise<boolean>;
};
