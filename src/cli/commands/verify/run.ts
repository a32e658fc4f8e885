import { assertKnown } from '../../../app/runs/known-run.ts';
import { type BadWitness, type VerifyInput, verifyJournal, verifyRun } from '../../../app/verify/verify.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Journal } from '../../../journal/journal.ts';
import { printable } from '../../../messages/text.ts';
import { EXIT } from '../../exit.ts';
import { printResult } from '../../json/line.ts';
import type { Io } from '../../terminal.ts';
import type { JournalVerifyOutput, RunVerifyOutput } from './json.ts';
import { deletedJson, deletedText, journalText, proofJson, runText } from './text.ts';

type Streams = Pick<Io, 'stdout' | 'stderr'>;

export type VerifyOptions = VerifyInput & { json: boolean };

/**
 * `payrun verify RUN`: proves that the run's journal is as it was written. Returns 0, or 5 where it was altered, cut or
 * deleted. Throws a Refusal for an unknown run.
 */
export async function verifyCommand(
  journal: Journal,
  { stdout, stderr }: Streams,
  runId: string,
  options: VerifyOptions,
): Promise<number> {
  const to = { stdout, json: options.json };
  const result = await verifyRun(journal, runId, options);
  switch (result.outcome) {
    case 'bad_witness':
      throw badWitness(result);
    case 'unknown_run':
      await assertKnown(journal, runId);
      return EXIT.person_needed;
    case 'deleted': {
      const output = { ...deletedJson(result.noted), exit: EXIT.person_needed };
      return printResult<RunVerifyOutput>(to, output, () => `${deletedText(result.noted)}\n`);
    }
    case 'verified': {
      const { verification, report } = result;
      const output = { ...proofJson(result), exit: exitOf(verification.ok) };
      const exit = printResult<RunVerifyOutput>(to, output, () => runText(result));
      if (report?.outcome === 'unreadable')
        stderr(`${report.path} cannot serve as a witness: ${printable(report.message)}.\n`);
      return exit;
    }
  }
}

/** `payrun verify`: the same of every run, and of runs that were deleted. Returns 0, or 5 where anything was altered. */
export async function verifyAllCommand(
  journal: Journal,
  { stdout }: Streams,
  { json, ...input }: VerifyOptions,
): Promise<number> {
  const result = await verifyJournal(journal, input);
  if (result.outcome === 'bad_witness') throw badWitness(result);
  const { isWhole: ok, faults, witnesses } = result;
  const runs = result.proofs.map(proofJson);
  const deleted = result.deleted.map(({ runId, n, path }) => ({ run_id: runId, entries: n, witness: path }));
  const output = { ok, runs, deleted, faults, witnesses, exit: exitOf(ok) };
  return printResult<JournalVerifyOutput>({ stdout, json }, output, () => journalText(result));
}

function exitOf(ok: boolean): number {
  return ok ? EXIT.ok : EXIT.person_needed;
}

function badWitness({ path, error }: BadWitness): Refusal {
  const remedy = 'Name a report.json, report.html or report.xlsx of a run, or a heads-….txt.';
  const message = error === null ? `${path} names no entry of a journal.` : `${path} cannot be read: ${error}.`;
  return new Refusal('usage', message, remedy);
}
