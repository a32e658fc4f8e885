import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { problemResultOf } from '../../app/check/check-result.ts';
import { type Compared, type KeptPlan, keptPlan, type PlanWarning } from '../../app/plan/plan-result.ts';
import type { PaidBy, Worded } from '../../domain/problem.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { worded } from '../../messages/problems/problem-words.ts';
import { counted, listed } from '../../messages/text.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import { UnderWay } from '../once.ts';
import type { WebParts } from '../parts.ts';

export type ShownWarning = PlanWarning & Worded;

/** What is known of a plan beside what the journal says of it. */
export type PlanExtras = {
  /** What the service held when it was planned; empty for plans that were made by command. */
  balances: KeptPlan['balances'];
  compared: Compared | null;
  warnings: readonly ShownWarning[];
  /** How many there are of a kind of which only the first thousand are in the list. */
  counts: Readonly<Record<string, number>>;
  /** Whether it could be compared at all. */
  isKnown: boolean;
};

type Shown = Pick<PlanExtras, 'compared' | 'warnings' | 'counts'>;

/** What is compared again, by what the journal holds now; `plan` compared it by what it held then. */
const OF_THE_PAST: ReadonlySet<string> = new Set([
  'account_changed',
  'account_first_time',
  'amount_changed',
  'cooling_off',
  'paid_before',
  'payee_first_time',
  'payee_missing',
]);

const KEPT_MAX = 50;

/** Balances, warnings and the comparison with earlier runs: as the journal has it now, and beside that as `plan` said it. */
export class PlanViews {
  readonly #shown = new Map<string, Shown>();
  readonly #looking = new UnderWay<Shown | null>();

  /** `n` is the number of the run's newest entry. */
  async of(web: WebParts, { header }: RunState, n: number): Promise<PlanExtras> {
    const runId = header?.run_id ?? '';
    const planned = plannedOf(web, runId);
    const shown = await this.#look(web, runId, n);
    if (shown === null) {
      const { balances = [], compared = null, warnings = [], warning_counts: counts = {} } = planned ?? {};
      return { balances, compared, warnings, counts, isKnown: planned !== null };
    }
    const then = planned?.warnings.filter(({ code }) => !OF_THE_PAST.has(code)) ?? [];
    const warnings = [...shown.warnings, ...then];
    return { ...shown, balances: planned?.balances ?? [], warnings, isKnown: true };
  }

  async #look(web: WebParts, runId: string, n: number): Promise<Shown | null> {
    // What another run has paid meanwhile is the past of this one too.
    const key = `${runId} ${n} ${await web.deps.journal.newestEntryAt()}`;
    const known = this.#shown.get(key);
    return known ?? this.#looking.of(key, () => this.#ask(web, runId, key));
  }

  async #ask({ deps }: WebParts, runId: string, key: string): Promise<Shown | null> {
    const shown = await deps.calls.comparePlan(runId).catch((error: unknown) => {
      deps.log.warn({ error, run: runId }, 'a plan could not be compared with earlier runs');
      return null;
    });
    if (shown === null) return null;
    const [oldest] = this.#shown.keys();
    if (this.#shown.size >= KEPT_MAX && oldest !== undefined) this.#shown.delete(oldest);
    const inWords = { ...shown, warnings: shown.warnings.map((warning) => worded(problemResultOf(warning), 'page')) };
    this.#shown.set(key, inWords);
    return inWords;
  }
}

type ShownPlan = Omit<KeptPlan, 'warnings'> & { warnings: ShownWarning[] };

function plannedOf({ uploads }: WebParts, runId: string): ShownPlan | null {
  const upload = uploads.ofRun(runId);
  if (upload === null) return null;
  try {
    const text = readFileSync(uploads.beside(upload, `plan-${runId}.json`), 'utf8');
    const kept = keptPlan.parse(JSON.parse(text));
    return { ...kept, warnings: kept.warnings.map((warning) => worded(warning, 'page')) };
  } catch {
    return null;
  }
}

/** The payouts of a plan that repeat what other runs paid, perhaps paid or are about to pay, and those runs. */
export type PaidBefore = { payouts: number; runs: string[]; how: string };

const CODE = 'paid_before';
/** In the order in which they are named. */
const HOW = { paid: 'paid', perhaps: 'perhaps paid', waiting: 'taken up' } as const satisfies Record<
  PaidBy['how'],
  string
>;

/** What `show` says in `paid_before` of a plan; null where it pays nobody again, or was said to repeat that run. */
export function paidBeforeOf({ warnings, counts }: Pick<PlanExtras, 'warnings' | 'counts'>): PaidBefore | null {
  const found = warnings.filter(({ code }) => code === CODE);
  if (found.length === 0) return null;
  const paidBy = found.flatMap(({ paid_by }) => paid_by ?? []);
  const hows = Object.entries(HOW).filter(([how]) => paidBy.some((one) => one.how === how));
  const payouts = Math.max(counts[CODE] ?? 0, found.length);
  const how = `${payouts === 1 ? 'was' : 'were'} ${hows.map(([, words]) => words).join(' or ')}`;
  return { payouts, runs: [...new Set(paidBy.map(({ run_id }) => run_id))], how };
}

/** The runs of which all who approved a plan said that they know what those paid, and that it is to be paid once more. */
export function knownToAll(acts: readonly Pick<AuditEntry, 'act' | 'details'>[]): string[] {
  const said = acts.filter(({ act }) => act === 'approved').map(({ details }) => ticked.safeParse(details).data);
  const [first, ...others] = said.map((one) => one?.paid_before.runs ?? []);
  return (first ?? []).filter((run) => others.every((runs) => runs.includes(run)));
}

const ticked = z.object({ paid_before: z.object({ runs: z.array(z.string()) }) });

/** What whoever approves it says that they know. */
export function paidBeforeText({ payouts, runs, how }: PaidBefore, of: number): string {
  return `I know that ${payouts.toLocaleString('en')} of the ${counted(of, 'payout')} ${how} by ${listed(runs)}, and ${payouts === 1 ? 'is' : 'are'} to be paid once more`;
}
