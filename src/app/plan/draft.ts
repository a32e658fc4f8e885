import type { InputEdit } from '../../domain/entries/edits.ts';
import type { Entry, RunCreated } from '../../domain/entry.ts';
import { type KindAhead, kindAhead } from '../../domain/kind-of-payment.ts';
import type { NotifySettings } from '../../domain/notices/notify.ts';
import type { ApprovalPolicy, Ceilings, Limits } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ReadResult } from '../../input/read-result.ts';
import { KnownHolds } from '../../journal/holds.ts';
import type { Journal } from '../../journal/journal.ts';
import { newRunId, rowsOf } from '../../runner/plan/plan.ts';
import type { Held } from '../../runner/plan/preflight.ts';
import { compareWithPast } from '../compare/compare-runs.ts';
import type { Comparison } from '../compare/comparison.ts';
import { type Paying, refuseEarly, refuseRepeat, repeatRefusal } from '../compare/earlier-runs.ts';
import { allowedBy, refusedWithin, refusePaidBefore, withoutPaid } from '../compare/paid-before.ts';
import { AMOUNT_CHANGE_DEFAULT, warningsOf } from '../compare/warnings.ts';
import { ceilingsOf, refuseExcess } from '../limits/limits.ts';
import type { Connection } from '../service/at-service.ts';
import { refuseBesideApproved, refuseBesideJob } from './awaiting.ts';
import { REPORT_DIR_DEFAULT } from './gather.ts';
import type { Gathered, Given, PlanDeps } from './given.ts';

const POLL_EVERY_DEFAULT_MS = 1_000;
const WAIT_TIMEOUT_DEFAULT_MS = 7_200_000;

/** The service that a plan is of, and what it answered. `held`: its balances. */
export type PlanService = Pick<Connection, 'client' | 'scope'> & { rehearsal: boolean; held: Held };

/** By row, payments at the service that look like it and that the journal does not know. */
export type UnknownPayments = ReadonlyMap<number, readonly string[]>;

/** A plan before the service is asked what it costs: a run whose header has no digest yet, and its rows. */
export type Draft = {
  header: RunCreated;
  entries: readonly Entry[];
  /** How many the input has, less those that the comparison reports again. */
  warnings: number;
  limits: Limits | null;
  approval: ApprovalPolicy | null;
  ceilings: Ceilings;
  repeatWindowMs: number | null;
  /** What people changed in the rows of the input. */
  edits: readonly InputEdit[];
  notify: NotifySettings | null;
  /** Compares it with what was paid before; null where that is not to be done. Throws a `Refusal` for what was paid. */
  compare: ((unknown: UnknownPayments) => Promise<Comparison>) | null;
  /** Whether nothing is started that was run before. */
  refusesRepeat: boolean;
  /** Why what the run `runId` paid is not paid again. */
  repeated(runId: string): Promise<Refusal>;
};

/** The draft of an input. `read`: without the rows that are left out. */
export type InputDraft = Draft & {
  gathered: Gathered;
  read: ReadResult;
  /** Throws a `Refusal` where another run has paid the same since. */
  refuseSince(): Promise<void>;
};

type DraftDeps = Pick<PlanDeps, 'journal' | 'clock' | 'randomness'>;

/** Throws a `Refusal` for what limits and earlier runs do not allow, as far as that is known without the service. */
export async function refuseAhead(journal: Journal, given: Given, gathered: Gathered): Promise<void> {
  if (!given.settings.skipPaid) refuseExcess(gathered.limits, rowsOf(gathered.entries));
  await refuseEarly(journal, given.settings, payingOf(given, gathered, kindAhead(given.profile)));
}

/**
 * What of an input is to be paid, now that the service has shown what kind of payment it is: without the rows that are left
 * out as they were paid before. `yields`: whether it gives way to an approved plan of the same. `refusesPaid`: whether rows
 * that were paid are refused, and not only shown. Throws a `Refusal`.
 */
export async function draftInput(
  deps: DraftDeps,
  { given, gathered: whole }: { given: Given; gathered: Gathered },
  { approval, yields, refusesPaid }: { approval: ApprovalPolicy | null; yields: boolean; refusesPaid: boolean },
  { scope, rehearsal }: PlanService,
): Promise<InputDraft> {
  const { journal } = deps;
  const { job, settings } = given;
  const kind = { rehearsal, scope };
  const paying = payingOf(given, whole, kind);
  const repeats = await refuseRepeat(journal, settings, paying);
  const gathered = await withoutPaid(given, whole, { ...deps, kind });
  const { read, entries, limits } = gathered;
  const header = { ...headerOf(deps, given, read), ...kind, repeats };
  if (yields) await refuseBesideApproved(header, deps);
  await refuseBesideJob(header, approval, deps);
  const refuseSince = async () => {
    const last = await refuseRepeat(journal, settings, paying);
    if (last !== null && last !== repeats) throw await repeatRefusal(journal, last, paying);
  };
  return {
    header,
    entries,
    gathered,
    read,
    warnings: countOthers(read),
    limits,
    approval,
    ceilings: ceilingsOf(settings),
    repeatWindowMs: refusedWithin(job),
    edits: read.edits,
    notify: job?.notify ?? null,
    async compare(unknown) {
      try {
        return await compareInput(deps, given, gathered, { header, unknown, refusesPaid });
      } catch (error) {
        // Rows are refused as paid where another process has started the same meanwhile: then that is the reason.
        if (error instanceof Refusal) await refuseSince();
        throw error;
      }
    },
    refusesRepeat: settings.allowRepeat === undefined,
    repeated: (runId) => repeatRefusal(journal, runId, paying),
    refuseSince,
  };
}

/** The first entry of the run, but for what only the service or the plan can tell. */
function headerOf(
  { clock, randomness }: DraftDeps,
  { job, jobSource, period, settings, profile }: Given,
  read: ReadResult,
): Omit<RunCreated, 'scope' | 'rehearsal' | 'repeats'> {
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
    digest: '',
    payouts: read.payouts,
    report_dir: settings.reportDir ?? REPORT_DIR_DEFAULT,
    retries: null,
    corrections_sha256: null,
    job_source: jobSource,
    ...payerIn(settings),
  };
}

/** Members that say nothing are left out, so that an older payrun reads what concerns one company. */
function payerIn({ entity, connection }: Given['settings']): Pick<RunCreated, 'entity' | 'connection'> {
  return { ...(entity !== undefined && { entity }), ...(connection !== undefined && { connection }) };
}

/** What is about to be paid, to be compared with what was. */
function payingOf({ job, period }: Given, { chosen, read }: Gathered, kind: KindAhead): Paying {
  const { sha256 } = read.input;
  return { input: chosen, sha256, job: job?.name ?? null, period: period?.key ?? null, kind };
}

type Compare = { header: RunCreated; unknown: UnknownPayments; refusesPaid: boolean };

/** An input that was read beside what was paid before. Throws a `Refusal` (`paid_before`) where rows were paid already. */
async function compareInput(
  { journal, clock }: DraftDeps,
  { job, settings }: Given,
  { read, entries }: Gathered,
  { header, unknown, refusesPaid }: Compare,
): Promise<Comparison> {
  const coolingMs = job?.limits?.cooling_off_ms ?? null;
  const past = { journal, clock, repeatWindowMs: refusedWithin(job), coolingMs };
  const compared = await compareWithPast(header, rowsOf(entries), past);
  const allowed = allowedBy(settings.allowRepeat, header.repeats);
  if (refusesPaid) refusePaidBefore(compared, allowed, { job: job?.name ?? null, payouts: read.payouts });
  const amountChange = job?.amountChange ?? AMOUNT_CHANGE_DEFAULT;
  const places = { sheet: read.sheet, columns: read.input.columns };
  const { now: holds } = await new KnownHolds(journal).look();
  const warnings = warningsOf({ compared, amountChange, allowed, unknown, corrected: null, places, holds });
  return { compared, warnings, corrects: null };
}

/** The warnings of the input but for changed accounts, which the comparison with earlier runs reports with more. */
function countOthers({ problemGroups, problemCounts }: ReadResult): number {
  const changed = problemGroups.filter(({ code }) => code === 'account_changed');
  return problemCounts.warnings - changed.reduce((sum, { count }) => sum + count, 0);
}
