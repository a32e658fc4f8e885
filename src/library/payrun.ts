import { approvalsAt } from '../app/approve/approvals.ts';
import { type ApprovedBy, approvePlan } from '../app/approve/approve.ts';
import { checkFile } from '../app/check/check-file.ts';
import { type CheckResult, checkResultOf } from '../app/check/check-result.ts';
import { gatherInput } from '../app/plan/gather.ts';
import { planInput } from '../app/plan/make-plan.ts';
import type { PlanResult } from '../app/plan/plan-result.ts';
import { planResultOf } from '../app/plan/plan-result.ts';
import { preparationOf } from '../app/plan/preparer.ts';
import { type ReportWritten, writeReport } from '../app/report/write-report.ts';
import { executedHere } from '../app/run/beginning.ts';
import { resumeRun } from '../app/run/resume.ts';
import type { ExecutedRun, RunDeps } from '../app/run/run-deps.ts';
import type { RunResult } from '../app/run/run-result.ts';
import { startPlan } from '../app/run/start-plan.ts';
import { refusalIn } from '../app/runs/known-run.ts';
import type { ShowResult } from '../app/show/show-result.ts';
import { readShownRun } from '../app/show/shown-run.ts';
import { type JournalVerified, type RunVerified, verifyJournal, verifyRun } from '../app/verify/verify.ts';
import { placeFor } from '../compose/command-hints.ts';
import { approvalOf, openGiven, policyPlace } from '../compose/given.ts';
import { type Here, type LoggedHere, withJournal, withLoggedJournal } from '../compose/machine/here.ts';
import { makerHere, NO_OUTPUT, notifyHere, unseen } from '../compose/machine/notifying.ts';
import { inputOf, readExplicitColumns, readNamedJob } from '../compose/named-input.ts';
import { actorHere, personHere } from '../compose/person.ts';
import { planDeps, runDeps, startDeps } from '../compose/run-deps.ts';
import { DATA_DIR_DEFAULT, readSettings, type Settings } from '../compose/settings.ts';
import { passphraseIn } from '../compose/unlock-key.ts';
import { Refusal } from '../domain/refusal.ts';
import type { RefusalKind } from '../domain/refusals/kinds.ts';
import type { RefusalCode } from '../domain/refusals/reason.ts';
import type { RunEnding } from '../domain/run/ending.ts';
import { messages } from '../messages/messages.ts';
import { machineClock } from '../platform/machine.ts';
import type { ProgressSnapshot } from '../report/model/pace.ts';
import { REPORT_FORMATS, type ReportFormat } from '../report/report-text.ts';
import type { InputOptions, PayrunOptions } from './options.ts';

/** Why nothing was done, and what to do about it: `kind` for programs, the other two for people. */
export type Refused = {
  outcome: 'refused';
  kind: RefusalKind;
  message: string;
  remedy: string;
  details: Record<string, unknown>;
};

export type Checked = { outcome: 'checked'; check: CheckResult };

/** A plan waits in the journal until `run` starts it; nothing was sent. */
export type Planned = { outcome: 'planned'; plan: PlanResult };

/** Nothing was planned: `check` names what is wrong in which cell. */
export type HasProblems = { outcome: 'has_problems'; check: CheckResult };

export type Approved = { outcome: 'approved'; approvalsMissing: number; rowsToApprove: number[] };

/** Why a plan was not approved, by its code, with what is known of it. */
export type NotApproved = { outcome: RefusalCode } & Readonly<Record<string, unknown>>;

/** A run that was worked on until it was final, or had to stop. `ending`: what is left to be done. */
export type Ran = { outcome: 'ended'; ending: RunEnding; run: RunResult };

export type Shown = { outcome: 'shown'; run: ShowResult };

/** How a run stands, and what it is doing in words. */
export type Progress = Omit<ProgressSnapshot, 'phase'> & { phase: string };

/** How a run is started or gone on with. */
export type RunOptions = {
  /** Called ten times a second while the run is under way. */
  onProgress?: (progress: Progress) => void;
  /** Once it is aborted nothing more is submitted; what is in flight is settled, and the run can be resumed. */
  stop?: AbortSignal;
};

/**
 * payrun on one data directory. Expected outcomes are returned, never thrown; what is thrown is a bug, and what was sent
 * until then is in the journal.
 */
export class Payrun {
  readonly #options: PayrunOptions;
  readonly #settings: Settings;

  /** Throws a `Refusal` (kind `usage`) for options that cannot be read. */
  constructor(options: PayrunOptions = {}) {
    this.#options = options;
    this.#settings = settingsOf(options);
  }

  /** Parses and validates a spreadsheet, or the input of a job (its name, or its `.yaml`). Nothing is sent or written. */
  check(input: string, options: InputOptions = {}): Promise<Checked | Refused> {
    return refusing(this.#settings, async () => ({ outcome: 'checked', check: await this.#check(input, options) }));
  }

  /** Writes a plan of the spreadsheet or job: what would be paid, to whom, and what it would cost. Nothing is sent. */
  plan(
    input: string,
    { stop = NEVER, ...options }: InputOptions & { stop?: AbortSignal } = {},
  ): Promise<Planned | HasProblems | Refused> {
    return refusing(this.#settings, async () => {
      const given = await openGiven({ ...this.#options, ...options, input, quiet: true }, {});
      const { job, settings } = given;
      const policy = await approvalOf(job?.approval ?? null, settings);
      const maker = makerHere(settings.as, () => passphraseIn(settings.passphraseFile ?? ''));
      const preparation = await preparationOf(policy, maker, policyPlace(job, settings));
      const gathered = await gatherInput(given, await inputOf(input, job, settings.file));
      if (gathered.outcome === 'has_problems')
        return { outcome: 'has_problems', check: await this.#check(input, options) };
      return withLoggedJournal(settings, async (opened) => {
        const here = { ...opened, io: NO_OUTPUT };
        const by = { actor: actorHere(), stop, notify: notifyHere({ ...here, stop }) };
        const deps = planDeps(here, given, by);
        const { plan, draft, older } = await planInput(deps, { given, gathered, preparation, yieldsToApproved: false });
        return { outcome: 'planned', plan: planResultOf(plan, draft.read.problems, older) };
      });
    });
  }

  /**
   * Signs a plan with the encrypted key of an approver. `digest` is that of the plan as it was shown to them; `rows`: those
   * that they approve by themselves.
   */
  approve(
    runId: string,
    given: { digest: string; keyFile: string; passphrase: string; rows?: readonly number[] },
  ): Promise<Approved | NotApproved | Refused> {
    return this.#withJournal(async (here) => {
      const by: ApprovedBy = { account: personHere(), person: {} };
      try {
        const { run } = await approvePlan(here, { rows: [], ...given, runId, by });
        const { missing, rowsMissing } = approvalsAt(run, machineClock.wallMs(), await here.withdrawals(run));
        return { outcome: 'approved', approvalsMissing: missing, rowsToApprove: [...rowsMissing] };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const { code: outcome, ...why } = error.reason;
        return { outcome, ...why } as NotApproved;
      }
    });
  }

  /** Starts a plan and pays it: each row once, whatever happens to this process. */
  run(runId: string, options: RunOptions & { onlyValid?: boolean; allowRepeat?: string } = {}): Promise<Ran | Refused> {
    const { onlyValid = false, allowRepeat } = options;
    const start = { runId, onlyValid, allowRepeat };
    return this.#executed(options, (deps) => startPlan(startDeps(deps, this.#settings), start, executedHere(deps)));
  }

  /** Goes on with a run that stopped, from its journal alone. */
  resume(runId: string, options: RunOptions & { resubmitAbsent?: boolean } = {}): Promise<Ran | Refused> {
    const { resubmitAbsent = false } = options;
    return this.#executed(options, (deps) => resumeRun(deps, { runId, resubmitAbsent }));
  }

  /** A run with the state of each payout, or a plan. Account numbers are masked. */
  show(runId: string): Promise<Shown | Refused> {
    return this.#withJournal(async (here) => {
      return { outcome: 'shown', run: await readShownRun(here, runId, here.command) };
    });
  }

  /** Writes the report of a run, finished or not: into `directory`, or where the run puts its reports. */
  report(
    runId: string,
    {
      directory = null,
      formats = REPORT_FORMATS,
    }: { directory?: string | null; formats?: readonly ReportFormat[] } = {},
  ): Promise<ReportWritten | Refused> {
    const into = directory ?? this.#settings.reportDir ?? null;
    return this.#withJournal((here) => writeReport(here, { runId, directory: into, formats }));
  }

  /** Whether the journal of a run is as it was written, by its hashes and by what reports noted of it. */
  verify(runId: string, witnesses: readonly string[] = []): Promise<RunVerified | Refused> {
    const { reportDir } = this.#settings;
    return this.#withJournal(({ journal }) => verifyRun(journal, runId, { reportDir, witnesses }));
  }

  /** The same of the whole journal. */
  verifyAll(witnesses: readonly string[] = []): Promise<JournalVerified | Refused> {
    const { reportDir } = this.#settings;
    return this.#withJournal(({ journal }) => verifyJournal(journal, { reportDir, witnesses }));
  }

  async #check(input: string, options: InputOptions): Promise<CheckResult> {
    const job = await readNamedJob(input);
    const settings = settingsOf({ ...this.#options, ...options }, job);
    const { path } = await inputOf(input, job, settings.file);
    const columns = readExplicitColumns(settings.column ?? []);
    const file = { path, name: settings.fileName ?? null, job, settings, columns };
    const { dataDir, database } = settings;
    const deps = { dataDir, database, clock: machineClock };
    const { read } = await checkFile(deps, {
      ...file,
      entity: file.settings.entity,
      forgetColumns: false,
      corrects: null,
      copy: null,
    });
    return checkResultOf(read);
  }

  #executed(
    { onProgress = () => {}, stop = NEVER }: RunOptions,
    work: (deps: RunDeps) => Promise<ExecutedRun>,
  ): Promise<Ran | Refused> {
    const settings = this.#settings;
    const execute = async (opened: LoggedHere): Promise<Ran> => {
      const here = { ...opened, io: NO_OUTPUT };
      const inWords = ({ phase, ...progress }: ProgressSnapshot) =>
        onProgress({ phase: messages.pace.STEPS[phase], ...progress });
      const watch = () => ({ ...unseen(stop), onProgress: inWords });
      const seen = { actor: actorHere(), isSeen: false, notify: notifyHere({ ...here, stop }), watch };
      const { ending, result } = await work(runDeps(here, seen));
      return { outcome: 'ended', ending, run: result };
    };
    return refusing(settings, () => withLoggedJournal(settings, execute));
  }

  #withJournal<Result>(work: (here: Here) => Promise<Result>): Promise<Result | Refused> {
    return refusing(this.#settings, () => withJournal(this.#settings, work));
  }
}

const NEVER = new AbortController().signal;

/** Throws a `Refusal` whose message is the sentence: a program that was written wrongly shows it as it is. */
function settingsOf(options: Record<string, unknown>, job: Parameters<typeof readSettings>[2] = null): Settings {
  try {
    return readSettings({ ...options, quiet: true }, {}, job);
  } catch (error) {
    if (error instanceof Refusal)
      error.message = messages.refusals.refusalText(error, placeFor({ dataDir: DATA_DIR_DEFAULT })).message;
    throw error;
  }
}

async function refusing<Result>(settings: Settings, work: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    return { outcome: 'refused', ...messages.refusals.refusalText(refusal, placeFor(settings)) };
  }
}
