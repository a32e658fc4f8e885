import { z } from 'zod';
import { stopWhy } from '../outcomes/stop-why.ts';
import { payoutOrder } from '../payee.ts';
import { profile } from '../profile.ts';
import { actor, count, milliseconds, onPage, text } from './members.ts';

const inputFile = z.strictObject({
  name: text,
  path: text,
  /** Of the file; where people edited its rows on the page, of both together. */
  sha256: text,
  /** Of the file, where `sha256` is not. */
  file_sha256: text.optional(),
  bytes: count,
  header: z.array(text),
  /** For each header, the canonical column it feeds, or null for an unknown one that is only carried to the report. */
  columns: z.array(text.nullable()),
});
export type InputFile = z.output<typeof inputFile>;

/** What is wrong with a row, as `domain/problem.ts` has it. Journals from before problems had parameters have it in words. */
const rowProblem = z.union([
  z.strictObject({ code: text, params: z.record(text, z.unknown()) }),
  z.strictObject({ code: text, message: text }),
]);
export type RowProblem = z.output<typeof rowProblem>;

/** One row of the input as the run keeps it: its own cells for the report, and the order unless it has problems. */
const runRow = z.strictObject({
  row: count,
  cells: z.array(text),
  order: payoutOrder.nullable(),
  problem: rowProblem.nullable(),
});
export type RunRow = z.output<typeof runRow>;

/** `base_url` and `api_key` are as the job or its profile writes them, null where it does not: nothing is resolved. */
const jobSource = z.strictObject({ file: text, base_url: text.nullable(), api_key: text.nullable() });
export type JobSource = z.output<typeof jobSource>;

const runCreated = z.strictObject({
  kind: z.literal('run_created'),
  run_id: text,
  input: inputFile,
  job: text.nullable(),
  /** What a job pays once: a started run of the same job and period forbids another. Absent in journals of version 1. */
  period: text.nullable().default(null),
  rehearsal: z.boolean(),
  profile,
  settings: z.strictObject({ poll_every_ms: milliseconds, wait_timeout_ms: milliseconds }),
  digest: text,
  payouts: count,
  /** The service's records are known by these within one scope only: base URL and key. */
  scope: text,
  report_dir: text,
  /** The earlier run of the same input that a person allowed to repeat. */
  repeats: text.nullable(),
  /**
   * The run whose failed and rejected rows this one pays: under their numbers, and `input.sha256` is of no file. Absent in
   * journals from before there were retries, as are the next two.
   */
  retries: text.nullable().default(null),
  /** SHA-256 of the file that corrected rows were taken from; null where they are those of the run that is retried. */
  corrections_sha256: text.nullable().default(null),
  /** Of a job's run: where the job was read, and how it names the service. */
  job_source: jobSource.nullable().default(null),
  /** The company that pays, by its id on the page; left out where there is only one, and in journals from before. */
  entity: text.optional(),
  /** The connection of the page that it was planned over, by its id; left out where the page was started with it, and by command. */
  connection: text.optional(),
});
export type RunCreated = z.output<typeof runCreated>;

export const stopReason = z.enum(['interrupted', 'wait_timeout', 'outage', 'person_needed']);
export type StopReason = z.output<typeof stopReason>;

/** How the payouts of a run ended. */
export const counts = z.strictObject({
  completed: count,
  failed: count,
  rejected: count,
  unresolved: count,
  not_submitted: count,
});
export type Counts = z.output<typeof counts>;

/** What happens to a run as a whole. */
export const RUN_ENTRIES = {
  run_created: runCreated,
  rows: z.strictObject({ kind: z.literal('rows'), rows: z.array(runRow) }),
  lease_taken: z.strictObject({
    kind: z.literal('lease_taken'),
    epoch: count,
    holder: text,
    /** Random, so that no other taking is the same one. Absent in journals from before leases had ids. */
    lease_id: text.optional(),
    ...onPage,
  }),
};

/** How a person ended a plan that nobody had started, and why. `person`: as the plan's approval policy names them. */
const planEnd = z.strictObject({ as: z.enum(['rejected', 'recalled']), person: text, reason: text });
export type PlanEnd = z.output<typeof planEnd>;

/** Why nothing more is done for now, or at all. What a person has `paused` goes on once one has `resumed` it. */
export const END_ENTRIES = {
  /** `replaced_by`: the plan that took the place of this one. `plan_end`: absent where it was only discarded. */
  cancelled: z.strictObject({
    kind: z.literal('cancelled'),
    replaced_by: text.optional(),
    plan_end: planEnd.optional(),
    ...actor,
  }),
  paused: z.strictObject({ kind: z.literal('paused'), ...actor }),
  resumed: z.strictObject({ kind: z.literal('resumed'), ...actor }),
  /**
   * `message`: why, in words, where there is more to say than the reason. `why`: its code, where the words depend on who reads
   * them; absent in journals of before.
   */
  stopped: z.strictObject({
    kind: z.literal('stopped'),
    reason: stopReason,
    message: text.optional(),
    why: stopWhy.optional(),
  }),
  finished: z.strictObject({ kind: z.literal('finished'), counts }),
};
export type EndEntry = z.output<(typeof END_ENTRIES)[keyof typeof END_ENTRIES]>;
