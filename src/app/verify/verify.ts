import type { JournalDamage } from '../../domain/outcomes/journal-damage.ts';
import type { Verification } from '../../journal/errors.ts';
import { type Journal, JournalDamaged, type RunHead } from '../../journal/journal.ts';
import {
  headsFilesIn,
  notContained,
  type ReportWitness,
  readHeads,
  readWitness,
  readWitnessFile,
} from '../../report/witness.ts';

export type VerifyInput = {
  /** Where reports and heads are looked for; undefined or null for where the runs put them. */
  reportDir?: string | null | undefined;
  /** Reports and files of heads that the journal is compared with too. */
  witnesses?: readonly string[];
  /** Only the journal: its runs may have gone on in another one, and so be further in their reports. */
  isAlone?: boolean;
};

/** How far a run went, by a file outside of the journal. */
export type NotedHead = RunHead & { path: string };

/** What the journal proves of one run, and what its report notes. `report` is null where no directory is known. */
export type RunProof = { runId: string; verification: Verification; report: ReportWitness | null };

/** `error` is the system's, in English; null where the file could be read and names no entry. */
export type BadWitness = { outcome: 'bad_witness'; path: string; error: string | null };

export type RunVerified =
  | ({ outcome: 'verified'; noted: NotedHead[] } & RunProof)
  /** Nothing is in the journal of a run that a file outside names. */
  | { outcome: 'deleted'; noted: NotedHead }
  | { outcome: 'unknown_run' }
  | BadWitness;

export type JournalVerified =
  | {
      outcome: 'verified';
      isWhole: boolean;
      proofs: RunProof[];
      deleted: NotedHead[];
      /** What is wrong beside the runs. */
      faults: JournalDamage[];
      /** The files that the journal was compared with. */
      witnesses: string[];
    }
  | BadWitness;

/** Where reports go by default. */
const REPORTS = 'reports';

/**
 * Whether a run's journal is as it was written, against every head of it that is kept outside: of the run's `report.json`,
 * of the files of heads beside it, of `witnesses`.
 */
export async function verifyRun(journal: Journal, runId: string, input: VerifyInput = {}): Promise<RunVerified> {
  const noted = await notedHeads(journal, input);
  if ('outcome' in noted) return noted;
  const ofRun = noted.filter((head) => head.runId === runId);
  if ((await journal.head(runId)) === null) {
    const [deleted] = ofRun;
    return deleted === undefined ? { outcome: 'unknown_run' } : { outcome: 'deleted', noted: deleted };
  }
  return { outcome: 'verified', noted: ofRun, ...(await prove(journal, runId, ofRun, input)) };
}

/** The same of every run, and of runs that were deleted. */
export async function verifyJournal(journal: Journal, input: VerifyInput = {}): Promise<JournalVerified> {
  const noted = await notedHeads(journal, input);
  if ('outcome' in noted) return noted;
  const faults = await journal.faults();
  const proofs: RunProof[] = [];
  for (const { runId } of await journal.heads()) {
    const ofRun = noted.filter((head) => head.runId === runId);
    proofs.push(await prove(journal, runId, ofRun, input));
  }
  const known = new Set(proofs.map(({ runId }) => runId));
  const unknown = noted.filter(({ runId }) => !known.has(runId));
  const deleted = [...new Map(unknown.map((head) => [head.runId, head])).values()];
  const isWhole = faults.length + deleted.length === 0 && proofs.every(({ verification }) => verification.ok);
  const witnesses = [...new Set(noted.map(({ path }) => path))];
  return { outcome: 'verified', isWhole, proofs, deleted, faults, witnesses };
}

/** Every chain is proven before its other hashes are compared: only then do they prove anything. */
async function prove(
  journal: Journal,
  runId: string,
  noted: readonly NotedHead[],
  { reportDir, isAlone = false }: VerifyInput,
): Promise<RunProof> {
  const directory = isAlone ? null : (reportDir ?? (await reportDirectoryOf(journal, runId)));
  const report = directory === null ? null : await readWitness(directory, runId);
  const verification = await journal.verifyRun(runId, report?.outcome === 'witness' ? report.witness : null);
  const [against] = verification.ok ? await notContained(journal, noted) : [];
  if (!verification.ok || against === undefined) return { runId, verification, report };
  const { n, path } = against;
  const { entries } = verification;
  const damage: JournalDamage =
    n > entries ? { code: 'entries_gone', from: entries + 1, to: n, path } : { code: 'entry_not_as_noted', n, path };
  return { runId, verification: { ok: false, entries, n, damage }, report };
}

/** What is kept outside of the journal about its runs. Files of heads beside the reports of another journal prove nothing. */
async function notedHeads(
  journal: Journal,
  { reportDir, witnesses = [], isAlone = false }: VerifyInput,
): Promise<NotedHead[] | BadWitness> {
  if (isAlone) return [];
  const noted: NotedHead[] = [];
  const runs = new Set((await journal.heads()).map(({ runId }) => runId));
  const directories = new Set<string | null>(reportDir ? [reportDir] : []);
  if (!reportDir) for (const runId of runs) directories.add(await reportDirectoryOf(journal, runId));
  for (const directory of directories) {
    for (const path of await headsFilesIn(directory ?? REPORTS)) {
      const heads = await readHeads(path);
      if (heads === null || heads === 'unreadable' || !heads.some(({ runId }) => runs.has(runId))) continue;
      noted.push(...heads.map((head) => ({ ...head, path })));
    }
  }
  for (const path of witnesses) {
    const heads = await readWitnessFile(path).catch((error: unknown) =>
      error instanceof Error ? error : String(error),
    );
    if (heads === null) return { outcome: 'bad_witness', path, error: null };
    if (!Array.isArray(heads))
      return { outcome: 'bad_witness', path, error: heads instanceof Error ? heads.message : heads };
    noted.push(...heads.map((head) => ({ ...head, path })));
  }
  return noted;
}

/** Null where the run's first entry cannot be read: then the journal is altered anyway. */
async function reportDirectoryOf(journal: Journal, runId: string): Promise<string | null> {
  try {
    for await (const [first] of journal.readRun(runId))
      return first?.entry.kind === 'run_created' ? first.entry.report_dir : null;
    return null;
  } catch (error) {
    if (error instanceof JournalDamaged) return null;
    throw error;
  }
}
