/**
 * Where a payout that was not paid in one run stands in another that pays the same row: it is paid there, under way or in
 * question there, or waits there in a plan that may still be started.
 */
export type Since = { runId: string; standing: 'paid' | 'under_way' | 'planned'; at: number | null };

/** By row, and when the journal was read (Unix ms of its newest entry). Rows without an entry are as they were. */
export type SinceOfRun = { rows: ReadonlyMap<number, Since>; asOf: number | null };

export const NOTHING_SINCE: SinceOfRun = Object.freeze({ rows: new Map<number, Since>(), asOf: null });
