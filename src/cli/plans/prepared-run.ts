import { accessSync, constants, mkdirSync } from 'node:fs';
import process from 'node:process';
import { openNamed } from '../../app/check/check-file.ts';
import { groupsOf, mappingOf } from '../../app/check/check-result.ts';
import { openColumns } from '../../app/check/column-knowledge.ts';
import { readOptions } from '../../app/check/read-settings.ts';
import { readHistory } from '../../app/compare/past-payouts.ts';
import type { Entry, RunCreated } from '../../domain/entry.ts';
import type { KindAhead } from '../../domain/kind-of-payment.ts';
import type { Profile } from '../../domain/profile.ts';
import { Refusal } from '../../domain/refusal.ts';
import { readExplicitColumns } from '../../input/header/column-mapping.ts';
import { type ReadResult, readInput } from '../../input/input.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Job } from '../../job/job.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import { machineClock, machineRandomness } from '../../platform/machine.ts';
import { newRunId, RowGatherer } from '../../runner/plan/plan.ts';
import { checkText } from '../commands/check/check-text.ts';
import { readSigningKey } from '../connection/connect.ts';
import { readProfile } from '../connection/profile.ts';
import { noteOf } from '../connection/webhooks.ts';
import { EXIT } from '../exit.ts';
import { refuseCorrection } from '../input/correction-file.ts';
import { columnsText } from '../input/explicit-columns.ts';
import { type JobPeriod, periodOfRun } from '../jobs/job-period.ts';
import { sourceOf } from '../jobs/job-today.ts';
import { inputOf, jobText, readNamedJob } from '../jobs/named-input.ts';
import type { Paying } from '../paid/repeats.ts';
import { readSettings, type Settings } from '../settings.ts';
import { type Io, processIo } from '../terminal.ts';

const REPORT_DIR_DEFAULT = 'reports';
const POLL_EVERY_DEFAULT_MS = 1_000;
const WAIT_TIMEOUT_DEFAULT_MS = 7_200_000;

/** What the command line, the environment and the job say of a run or a plan. */
export type Given = {
  job: Job | null;
  /** The period of the job that it pays; null where it pays none. */
  period: JobPeriod | null;
  settings: Settings;
  io: Io;
  profile: Profile;
  key: SigningKey | null;
};

/** The input, read. */
export type Gathered = { chosen: ChosenInput; read: ReadResult; entries: Entry[] };

/**
 * Reads job, options and key file: what can be refused without the input is refused before it. Throws a `Refusal`
 * (`usage`) or a `KeyFileError`.
 */
export async function openGiven(options: Record<string, unknown>): Promise<Given> {
  const job = await readNamedJob(String(options.input));
  const settings = readSettings(options, process.env, job);
  const io = processIo(process.env);
  const profile = readProfile(settings, process.env, job);
  const period = await periodOfRun(job, settings.period, machineClock.wallMs());
  return { job, period, settings, io, profile, key: readSigningKey(profile) };
}

/**
 * Reads the whole input, the one that is named or the job's. Null where its problems refuse it: they are printed and the
 * exit code is set. With `showsChanges` the caller shows changed bank details itself, before anything is confirmed. Throws
 * a `Refusal` as `refuseCorrection` does, unless it is read as corrections.
 */
export async function gather(
  named: string,
  { job, period, settings, io, profile }: Given,
  { showsChanges = false, isCorrection = false } = {},
): Promise<Gathered | null> {
  const chosen = await inputOf(named, job, settings.file);
  if (!isCorrection) await refuseCorrection(chosen.path, settings);
  if (job !== null) noteOf(io, settings)(jobText(job, chosen, period));
  const gatherer = new RowGatherer();
  const source = await openNamed(chosen.path, settings.fileName ?? null);
  const { dataDir, forgetColumns } = settings;
  const columns = openColumns(dataDir, { job, columns: readExplicitColumns(settings.column ?? []), forgetColumns });
  const read = await readInput(source, {
    ...readOptions(settings),
    history: await readHistory(settings.dataDir, profile),
    ...columns.read,
    onRow: (row) => gatherer.add(row),
  });
  io.stderr(columnsText(columns.keep(read), job));
  const refuses = read.problemCounts.errors > 0 && !(settings.onlyValid && read.isWhole);
  if (refuses || read.payouts === 0) {
    refuseInput(read, settings, io);
    return null;
  }
  if (read.problems.length > 0 && !settings.json && !settings.quiet) {
    const problemGroups = read.problemGroups.filter(({ code }) => !showsChanges || code !== 'account_changed');
    io.stderr(checkText({ ...read, problemGroups }, { quiet: false, colour: io.colour }));
  }
  requireFolder(settings.reportDir ?? REPORT_DIR_DEFAULT);
  return { chosen, read, entries: gatherer.finish() };
}

/** The first entry of the run, but for what only the service or the plan can say. */
export function headerOf(
  { job, period, settings, profile }: Given,
  { read }: Gathered,
  { scope, repeats }: Pick<RunCreated, 'scope' | 'repeats'>,
): Omit<RunCreated, 'digest' | 'rehearsal'> {
  return {
    kind: 'run_created',
    run_id: newRunId(machineClock.wallMs(), machineRandomness),
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
    job_source: job && sourceOf(job),
  };
}

function refuseInput(read: ReadResult, settings: Settings, io: Io): void {
  process.exitCode = EXIT.input;
  if (settings.json) {
    const { name, sha256, bytes } = read.input;
    io.stdout(
      `${JSON.stringify({ run_id: null, state: 'refused', input: { name, sha256, bytes }, problems: read.problems, groups: groupsOf(read), ...mappingOf(read), exit: EXIT.input })}\n`,
    );
    return;
  }
  io.stdout(checkText(read, { quiet: settings.quiet, colour: io.colour }));
  const isRestPayable = read.isWhole && read.payouts > 0;
  io.stderr(
    `Nothing was sent. Mend the file${isRestPayable ? ', or pay the rows without problems with --only-valid' : ''}.\n`,
  );
}

/** Found out before anybody is paid, not after. */
function requireFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal('usage', `Reports cannot be written to ${path}: ${why}.`, 'Name a folder with --report-dir.');
  }
}

/** What is about to be paid, to be compared with what was. */
export function payingOf({ job, period }: Given, { chosen, read }: Gathered, kind: KindAhead): Paying {
  return { input: chosen, sha256: read.input.sha256, job: job?.name ?? null, period: period?.key ?? null, kind };
}
