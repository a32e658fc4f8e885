import { accessSync, constants, mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { RunCreated, RunRow } from '../../domain/entry.ts';
import { Refusal } from '../../domain/refusal.ts';
import { runToCorrect } from '../../input/corrections/correction-sheet.ts';
import { readInput } from '../../input/input.ts';
import type { ReadRow } from '../../input/read-options.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import { type JournalPlace, journalOf, openJournalToRead } from '../../journal/open.ts';
import { RowGatherer } from '../../runner/plan/plan.ts';
import { openNamed } from '../check/check-file.ts';
import { openColumns } from '../check/column-knowledge.ts';
import { readOptions } from '../check/read-settings.ts';
import { readHistory } from '../compare/past-payouts.ts';
import { limitsOf } from '../limits/limits.ts';
import type { Gathered, Given } from './given.ts';

export const REPORT_DIR_DEFAULT = 'reports';

/** The newest runs among which the one is looked for whose rows a sheet corrects. */
const RUNS_MAX = 100_000;

/** `has_problems`: they refuse the input, or no row of it can be paid. */
export type InputGathered = { outcome: 'gathered' | 'has_problems' } & Gathered;

/**
 * Reads the whole input; `corrects`: as rows that correct those of this run. Throws a `Refusal`: `sheet_of_run` for rows of a run that are
 * to be corrected, unless it is read as corrections, and `usage` where the limits of the job cannot be read or reports cannot be written.
 */
export async function gatherInput(
  given: Given,
  chosen: ChosenInput,
  { corrects = null }: { corrects?: RunCreated | null } = {},
): Promise<InputGathered> {
  const { settings, profile } = given;
  const payer = corrects ?? { entity: settings.entity, job: given.job?.name ?? null };
  const limits = limitsOf(given.job);
  if (corrects === null) await refuseCorrection(chosen.path, given);
  const gatherer = new RowGatherer();
  const source = await openNamed(chosen.path, settings.fileName ?? null, given.edits);
  const columns = openColumns(settings.dataDir, { ...given, forgetColumns: settings.forgetColumns });
  const read = await readInput(source, {
    ...readOptions(settings),
    history: await readHistory(settings, payer, profile),
    ...columns.read,
    onRow: (row) => gatherer.add(keptRow(row)),
  });
  const gathered = { chosen, read, columns: columns.keep(read), limits };
  const refuses = read.problemCounts.errors > 0 && !(settings.onlyValid && read.isWhole);
  if (refuses || read.payouts === 0) return { outcome: 'has_problems', ...gathered, entries: [] };
  requireFolder(settings.reportDir ?? REPORT_DIR_DEFAULT);
  return { outcome: 'gathered', ...gathered, entries: gatherer.finish() };
}

/** The row as the journal keeps it: of what is wrong, the code and its parameters. */
export function keptRow({ problem, ...row }: ReadRow): RunRow {
  return { ...row, problem: problem && { code: problem.code, params: problem.params } };
}

/**
 * Rows of a run that are to be corrected, paid as payouts of their own, could be paid once more by a retry of the run. Who
 * allows a repeat pays them all the same.
 */
async function refuseCorrection(path: string, { settings }: Given): Promise<void> {
  if (settings.allowRepeat !== undefined) return;
  const runId = await runToCorrect({ name: settings.fileName ?? basename(path), path });
  if (runId === null || !(await isKnown(runId, settings))) return;
  throw new Refusal({ code: 'sheet_of_run', path, runId });
}

async function isKnown(runId: string, place: JournalPlace): Promise<boolean> {
  const reader = await openJournalToRead(journalOf(place));
  if (reader === null) return false;
  try {
    return (await reader.listStartedRuns(RUNS_MAX)).some(({ run_id }) => run_id === runId);
  } finally {
    await reader.close();
  }
}

/** Found out before anybody is paid, not after. */
function requireFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Refusal({ code: 'reports_not_writable', path, cause });
  }
}
