import { z } from 'zod';
import { count, text } from '../../../domain/entries/members.ts';
import { runId, sha256 } from '../../../domain/result.ts';
import { exitCode } from '../../json/members.ts';

const witness = z.strictObject({ path: text, entries: count, head: sha256 });

const proof = z.strictObject({
  run_id: runId,
  ok: z.boolean().describe('No entry was altered, cut off or deleted.'),
  entries: count.describe('Entries that are in order.'),
  head: sha256.nullable(),
  altered_at: count.nullable().describe('The first entry that is not in order.'),
  message: text.nullable(),
  witness: witness.nullable().describe('The report that notes the same hash.'),
});
export type Proof = z.output<typeof proof>;

const ofRun = proof.extend({ exit: exitCode });
export type RunVerifyOutput = z.output<typeof ofRun>;

const ofJournal = z.strictObject({
  ok: z.boolean(),
  runs: z.array(proof),
  deleted: z.array(z.strictObject({ run_id: runId, entries: count, witness: text })),
  faults: z.array(text).describe('What is wrong beside the runs.'),
  witnesses: z.array(text).describe('The files that the journal was compared with.'),
  exit: exitCode,
});
export type JournalVerifyOutput = z.output<typeof ofJournal>;

export const verifyOutput = z
  .union([ofRun, ofJournal])
  .meta({ description: 'Whether the journal of one run, or the whole journal, is as it was written.' });
