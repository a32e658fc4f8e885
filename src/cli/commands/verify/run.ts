import { type BadWitness, type VerifyInput, verifyJournal, verifyRun } from '../../../app/verify/verify.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Journal } from '../../../journal/journal.ts';
import { printable } from '../../../messages/text.ts';
import { EXIT } from '../../exit.ts';
import { jsonLine } from '../../json/line.ts';
import { assertKnown } from '../../runs/known-run.ts';
import type { JournalVerifyOutput, RunVerifyOutput } from './json.ts';
import { deletedJson, deletedText, journalText, proofJson, runText } from './text.ts';

type Io = { stdout(text: string): void; stderr(text: string): void };

export type VerifyOptions = VerifyInput & { json: boolean };

/**
 * `payrun verify RUN`: proves that the run's journal is as it was written. Returns 0, or 5 where it was altered, cut or
 * deleted. Throws a Refusal for a run that nothing knows.
 */
export async function verifyCommand(journal: Journal, io: Io, runId: string, options: VerifyOptions): Promise<number> {
  const { json } = options;
  const result = await verifyRun(journal, runId, options);
  switch (result.outcome) {
    case 'bad_witness':
      throw badWitness(result);
    case 'unknown_run':
      await assertKnown(journal, runId);
      return EXIT.person_needed;
    case 'deleted': {
      const exit = EXIT.person_needed;
      if (json) io.stdout(jsonLine<RunVerifyOutput>({ ...deletedJson(result.noted), exit }));
      else io.stdout(`${deletedText(result.noted)}\n`);
      return exit;
    }
    case 'verified': {
      const { verification, report } = result;
      const exit = verification.ok ? EXIT.ok : EXIT.person_needed;
      if (json) io.stdout(jsonLine<RunVerifyOutput>({ ...proofJson(result), exit }));
      else io.stdout(runText(result));
      if (report?.outcome === 'unreadable')
        io.stderr(`${report.path} cannot serve as a witness: ${printable(report.message)}.\n`);
      return exit;
    }
  }
}

/** `payrun verify`: the same of every run, and of runs that were deleted. Returns 0, or 5 where anything was altered. */
export async function verifyAllCommand(journal: Journal, io: Io, options: VerifyOptions): Promise<number> {
  const result = await verifyJournal(journal, options);
  if (result.outcome === 'bad_witness') throw badWitness(result);
  const { isWhole, faults, witnesses } = result;
  const exit = isWhole ? EXIT.ok : EXIT.person_needed;
  if (options.json) {
    const runs = result.proofs.map(proofJson);
    const deleted = result.deleted.map(({ runId, n, path }) => ({ run_id: runId, entries: n, witness: path }));
    io.stdout(jsonLine<JournalVerifyOutput>({ ok: isWhole, runs, deleted, faults, witnesses, exit }));
  } else io.stdout(journalText(result));
  return exit;
}

function badWitness({ path, error }: BadWitness): Refusal {
  const remedy = 'Name a report.json, report.html or report.xlsx of a run, or a heads-….txt.';
  const message = error === null ? `${path} names no entry of a journal.` : `${path} cannot be read: ${error}.`;
  return new Refusal('usage', message, remedy);
}
