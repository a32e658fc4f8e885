import { readFileSync } from 'node:fs';
import { problemResultOf } from '../../app/check/check-result.ts';
import { type Compared, type KeptPlan, keptPlan, type PlanWarning } from '../../app/plan/plan-result.ts';
import type { Worded } from '../../domain/problem.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { worded } from '../../messages/problems/problem-words.ts';
import { Recent, UnderWay } from '../once.ts';
import type { WebParts } from '../parts.ts';

export type ShownWarning = PlanWarning & Worded;

/** What is known of a plan beside what the journal has of it. */
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

type ComparedNow = Pick<PlanExtras, 'compared' | 'warnings' | 'counts'>;

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

/** Balances, warnings and the comparison with earlier runs: as the journal has it now, and beside that as `plan` had it. */
export class PlanViews {
  readonly #parts: WebParts;
  readonly #kept = new Recent<ComparedNow>(KEPT_MAX);
  readonly #comparing = new UnderWay<ComparedNow | null>();

  constructor(parts: WebParts) {
    this.#parts = parts;
  }

  /** `n` is the number of the run's newest entry. */
  async of({ header }: Pick<RunState, 'header'>, n: number): Promise<PlanExtras> {
    const runId = header?.run_id ?? '';
    const planned = this.#planned(runId);
    // What another run has paid meanwhile is the past of this one too.
    const key = `${runId} ${n} ${await this.#parts.deps.reads.newestEntryAt()}`;
    const now = this.#kept.get(key) ?? (await this.#comparing.of(key, () => this.#compare(runId, key)));
    if (now === null) {
      const { balances = [], compared = null, warnings = [], warning_counts: counts = {} } = planned ?? {};
      return { balances, compared, warnings, counts, isKnown: planned !== null };
    }
    const then = planned?.warnings.filter(({ code }) => !OF_THE_PAST.has(code)) ?? [];
    return { ...now, balances: planned?.balances ?? [], warnings: [...now.warnings, ...then], isKnown: true };
  }

  async #compare(runId: string, key: string): Promise<ComparedNow | null> {
    const { calls, log } = this.#parts.deps;
    const compared = await calls.comparePlan(runId).catch((error: unknown) => {
      log.warn({ error, run: runId }, 'a plan could not be compared with earlier runs');
      return null;
    });
    if (compared === null) return null;
    const inWords = {
      ...compared,
      warnings: compared.warnings.map((warning) => worded(problemResultOf(warning), 'page')),
    };
    this.#kept.set(key, inWords);
    return inWords;
  }

  #planned(runId: string) {
    const { uploads } = this.#parts;
    const upload = uploads.ofRun(runId);
    if (upload === null) return null;
    try {
      const text = readFileSync(uploads.beside(upload, `plan-${runId}.json`), 'utf8');
      const kept = keptPlan.parse(JSON.parse(text));
      return { ...kept, warnings: kept.warnings.map((warning): ShownWarning => worded(warning, 'page')) };
    } catch {
      return null;
    }
  }
}
