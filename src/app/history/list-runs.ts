import type { Counts, EntryOf, PlanEnd } from '../../domain/entry.ts';
import type { Money } from '../../domain/money.ts';
import { costOf } from '../../domain/plan.ts';
import type { Journal, RunSummary } from '../../journal/journal.ts';
import { entriesIn } from '../../journal/pages.ts';

/** The newest runs that are listed: a run each hour for a year. */
const RUNS_MAX = 10_000;

export type ListedRun = {
  summary: RunSummary;
  /** The counts with which the run finished, and when (Unix ms); null where it has not, or was taken up again since. */
  finished: { counts: Counts; at: number } | null;
  /** What was planned; null where the run began without a plan. */
  planned: Planned | null;
  /** By a person. A plan that another took the place of was not. */
  isCancelled: boolean;
  /** The plan that took its place; null where none did. */
  replacedBy: string | null;
  /** How a person ended the plan; null where it was discarded, or is not cancelled. */
  planEnd: PlanEnd | null;
  /** When the plan is, or was, to be started, as it was last set; null where it was not, or that was recalled. */
  scheduled: EntryOf<'scheduled'> | null;
  /** A payout was perhaps paid twice. */
  hasSurfaced: boolean;
  /** Completed payouts that came back, and when the last of them was recorded (Unix ms); null where none did. */
  returned: { count: number; at: number } | null;
};

/**
 * `totals`: what payees receive, the currency with the most payouts first. `costs`: what leaves the balances.
 * `preparer`: null if the plan was made on the command line without a key.
 */
export type Planned = { totals: readonly Money[]; costs: readonly Money[]; preparer: string | null };

/** Every run, newest first, in one pass over the journal, without reading any of them whole. Throws `JournalDamaged`. */
export async function listRuns(journal: Journal): Promise<ListedRun[]> {
  const finished = new Map<string, { counts: Counts; at: number }>();
  const cancelled = new Map<string, { replacedBy: string | null; planEnd: PlanEnd | null }>();
  for await (const page of journal.readKinds(['finished', 'lease_taken', 'cancelled']))
    for (const { runId, at, entry } of page) {
      if (entry.kind === 'finished') finished.set(runId, { counts: entry.counts, at });
      else if (entry.kind === 'cancelled') {
        const { replaced_by: replacedBy = null, plan_end: planEnd = null } = entry;
        cancelled.set(runId, { replacedBy, planEnd });
      } else finished.delete(runId);
    }
  const returned = new Map<string, { count: number; at: number }>();
  for await (const page of journal.readKinds(['returned']))
    for (const { runId, at } of page) returned.set(runId, { count: (returned.get(runId)?.count ?? 0) + 1, at });
  const surfaced = new Set((await entriesIn(journal.readKinds(['surfaced']))).map(({ runId }) => runId));
  const scheduled = await scheduledRuns(journal);
  const planned = await plannedRuns(journal);
  return (await journal.listRuns(RUNS_MAX)).map((summary) => {
    const { run_id: id } = summary;
    const ended = cancelled.get(id);
    return {
      summary,
      finished: finished.get(id) ?? null,
      planned: planned.get(id) ?? null,
      isCancelled: ended?.replacedBy === null,
      replacedBy: ended?.replacedBy ?? null,
      planEnd: ended?.planEnd ?? null,
      scheduled: scheduled.get(id) ?? null,
      hasSurfaced: surfaced.has(id),
      returned: returned.get(id) ?? null,
    };
  });
}

async function plannedRuns(journal: Journal): Promise<Map<string, Planned>> {
  const planned = new Map<string, Planned>();
  for await (const page of journal.readKinds(['planned']))
    for (const { runId, entry } of page) {
      if (entry.kind !== 'planned') continue;
      const { totals, approval } = entry.plan;
      const sorted = totals.toSorted((one, other) => other.payouts - one.payouts);
      const sums = sorted.map(({ planned_minor, currency }) => ({ minor: BigInt(planned_minor), currency }));
      planned.set(runId, { totals: sums, costs: costOf(entry.plan), preparer: approval?.preparer ?? null });
    }
  return planned;
}

/** By run, when plans are, or were, to be started, as it was last set. */
export async function scheduledRuns(journal: Journal): Promise<Map<string, EntryOf<'scheduled'>>> {
  const scheduled = new Map<string, EntryOf<'scheduled'>>();
  for await (const page of journal.readKinds(['scheduled']))
    for (const { runId, entry } of page) {
      if (entry.kind !== 'scheduled' || entry.start === null) scheduled.delete(runId);
      else scheduled.set(runId, entry);
    }
  return scheduled;
}
