import { readFileSync } from 'node:fs';
import { problemResultOf } from '../../app/check/check-result.ts';
import type { Differences } from '../../app/compare/differences.ts';
import type { Person } from '../../app/people/people.ts';
import { type Compared, type KeptPlan, keptPlan, type PlanWarning } from '../../app/plan/plan-result.ts';
import type { PlanCompared } from '../../app/show/known-plan.ts';
import type { Worded } from '../../domain/problem.ts';
import { entityOfRun } from '../../domain/run/entity.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { messages } from '../../messages/messages.ts';
import { Worded as OnceWorded, WorkedOut } from '../once.ts';
import type { WebParts } from '../parts.ts';
import type { FollowedRun } from '../runs/followed-run.ts';
import { paymentName } from '../shell/words.ts';
import { planFile } from './plannings.ts';

export type ShownWarning = PlanWarning & Worded;

/** What is known of a plan beside what the journal has of it. */
export type PlanExtras = {
  /** What the service held when it was planned; empty for plans that were made by command. */
  balances: KeptPlan['balances'];
  compared: Compared | null;
  /** Beside the same payment, payee by payee; null where that is not known any more. */
  differences: Differences | null;
  warnings: readonly ShownWarning[];
  /** How many there are of a kind of which only the first thousand are in the list. */
  counts: Readonly<Record<string, number>>;
  /** Whether it could be compared at all. */
  isKnown: boolean;
  /** What the payments are called that it may repeat, and that it is compared with. */
  names: ReadonlyMap<string, string>;
};

/** What is compared again, by what the journal holds now; `plan` compared it by what it held then. */
const OF_THE_PAST: ReadonlySet<string> = new Set([
  'account_changed',
  'account_first_time',
  'amount_changed',
  'cooling_off',
  'paid_before',
  'payee_first_time',
  'payee_missing',
  'payee_on_hold',
]);

const COMPARED = new WorkedOut<RunState, Promise<PlanCompared | null>>();
const WORDED = new OnceWorded<PlanCompared, ShownWarning[]>();

/**
 * Balances, warnings and the comparison with earlier runs, as far as a person sees these: as the journal has it now, and beside
 * that as `plan` had it.
 */
export async function seenExtras(parts: WebParts, person: Person, followed: FollowedRun): Promise<PlanExtras> {
  const extras = await planExtras(parts, followed);
  const { header } = followed.run;
  const seen = parts.sight.of(person);
  const { compared } = extras;
  const isSeen = compared !== null && (await seen.seesRun(compared.run_id)) === 'all';
  return {
    ...extras,
    ...(!isSeen && { compared: null, differences: null }),
    ...(!(header !== null && seen.seesAllOf(entityOfRun(header))) && { balances: [] }),
    names: await namesOf(parts, header, extras),
  };
}

/** Recent payments are enough: those of long ago stand by their ids. */
const NAMES_OF = 200;

/** Who may not see a payment reads nothing of it, whatever is known here. */
async function namesOf(
  { deps }: WebParts,
  header: RunState['header'],
  { compared, warnings }: Omit<PlanExtras, 'names'>,
) {
  const named = new Set(warnings.flatMap(({ paid_by }) => paid_by?.run_id ?? []));
  for (const other of [compared?.run_id, header?.repeats]) if (other != null) named.add(other);
  const runs = named.size === 0 ? [] : await deps.reads.newest(NAMES_OF);
  return new Map(runs.flatMap(({ run_id, header }) => (named.has(run_id) ? [[run_id, paymentName(header)]] : [])));
}

export async function planExtras(parts: WebParts, { run, runId, n }: FollowedRun): Promise<Omit<PlanExtras, 'names'>> {
  const planned = await keptPlanOf(parts, runId);
  // What another run has paid meanwhile is the past of this one too.
  const version = `${n} ${await parts.deps.reads.newestEntryAt()} ${(await parts.deps.reads.holds()).now.n}`;
  const now = await COMPARED.of(run, version, () => compare(parts, runId));
  if (now === null) {
    COMPARED.forget(run);
    const { balances = [], compared = null, warnings = [], warning_counts: counts = {} } = planned ?? {};
    return { balances, compared, differences: null, warnings, counts, isKnown: planned !== null };
  }
  const then = planned?.warnings.filter(({ code }) => !OF_THE_PAST.has(code)) ?? [];
  const warnings = WORDED.of(now, 0, () =>
    now.warnings.map((warning) => messages.problems.worded(problemResultOf(warning), 'page')),
  );
  return { ...now, balances: planned?.balances ?? [], warnings: [...warnings, ...then], isKnown: true };
}

async function compare({ deps }: WebParts, runId: string): Promise<PlanCompared | null> {
  try {
    return await deps.calls.comparePlan(runId);
  } catch (error) {
    deps.log.warn({ error, run: runId }, 'a plan could not be compared with earlier runs');
    return null;
  }
}

/** The warnings as they were when it was planned; null where they are not kept. */
export async function keptWarnings(
  parts: WebParts,
  runId: string,
): Promise<Pick<PlanExtras, 'warnings' | 'counts' | 'isKnown'> | null> {
  const kept = await keptPlanOf(parts, runId);
  return kept && { warnings: kept.warnings, counts: kept.warning_counts, isKnown: true };
}

/** The comparison with the last payment of its kind, as it was when it was planned, where it is kept and the person sees that payment. */
export async function keptCompared(
  parts: WebParts,
  person: Person,
  runId: string,
): Promise<Pick<PlanExtras, 'compared' | 'differences' | 'counts'> | null> {
  const kept = await keptPlanOf(parts, runId);
  const compared = kept?.compared ?? null;
  if (kept === null || compared === null) return null;
  const isSeen = (await parts.sight.of(person).seesRun(compared.run_id)) === 'all';
  return isSeen ? { compared, differences: null, counts: kept.warning_counts } : null;
}

/** What `plan` noted beside the upload; null where it was made by command, or the file is removed. */
async function keptPlanOf({ uploads }: WebParts, runId: string) {
  const upload = await uploads.ofRun(runId);
  const path = upload && (await uploads.find(upload, planFile(runId)));
  if (path === null) return null;
  try {
    const kept = keptPlan.parse(JSON.parse(readFileSync(path, 'utf8')));
    return {
      ...kept,
      warnings: kept.warnings.map((warning): ShownWarning => messages.problems.worded(warning, 'page')),
    };
  } catch {
    return null;
  }
}
