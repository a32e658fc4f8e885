import type { JournalVerified, NotedHead, RunProof, RunVerified } from '../../../app/verify/verify.ts';
import { printable } from '../../../messages/text.ts';
import type { Proof } from './json.ts';

type Verified<Result> = Extract<Result, { outcome: 'verified' }>;

const NO_WITNESS =
  'No report.json or heads-….txt to compare with: only with one would a journal that was rewritten with all its hashes, or put back to an older copy, be found out.';

export function deletedText({ runId, n, path }: NotedHead): string {
  return `Run ${runId} was deleted, or an older copy of the journal was put back: ${path} names ${n} entries of it.`;
}

export function runText(proof: Verified<RunVerified>): string {
  const { verification, report, noted } = proof;
  if (!verification.ok) {
    const sound = verification.entries === 0 ? '' : `Entries 1 to ${verification.entries} are in order.\n`;
    return `${proofLine(proof)}\n${sound}`;
  }
  const same = report?.outcome === 'witness' ? [{ path: report.path, n: report.witness.n }, ...noted] : noted;
  const also = same.map(({ path, n }) => `${path} notes the same hash for entry ${n}.`);
  return `${proofLine(proof)}\nhead ${verification.head}\n${also.join('\n') || NO_WITNESS}\n`;
}

export function journalText({ faults, deleted, proofs, witnesses }: Verified<JournalVerified>): string {
  const lines = [
    ...faults.map((fault) => `The journal was altered: ${printable(fault)}.`),
    ...deleted.map(deletedText),
    ...proofs.map(proofLine),
    witnesses.length === 0 ? NO_WITNESS : `Compared with ${witnesses.join(', ')}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function proofLine({ runId, verification }: RunProof): string {
  return verification.ok
    ? `Run ${runId}: ${verification.entries} entries, none altered.`
    : `Run ${runId} was altered: ${printable(verification.message)}.`;
}

export function proofJson({ runId, verification, report }: RunProof): Proof {
  const { ok, entries } = verification;
  return {
    run_id: runId,
    ok,
    entries,
    head: ok ? verification.head : null,
    altered_at: ok ? null : verification.n,
    message: ok ? null : verification.message,
    witness:
      report?.outcome === 'witness'
        ? { path: report.path, entries: report.witness.n, head: report.witness.hash }
        : null,
  };
}

export function deletedJson(head: NotedHead): Proof {
  const { runId, n, path, hash } = head;
  const witness = { path, entries: n, head: hash };
  return { run_id: runId, ok: false, entries: 0, head: null, altered_at: null, message: deletedText(head), witness };
}
