import type { z } from 'zod';
import { ENSURE_ENTRIES } from './entries/ensure.ts';
import { PAYOUT_ENTRIES } from './entries/payout.ts';
import { PLAN_ENTRIES } from './entries/plan.ts';
import { END_ENTRIES, RUN_ENTRIES } from './entries/run.ts';
import { SERVICE_ENTRIES } from './entries/service.ts';
import { NOTIFY_ENTRIES } from './notices/notify.ts';

export type { EnsureEntry, EnsureTarget, EnsureUnresolved, EnsureUnresolvedAbout } from './entries/ensure.ts';
export type { Actor, OnPage, SignedRequest } from './entries/members.ts';
export type {
  AboveCeiling,
  Absent,
  DoubtfulAnswer,
  Final,
  FirstCopy,
  Found,
  Intent,
  PayoutEntry,
  Received,
  Replayed,
  Resolved,
  Unresolved,
  UnresolvedAbout,
} from './entries/payout.ts';
export type { PlanEntry, StartTime } from './entries/plan.ts';
export type {
  Counts,
  EndEntry,
  InputFile,
  JobSource,
  PlanEnd,
  RowProblem,
  RunCreated,
  RunRow,
  StopReason,
} from './entries/run.ts';
export type { CanaryFailed, Returned, ServiceEntry } from './entries/service.ts';

/**
 * Everything that a journal can hold of a run: one schema for each kind of entry, from which its type is inferred. State is
 * a fold of these (`run.ts`, `payout.ts`), so each says what happened and never what to do. Members that a journal of an
 * earlier version lacks have a default.
 */
export const ENTRIES = {
  ...RUN_ENTRIES,
  ...PLAN_ENTRIES,
  ...SERVICE_ENTRIES,
  ...NOTIFY_ENTRIES,
  ...ENSURE_ENTRIES,
  ...PAYOUT_ENTRIES,
  ...END_ENTRIES,
};

export type EntryKind = keyof typeof ENTRIES;

export type EntryOf<Kind extends EntryKind> = z.output<(typeof ENTRIES)[Kind]>;

export type Entry = EntryOf<EntryKind>;

/** An entry in its place in a run's chain. `at` is Unix milliseconds. `text`: of one of rows, where it was asked for. */
export type PlacedEntry = { n: number; at: number; epoch: number; entry: Entry; text?: string };
