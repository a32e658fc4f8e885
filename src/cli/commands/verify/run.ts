import { z } from 'zod';
import { assertKnown } from '../../../app/runs/known-run.ts';
import {
  type BadWitness,
  type JournalVerified,
  type NotedHead,
  type RunProof,
  type RunVerified,
  type VerifyInput,
  verifyJournal,
  verifyRun as verifyOneRun,
} from '../../../app/verify/verify.ts';
import { count, text } from '../../../domain/entries/members.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { runId as runIdText, sha256 } from '../../../domain/result.ts';
import { messages } from '../../../messages/messages.ts';
import { printable } from '../../../messages/text.ts';
import type { WitnessFault } from '../../../report/witness.ts';
import type { Given } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { type Here, withJournal } from '../../here.ts';
import { exitCode } from '../../json/outputs.ts';
import { print } from '../../json/print.ts';

const proof = z.strictObject({
  run_id: runIdText,
  ok: z.boolean().describe('No entry was altered, cut off or deleted.'),
  entries: count.describe('Entries that are in order.'),
  head: sha256.nullable(),
  altered_at: count.nullable().describe('The first entry that is not in order.'),
  message: text.nullable(),
  witness: z
    .strictObject({ path: text, entries: count, head: sha256 })
    .nullable()
    .describe('The report that notes the same hash.'),
});
const ofRun = proof.extend({ exit: exitCode });
const ofJournal = z.strictObject({
  ok: z.boolean(),
  runs: z.array(proof),
  deleted: z.array(z.strictObject({ run_id: runIdText, entries: count, witness: text })),
  faults: z.array(text).describe('What is wrong beside the runs.'),
  witnesses: z.array(text).describe('The files that the journal was compared with.'),
  exit: exitCode,
});
export const output = z
  .union([ofRun, ofJournal])
  .meta({ description: 'Whether the journal of one run, or the whole journal, is as it was written.' });

/** `payrun verify [RUN]`: proves that the journal is as it was written. Exits with 5 where it was altered, cut or deleted. */
export async function run(given: Given): Promise<void> {
  const witnesses = (given.witness as string[] | undefined) ?? [];
  await withJournal(given, (here) => {
    const input = { reportDir: here.settings.reportDir, witnesses };
    return given.run === undefined ? verifyAll(here, input) : verifyRun(here, String(given.run), input);
  });
}

/** Returns the exit code. Throws a `Refusal` for an unknown run. */
export async function verifyRun(here: Here, runId: string, input: VerifyInput): Promise<number> {
  const result = await verifyOneRun(here.journal, runId, input);
  switch (result.outcome) {
    case 'bad_witness':
      throw badWitness(result);
    case 'unknown_run':
      await assertKnown(here.journal, runId);
      return EXIT.person_needed;
    case 'deleted': {
      const deleted = { ...deletedOutput(result.noted), exit: EXIT.person_needed };
      return print<z.output<typeof ofRun>>(here, deleted, () => `${deletedText(result.noted)}\n`);
    }
    case 'verified': {
      const { verification, report } = result;
      const verified = { ...proofOutput(result), exit: exitOf(verification.ok) };
      const exit = print<z.output<typeof ofRun>>(here, verified, () => runText(result));
      if (report?.outcome === 'unreadable')
        here.io.stderr(`${report.path} cannot serve as a witness: ${printable(witnessText(report.fault))}.\n`);
      return exit;
    }
  }
}

/** The same of every run, and of runs that were deleted. */
export async function verifyAll(here: Here, input: VerifyInput): Promise<number> {
  const result = await verifyJournal(here.journal, input);
  if (result.outcome === 'bad_witness') throw badWitness(result);
  const { isWhole: ok, faults, witnesses } = result;
  const runs = result.proofs.map(proofOutput);
  const deleted = result.deleted.map(({ runId, n, path }) => ({ run_id: runId, entries: n, witness: path }));
  const verified = {
    ok,
    runs,
    deleted,
    faults: faults.map((one) => messages.damage.damageText(one)),
    witnesses,
    exit: exitOf(ok),
  };
  return print<z.output<typeof ofJournal>>(here, verified, () => journalText(result));
}

function witnessText(fault: WitnessFault): string {
  switch (fault.why) {
    case 'no_report':
      return 'it is not a report of payrun';
    case 'of_another_run':
      return `it is the report of the run ${fault.runId}`;
    case 'unreadable':
      return fault.cause;
  }
}

function exitOf(ok: boolean): number {
  return ok ? EXIT.ok : EXIT.person_needed;
}

function badWitness({ path, error }: BadWitness): Refusal {
  return new Refusal({ code: 'bad_witness', path, cause: error });
}

function proofOutput({ runId, verification, report }: RunProof): z.output<typeof proof> {
  const { ok, entries } = verification;
  const { path, witness } = report?.outcome === 'witness' ? report : { path: '', witness: null };
  return {
    run_id: runId,
    ok,
    entries,
    head: ok ? verification.head : null,
    altered_at: ok ? null : verification.n,
    message: ok ? null : messages.damage.damageText(verification.damage),
    witness: witness && { path, entries: witness.n, head: witness.hash },
  };
}

function deletedOutput(head: NotedHead): z.output<typeof proof> {
  const { runId, n, path, hash } = head;
  const witness = { path, entries: n, head: hash };
  return { run_id: runId, ok: false, entries: 0, head: null, altered_at: null, message: deletedText(head), witness };
}

type Verified<Result> = Extract<Result, { outcome: 'verified' }>;

const NO_WITNESS =
  'No report.json or heads-….txt to compare with. Without one, a journal that was rewritten with all its hashes, or replaced by an older copy, goes unnoticed.';

function deletedText({ runId, n, path }: NotedHead): string {
  return `Run ${runId} was deleted, or an older copy of the journal was put back: ${path} names ${n} entries of it.`;
}

function runText(verified: Verified<RunVerified>): string {
  const { verification, report, noted } = verified;
  if (!verification.ok) {
    const sound = verification.entries === 0 ? '' : `Entries 1 to ${verification.entries} are in order.\n`;
    return `${proofLine(verified)}\n${sound}`;
  }
  const same = report?.outcome === 'witness' ? [{ path: report.path, n: report.witness.n }, ...noted] : noted;
  const also = same.map(({ path, n }) => `${path} notes the same hash for entry ${n}.`);
  return `${proofLine(verified)}\nhead ${verification.head}\n${also.join('\n') || NO_WITNESS}\n`;
}

function journalText({ faults, deleted, proofs, witnesses }: Verified<JournalVerified>): string {
  const lines = [
    ...faults.map((fault) => `The journal was altered: ${printable(messages.damage.damageText(fault))}.`),
    ...deleted.map(deletedText),
    ...proofs.map(proofLine),
    witnesses.length === 0 ? NO_WITNESS : `Compared with ${witnesses.join(', ')}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function proofLine({ runId, verification }: RunProof): string {
  return verification.ok
    ? `Run ${runId}: ${verification.entries} entries, none altered.`
    : `Run ${runId} was altered: ${printable(messages.damage.damageText(verification.damage))}.`;
}
