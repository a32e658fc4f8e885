import { type KindAhead, scopeOf } from '../../domain/kind-of-payment.ts';
import type { Profile } from '../../domain/profile.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ChosenInput } from '../../job/choose-input.ts';
import type { Journal } from '../../journal/journal.ts';
import { newestAllowed, runNamed, type Same, startedLike, startedOfPeriod } from './earlier-runs.ts';
import { allowedRuns } from './paid-before.ts';

/** What is about to be paid. */
export type Paying = Same & {
  input: ChosenInput;
};

type Allowing = { allowRepeat?: string | undefined };

/** What is known of a run's kind before its service was asked: the one inside this process moves no money. */
export function kindAhead({ base_url, api_key }: Profile): KindAhead {
  if (base_url === null) return { rehearsal: true, scope: null };
  return { rehearsal: null, scope: scopeOf(base_url, api_key ?? '') };
}

/** Throws a `Refusal` for what was certainly run before, as long as the service has not said what it is. */
export async function refuseEarly(journal: Journal, settings: Allowing, paying: Paying): Promise<void> {
  if (paying.kind.rehearsal !== null || settings.allowRepeat === undefined)
    await refuseRepeat(journal, settings, paying);
}

/**
 * Returns the earlier run, of the same file or of the same period of the job, that a person allowed to repeat, if there is
 * one. Throws a `Refusal` for what was run before, and where another run is named than the newest of the same.
 */
export async function refuseRepeat(journal: Journal, settings: Allowing, paying: Paying): Promise<string | null> {
  const { allowRepeat } = settings;
  if (allowRepeat !== undefined && allowRepeat !== '') return requireNewest(journal, allowRepeat, paying);
  const last = (await startedLike(journal, paying)).at(-1) ?? null;
  if (last !== null && allowRepeat === undefined) throw await repeatRefusal(journal, last, paying);
  return last;
}

/** The run that `--allow-repeat` lets be repeated. Throws a `Refusal` where it allows none of the same. */
async function requireNewest(journal: Journal, allowed: string, same: Paying): Promise<string> {
  const newest = await newestAllowed(journal, allowedRuns(allowed), same);
  if (newest.outcome === 'allowed') return newest.runId;
  throw new Refusal({ code: 'repeat_not_allowed', cause: newest });
}

/** Why what `runId` has paid is not paid again. */
export async function repeatRefusal(journal: Journal, runId: string, paying: Paying): Promise<Refusal> {
  const { path, pattern } = paying.input;
  const isOfPeriod = (await startedOfPeriod(journal, paying)).some(({ run_id }) => run_id === runId);
  const by = await runNamed(journal, runId);
  if (isOfPeriod) return new Refusal({ code: 'period_run_before', by, job: paying.job, period: paying.period });
  return new Refusal({ code: 'file_run_before', by, newestOf: pattern === null ? null : { path, pattern } });
}
