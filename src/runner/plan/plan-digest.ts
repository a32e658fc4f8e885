import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Entry, RunCreated, RunRow } from '../../domain/entry.ts';
import { PLAN_VERSION, type PlanFacts, type PlannedTotal } from '../../domain/plan.ts';
import { assert } from '../../domain/refusal.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { canonicalOrder } from './plan.ts';

/**
 * SHA-256 (hex) of the plan's canonical form (RFC 8785): an object of the members of `facts` and of `rows`, the payable
 * orders in the order of the input. What is not converted and not limited has no member for it. It is hashed as it is
 * made, so that a million rows need no text of their own.
 */
export function planDigest(facts: PlanFacts, rows: Iterable<RunRow>): string {
  const hash = createHash('sha256');
  const { conversions, limits, cooling_off, ...rest } = facts;
  const members: Record<string, unknown> = {
    ...rest,
    ...(conversions && { conversions }),
    ...(limits && { limits }),
    ...(cooling_off.length > 0 && { cooling_off }),
  };
  const names = [...Object.keys(members), 'rows'].sort();
  for (const [at, name] of names.entries()) {
    hash.update(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    if (name === 'rows') hashOrders(hash, rows);
    else hash.update(canonicalJson(members[name]));
  }
  return hash.update('}').digest('hex');
}

/** The members of a plan. `payees` is null where the service was not asked for them. */
export function planFacts(
  header: RunCreated,
  totals: PlannedTotal[],
  given: Pick<
    PlanFacts,
    'conversions' | 'payees' | 'warnings' | 'limits' | 'cooling_off' | 'approval' | 'repeat_window_ms'
  >,
): PlanFacts {
  const { conversions, payees, warnings, limits, cooling_off, approval, repeat_window_ms } = given;
  return {
    version: PLAN_VERSION,
    run_id: header.run_id,
    job: header.job,
    period: header.period,
    scope: header.scope,
    rehearsal: header.rehearsal,
    input_sha256: header.input.sha256,
    payouts: header.payouts,
    totals,
    conversions,
    payees,
    warnings,
    limits,
    cooling_off,
    approval,
    repeat_window_ms,
  };
}

/** The rows of a run, from the entries that hold them. */
export function* rowsOf(entries: Iterable<Entry>): Generator<RunRow> {
  for (const entry of entries) if (entry.kind === 'rows') yield* entry.rows;
}

/** Whether the rows, the plan and the digest of a run belong together: what was approved is what the journal holds. */
export function isPlanWhole(run: RunState): boolean {
  assert(run.header !== null && run.plan !== null, 'a run without a plan');
  return planDigest(run.plan, run.rows) === run.header.digest;
}

function hashOrders(hash: ReturnType<typeof createHash>, rows: Iterable<RunRow>): void {
  let text = '[';
  let isFirst = true;
  for (const { order } of rows) {
    if (order === null) continue;
    text += isFirst ? canonicalOrder(order) : `,${canonicalOrder(order)}`;
    isFirst = false;
    if (text.length > 65_536) {
      hash.update(text);
      text = '';
    }
  }
  hash.update(`${text}]`);
}
