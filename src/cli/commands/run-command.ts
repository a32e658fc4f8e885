import { accessSync, constants, mkdirSync } from 'node:fs';
import process from 'node:process';
import type { Entry, RunCreated } from '../../domain/entry.ts';
import type { Log } from '../../domain/log.ts';
import { formatForPeople, type Money } from '../../domain/money.ts';
import type { Profile } from '../../domain/profile.ts';
import { assert, Refusal } from '../../domain/refusal.ts';
import { applyToRun, newRun, type RunState } from '../../domain/run.ts';
import { openFile } from '../../input/file.ts';
import { type ReadResult, readInput } from '../../input/input.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Job } from '../../job/job.ts';
import type { CreateRun, Journal, RunWriter } from '../../journal/journal.ts';
import type { SigningKey } from '../../keys/ed25519.ts';
import type { CommandLine } from '../../report/command-line.ts';
import type { HintSource } from '../../runner/hinted.ts';
import { newRunId, RowGatherer } from '../../runner/plan.ts';
import { preflight } from '../../runner/preflight.ts';
import { commandsFor } from '../command-hints.ts';
import { machineClock, machineRandomness, openDataJournal, openLog } from '../compose.ts';
import { connect, readSigningKey } from '../connect.ts';
import { executeAndReport } from '../execution.ts';
import { EXIT } from '../exit.ts';
import { readOptions } from '../input-settings.ts';
import { keepingRun } from '../lost-run.ts';
import { inputOf, jobText, readNamedJob } from '../named-input.ts';
import { jobHeld } from '../open-run.ts';
import { passedOver } from '../passed-over.ts';
import { readHistory } from '../past-payouts.ts';
import { groupsJson } from '../problem-text.ts';
import { readProfile } from '../profile.ts';
import { refuseRepeat, repeatRefusal } from '../repeats.ts';
import { openSayings } from '../said-columns.ts';
import { readSettings, type Settings } from '../settings.ts';
import { type Io, processIo } from '../terminal.ts';
import { noteOf, readWebhookKeys, whileReceiving } from '../webhooks.ts';
import { checkText, mappingJson, unnamedRailsText } from './check-run.ts';

const REPORT_DIR_DEFAULT = 'reports';
const POLL_EVERY_DEFAULT_MS = 1_000;
const WAIT_TIMEOUT_DEFAULT_MS = 7_200_000;

/**
 * `payrun run FILE|JOB`: everything that can be refused is refused before anything is created at the service, in the order
 * job, options, key file, input, earlier runs, service, balance, consent.
 */
export async function runRun(options: Record<string, unknown>): Promise<void> {
  const named = String(options.input);
  const job = await readNamedJob(named);
  const settings = readSettings(options, process.env, job);
  const io = processIo(process.env);
  const profile = readProfile(settings, process.env, job);
  const key = readSigningKey(profile);
  const keys = readWebhookKeys(profile, process.env);
  const chosen = await inputOf(named, job);
  if (job !== null) noteOf(io, settings)(jobText(job, chosen));
  const gathered = await gather(chosen.path, job, profile, settings, io);
  if (gathered === null) return;
  requireFolder(settings.reportDir ?? REPORT_DIR_DEFAULT);
  const journal = openDataJournal(settings.dataDir);
  const { log, flush } = openLog(settings.dataDir, settings.logLevel);
  try {
    const holder = job === null ? null : journal.jobHolder(job.name);
    if (job !== null && holder !== null) throw jobHeld(job.name, holder);
    const over = await passedOver(chosen, journal);
    if (over !== null) io.stderr(`${over}\n`);
    const repeats = refuseRepeat(journal.runsOfInput(gathered.read.input.sha256), settings, chosen);
    const receiving = { webhooks: profile.webhooks, keys, journal, log, note: noteOf(io, settings) };
    await whileReceiving(receiving, (hints) =>
      pay({ job, chosen, profile, key, settings, io, gathered, repeats, journal, log, hints }),
    );
  } finally {
    flush();
    journal.close();
  }
}

/** From the service's first answer to the report. Sets the process's exit code. */
async function pay(options: {
  job: Job | null;
  chosen: ChosenInput;
  profile: Profile;
  key: SigningKey | null;
  settings: Settings;
  io: Io;
  gathered: Gathered;
  repeats: string | null;
  journal: Journal;
  log: Log;
  hints: HintSource | null;
}): Promise<void> {
  const { job, chosen, profile, key, settings, io, gathered, repeats, journal, log, hints } = options;
  const { read, digest } = gathered;
  const entries = [...gathered.entries];
  // A person who lets a file be paid again knows that payments like its rows are at the service.
  if (settings.allowRepeat !== undefined) entries.push({ kind: 'accounted' });
  const connection = await connect({ profile, key, dataDir: settings.dataDir, log });
  const { client, scope } = connection;
  try {
    const totals = read.totals.map(({ minor, currency }): Money => ({ minor, currency }));
    const { isRehearsal } = await preflight(client, machineClock, totals);
    await consent(io, settings, read, totals, isRehearsal);
    const header: RunCreated = {
      kind: 'run_created',
      run_id: newRunId(machineClock.wallMs(), machineRandomness),
      input: read.input,
      job: job?.name ?? null,
      period: null,
      period: null,
      rehearsal: isRehearsal,
      profile,
      settings: {
        poll_every_ms: settings.pollEvery ?? POLL_EVERY_DEFAULT_MS,
        wait_timeout_ms: settings.waitTimeout ?? WAIT_TIMEOUT_DEFAULT_MS,
      },
      digest,
      payouts: read.payouts,
      scope,
      report_dir: settings.reportDir ?? REPORT_DIR_DEFAULT,
      repeats,
    };
    const refuseRepeat = settings.allowRepeat === undefined;
    const command = commandsFor(settings);
    process.exitCode = await keepingRun(header.run_id, command, async () => {
      const writer = await create(journal, { header, rows: entries, refuseRepeat }, command, chosen);
      const run = foldNew(journal, [header, ...entries]);
      const reading = { inferred_rails: read.inferredRails, ...mappingJson(read) };
      return executeAndReport({ run, journal, writer, client, log, io, settings, hints, reading });
    });
  } finally {
    await connection.close();
  }
}

type Gathered = { read: ReadResult; entries: Entry[]; digest: string };

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

/** Reads the whole input. Null where its problems refuse it: they are printed and the exit code is set. */
async function gather(
  path: string,
  job: Job | null,
  profile: Profile,
  settings: Settings,
  io: Io,
): Promise<Gathered | null> {
  const gatherer = new RowGatherer();
  const source = await openFile(path);
  const sayings = openSayings(settings, io, job);
  const read = await readInput(source, {
    ...readOptions(settings),
    history: await readHistory(settings.dataDir, profile),
    ...sayings.read,
    onRow: (row) => gatherer.add(row),
  });
  sayings.keep(read);
  const refuses = read.problemCounts.errors > 0 && !(settings.onlyValid && read.isWhole);
  if (!refuses && read.payouts > 0) {
    if (read.problems.length > 0 && !settings.json && !settings.quiet) {
      io.stderr(checkText(read, { quiet: false, colour: io.colour }));
    }
    return { read, ...gatherer.finish(read.input.sha256) };
  }
  process.exitCode = EXIT.input;
  if (settings.json) {
    const { name, sha256, bytes } = read.input;
    io.stdout(
      `${JSON.stringify({ run_id: null, state: 'refused', input: { name, sha256, bytes }, problems: read.problems, groups: groupsJson(read), ...mappingJson(read), exit: EXIT.input })}\n`,
    );
    return null;
  }
  io.stdout(checkText(read, { quiet: settings.quiet, colour: io.colour }));
  const isRestPayable = read.isWhole && read.payouts > 0;
  io.stderr(
    `Nothing was sent. Mend the file${isRestPayable ? ', or pay the rows without problems with --only-valid' : ''}.\n`,
  );
  return null;
}

/** The fold of a run that was written just now: what was written is at hand, and only its time is read back. */
function foldNew(journal: Journal, entries: Entry[]): RunState {
  const [header] = entries;
  assert(header?.kind === 'run_created', 'a run begins with its creation');
  const written = journal.runsOfInput(header.input.sha256).find(({ run_id }) => run_id === header.run_id);
  assert(written, 'a new run is in the journal');
  const run = newRun();
  for (const entry of entries) applyToRun(run, entry, written.created_at);
  return run;
}

async function create(journal: Journal, run: CreateRun, command: CommandLine, chosen: ChosenInput): Promise<RunWriter> {
  const created = await journal.createRun(run);
  if (created.outcome === 'repeats') throw repeatRefusal(created.runId, command, chosen);
  if (created.outcome === 'job_held') throw jobHeld(run.header.job ?? '', created);
  return created.writer;
}

/** Shows what will be paid and asks. Without a terminal a question is a refusal. */
async function consent(
  io: Io,
  settings: Settings,
  read: ReadResult,
  totals: Money[],
  isRehearsal: boolean,
): Promise<void> {
  if (settings.yes) {
    if (!settings.quiet && !settings.json) for (const line of unnamedRailsText(read)) io.stderr(`${line}\n`);
    return;
  }
  const sums = totals.map(formatForPeople).join(', ');
  const what = [`${read.payouts} payouts from ${read.input.name}: ${sums}`, ...unnamedRailsText(read)].join('; ');
  if (!io.isInteractive) {
    throw new Refusal(
      'refused',
      `Not confirmed: ${what}. Nothing was sent.`,
      'Without a terminal, confirm with --yes.',
    );
  }
  io.stderr(`${isRehearsal ? 'REHEARSAL: no money moves\n' : ''}Will pay ${what}.\n`);
  const answer = await io.ask(`Type ${read.payouts} to pay: `);
  if (answer?.trim() === String(read.payouts)) return;
  throw new Refusal('refused', 'Not confirmed. Nothing was sent.', 'Run it again and type the number of payouts.');
}
