import { accessSync, constants, mkdirSync } from 'node:fs';
import type { RunCreated, RunRow } from '../../domain/entry.ts';
import type { KindAhead } from '../../domain/kind-of-payment.ts';
import { Refusal } from '../../domain/refusal.ts';
import { readInput } from '../../input/input.ts';
import type { ReadRow } from '../../input/read-options.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import { problemWords } from '../../messages/problems/problem-words.ts';
import { newRunId, RowGatherer } from '../../runner/plan/plan.ts';
import { openNamed } from '../check/check-file.ts';
import { openColumns } from '../check/column-knowledge.ts';
import { readOptions } from '../check/read-settings.ts';
import { readHistory } from '../compare/past-payouts.ts';
import { refuseCorrection } from './correction-file.ts';
import type { Gathered, Given } from './given.ts';
import type { Paying } from './repeats.ts';

const REPORT_DIR_DEFAULT = 'reports';
const POLL_EVERY_DEFAULT_MS = 1_000;
const WAIT_TIMEOUT_DEFAULT_MS = 7_200_000;

/** `has_problems`: they refuse the input, or no row of it can be paid. */
export type InputGathered = ({ outcome: 'gathered' } | { outcome: 'has_problems' }) & Gathered;

/**
 * Reads the whole input. Throws a `Refusal` as `refuseCorrection` does, unless it is read as corrections, and where reports
 * cannot be written (`usage`).
 */
export async function gatherInput(
  given: Given,
  chosen: ChosenInput,
  { isCorrection }: { isCorrection: boolean },
): Promise<InputGathered> {
  const { settings, profile } = given;
  if (!isCorrection) await refuseCorrection(chosen.path, given);
  const gatherer = new RowGatherer();
  const source = await openNamed(chosen.path, settings.fileName ?? null);
  const columns = openColumns(settings.dataDir, { ...given, forgetColumns: settings.forgetColumns });
  const read = await readInput(source, {
    ...readOptions(settings),
    history: await readHistory(settings.dataDir, profile),
    ...columns.read,
    onRow: (row) => gatherer.add(keptRow(row)),
  });
  const notes = columns.keep(read);
  const refuses = read.problemCounts.errors > 0 && !(settings.onlyValid && read.isWhole);
  if (refuses || read.payouts === 0) return { outcome: 'has_problems', chosen, read, columns: notes, entries: [] };
  requireFolder(settings.reportDir ?? REPORT_DIR_DEFAULT);
  return { outcome: 'gathered', chosen, read, columns: notes, entries: gatherer.finish() };
}

/** The row as the journal keeps it: with what is wrong in words. */
export function keptRow({ problem, ...row }: ReadRow): RunRow {
  if (problem === null) return { ...row, problem };
  const { message } = problemWords(problem, 'command_line');
  return { ...row, problem: { code: problem.code, message } };
}

/** The first entry of the run, but for what only the service or the plan can say. */
export function headerOf(
  { job, jobSource, period, settings, profile, clock, randomness }: Given,
  { read }: Gathered,
  { scope, repeats }: Pick<RunCreated, 'scope' | 'repeats'>,
): Omit<RunCreated, 'digest' | 'rehearsal'> {
  return {
    kind: 'run_created',
    run_id: newRunId(clock.wallMs(), randomness),
    input: read.input,
    job: job?.name ?? null,
    period: period?.key ?? null,
    profile,
    settings: {
      poll_every_ms: settings.pollEvery ?? POLL_EVERY_DEFAULT_MS,
      wait_timeout_ms: settings.waitTimeout ?? WAIT_TIMEOUT_DEFAULT_MS,
    },
    payouts: read.payouts,
    scope,
    report_dir: settings.reportDir ?? REPORT_DIR_DEFAULT,
    repeats,
    retries: null,
    corrections_sha256: null,
    job_source: jobSource,
  };
}

/** Found out before anybody is paid, not after. */
function requireFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal(
      'usage',
      `Reports cannot be written to ${path}: ${why}.`,
      'Name a folder with --report-dir.',
      {},
      { code: 'set_up', part: 'reports_folder' },
    );
  }
}

/** What is about to be paid, to be compared with what was. */
export function payingOf({ job, period }: Given, { chosen, read }: Gathered, kind: KindAhead): Paying {
  const { sha256 } = read.input;
  return { input: chosen, sha256, job: job?.name ?? null, period: period?.key ?? null, kind };
}
