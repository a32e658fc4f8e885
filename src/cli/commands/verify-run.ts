import { Refusal } from '../../domain/refusal.ts';
import { type Journal, JournalDamaged, type Verification } from '../../journal/journal.ts';
import type { RunHead } from '../../journal/whole-journal.ts';
import { doesContain, headsFilesIn, readHeads } from '../../report/heads.ts';
import { type ReportWitness, readWitness, readWitnessFile } from '../../report/witness.ts';
import { EXIT } from '../exit.ts';
import { assertKnown } from '../known-run.ts';
import { printable } from '../tables.ts';

type Io = { stdout(text: string): void; stderr(text: string): void };

export type VerifyOptions = {
  json: boolean;
  /** Where reports and heads are looked for; undefined or null for where the runs put them. */
  reportDir?: string | null | undefined;
  /** Reports and files of heads that the journal is held against too. */
  witnesses?: readonly string[];
};

/** How far a run went, and where that stands. */
type Noted = RunHead & { path: string };

type Proof = { runId: string; verification: Verification; report: ReportWitness | null };

/** Where reports go unless somebody says another place. */
const REPORTS = 'reports';

/**
 * `payrun verify RUN`: proves that the run's journal is as it was written, against every head of it that is kept outside:
 * of the run's `report.json`, of the files of heads beside it, of what `--witness` names. Returns 0, or 5 where it was
 * altered, cut or deleted. Throws a Refusal for a run that nothing knows.
 */
export async function verifyCommand(journal: Journal, io: Io, runId: string, options: VerifyOptions): Promise<number> {
  const noted = await notedHeads(journal, options);
  const ofRun = noted.filter((head) => head.runId === runId);
  const [deleted] = ofRun;
  if (journal.head(runId) === null && deleted !== undefined) return sayDeleted(io, deleted, options.json);
  assertKnown(journal, runId);
  const proof = await prove(journal, runId, ofRun, options);
  const { verification, report } = proof;
  const exit = verification.ok ? EXIT.ok : EXIT.person_needed;
  if (options.json) io.stdout(`${JSON.stringify({ ...verificationJson(proof), exit })}\n`);
  else io.stdout(verificationText(proof, ofRun));
  if (report?.outcome === 'unreadable')
    io.stderr(`${report.path} cannot serve as a witness: ${printable(report.message)}.\n`);
  return exit;
}

/** `payrun verify`: the same of every run, and of runs that were deleted. Returns 0, or 5 where anything was altered. */
export async function verifyAllCommand(journal: Journal, io: Io, options: VerifyOptions): Promise<number> {
  const noted = await notedHeads(journal, options);
  const faults = journal.whole.faults();
  const proofs: Proof[] = [];
  for (const { runId } of journal.whole.heads()) {
    const ofRun = noted.filter((head) => head.runId === runId);
    proofs.push(await prove(journal, runId, ofRun, options));
  }
  const known = new Set(proofs.map(({ runId }) => runId));
  const deleted = [
    ...new Map(noted.filter(({ runId }) => !known.has(runId)).map((head) => [head.runId, head])).values(),
  ];
  const isWhole = faults.length + deleted.length === 0 && proofs.every(({ verification }) => verification.ok);
  const exit = isWhole ? EXIT.ok : EXIT.person_needed;
  const witnesses = [...new Set(noted.map(({ path }) => path))];
  if (options.json) {
    const runs = proofs.map(verificationJson);
    const gone = deleted.map(({ runId, n, path }) => ({ run_id: runId, entries: n, witness: path }));
    io.stdout(`${JSON.stringify({ ok: isWhole, runs, deleted: gone, faults, witnesses, exit })}\n`);
    return exit;
  }
  const lines = [
    ...faults.map((fault) => `The journal was altered: ${printable(fault)}.`),
    ...deleted.map(deletedText),
    ...proofs.map(provenLine),
    witnesses.length === 0 ? NO_WITNESS : `Compared with ${witnesses.join(', ')}.`,
  ];
  io.stdout(`${lines.join('\n')}\n`);
  return exit;
}

/** Every chain is proven before its other hashes are compared: only then do they say anything. */
async function prove(
  journal: Journal,
  runId: string,
  noted: readonly Noted[],
  { reportDir }: VerifyOptions,
): Promise<Proof> {
  const directory = reportDir ?? reportDirectoryOf(journal, runId);
  const report = directory === null ? null : await readWitness(directory, runId);
  const verification = journal.verifyRun(runId, report?.outcome === 'witness' ? report.witness : null);
  const against = verification.ok ? noted.find((head) => !doesContain(journal, head)) : undefined;
  if (!verification.ok || against === undefined) return { runId, verification, report };
  const { n, path } = against;
  const message =
    n > verification.entries
      ? `entries ${verification.entries + 1} to ${n}, which ${path} names, are gone`
      : `entry ${n} is not the one that ${path} names`;
  return { runId, verification: { ok: false, entries: verification.entries, n, message }, report };
}

/** What is kept outside of the journal about its runs. Files of heads beside the reports of another journal say nothing. */
async function notedHeads(journal: Journal, { reportDir, witnesses = [] }: VerifyOptions): Promise<Noted[]> {
  const noted: Noted[] = [];
  const runs = new Set(journal.whole.heads().map(({ runId }) => runId));
  const directories = new Set(reportDir ? [reportDir] : [...runs].map((runId) => reportDirectoryOf(journal, runId)));
  for (const directory of directories) {
    for (const path of await headsFilesIn(directory ?? REPORTS)) {
      const heads = await readHeads(path);
      if (heads === null || heads === 'unreadable' || !heads.some(({ runId }) => runs.has(runId))) continue;
      noted.push(...heads.map((head) => ({ ...head, path })));
    }
  }
  for (const path of witnesses) noted.push(...(await givenHeads(path)).map((head) => ({ ...head, path })));
  return noted;
}

async function givenHeads(path: string): Promise<RunHead[]> {
  const remedy = 'Name a report.json, report.html or report.xlsx of a run, or a heads-….txt.';
  const heads = await readWitnessFile(path).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal('usage', `${path} cannot be read: ${why}.`, remedy);
  });
  if (heads === null) throw new Refusal('usage', `${path} names no entry of a journal.`, remedy);
  return heads;
}

function sayDeleted(io: Io, head: Noted, json: boolean): number {
  const message = deletedText(head);
  const { runId, n, path } = head;
  const result = { run_id: runId, ok: false, entries: 0, head: null, altered_at: null, message };
  const exit = EXIT.person_needed;
  if (json) io.stdout(`${JSON.stringify({ ...result, witness: { path, entries: n, head: head.hash }, exit })}\n`);
  else io.stdout(`${message}\n`);
  return exit;
}

function deletedText({ runId, n, path }: Noted): string {
  return `Run ${runId} was deleted, or an older copy of the journal was put back: ${path} names ${n} entries of it.`;
}

function provenLine({ runId, verification }: Proof): string {
  return verification.ok
    ? `Run ${runId}: ${verification.entries} entries, none altered.`
    : `Run ${runId} was altered: ${printable(verification.message)}.`;
}

const NO_WITNESS =
  'No report.json or heads-….txt to compare with: only with one would a journal that was rewritten with all its hashes, or put back to an older copy, be found out.';

/** Null where the run's first entry cannot be read: then the journal is altered anyway. */
function reportDirectoryOf(journal: Journal, runId: string): string | null {
  try {
    for (const { entry } of journal.readRun(runId)) return entry.kind === 'run_created' ? entry.report_dir : null;
    return null;
  } catch (error) {
    if (error instanceof JournalDamaged) return null;
    throw error;
  }
}

function verificationJson({ runId, verification, report }: Proof): Record<string, unknown> {
  return {
    run_id: runId,
    ok: verification.ok,
    entries: verification.entries,
    head: verification.ok ? verification.head : null,
    altered_at: verification.ok ? null : verification.n,
    message: verification.ok ? null : verification.message,
    witness:
      report?.outcome === 'witness'
        ? { path: report.path, entries: report.witness.n, head: report.witness.hash }
        : null,
  };
}

function verificationText(proof: Proof, noted: readonly Noted[]): string {
  const { verification, report } = proof;
  if (!verification.ok) {
    const sound = verification.entries === 0 ? '' : `Entries 1 to ${verification.entries} are in order.\n`;
    return `${provenLine(proof)}\n${sound}`;
  }
  const also = noted.map(({ path, n }) => `${path} notes the same hash for entry ${n}.\n`);
  if (report?.outcome === 'witness')
    also.unshift(`${report.path} notes the same hash for entry ${report.witness.n}.\n`);
  return `${provenLine(proof)}\nhead ${verification.head}\n${also.join('') || `${NO_WITNESS}\n`}`;
}
