import { currencyLabel } from '../../domain/currencies.ts';
import type { RunRow } from '../../domain/entry.ts';
import { formatMajor } from '../../domain/money.ts';
import type { Advice, OutcomeWhy, Remedy, RemedyAct, ReportStatus } from '../../domain/outcomes/payout-outcome.ts';
import { CANCELLED, COOLING_OFF, ON_HOLD, PAID_BEFORE } from '../../domain/run/left-out.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isPlannedOnly } from '../../domain/run/run-state.ts';
import { NOTHING_SINCE, type Since } from '../../domain/run/since.ts';
import { rowMasker } from './identifiers.ts';
import { outcomeOf, phaseOf, rowsWithCopies } from './outcome.ts';
import { headerOf } from './report.ts';

/** Payouts that are not completed for one reason, and what to do about them. */
export type UnpaidGroup = {
  status: ReportStatus;
  code: string;
  /** Why, in words, with account numbers masked; empty where there is nothing to say. */
  message: string;
  /** Nothing where it is paid, under way or waiting in another run. */
  remedy: Remedy;
  since: Since['standing'] | null;
  payouts: number;
  /** The first of them. */
  first: UnpaidRow[];
};

/** `amount` is null where the row has none that could be read. */
export type UnpaidRow = { row: number; payee: string; amount: string | null; currency: string; since: Since | null };

/** Rows of a group that are named. */
const NAMED_MAX = 20;

/** Reasons that are listed: the others are in the rows of the report. */
const GROUPS_MAX = 50;

/**
 * The payouts of a run that are not completed and not in doubt, by what became of them: failed, rejected, not final yet,
 * not submitted; and apart from these, those that another run has paid since, or may pay. `others` counts the payouts of
 * further groups. `textOf` has the words, by which they are the same.
 */
export function unpaidGroups(
  run: RunState,
  textOf: (why: OutcomeWhy) => string,
  since = NOTHING_SINCE,
): { groups: UnpaidGroup[]; others: number } {
  const { input } = headerOf(run);
  const maskRow = rowMasker(input);
  const nameAt = input.columns.indexOf('name');
  const groups = new Map<string, UnpaidGroup>();
  const copies = rowsWithCopies(run);
  let others = 0;
  // Where there is none, the rows are not unpacked.
  const rows = run.payouts.values().some(isUnpaid) ? run.rows : [];
  for (const row of rows) {
    const payout = run.payouts.get(row.row);
    if (payout === undefined || !isUnpaid(payout)) continue;
    const { cells, hide } = maskRow(row);
    const { status, code, why } = outcomeOf(payout, { isCancelled: run.cancelled, mayHaveCopy: copies.has(row.row) });
    const message = why === null ? '' : hide(textOf(why));
    const became = since.rows.get(row.row) ?? null;
    const standing = became?.standing ?? null;
    const key = JSON.stringify([status, code, message, standing]);
    let group = groups.get(key);
    if (group === undefined) {
      if (groups.size >= GROUPS_MAX) {
        others++;
        continue;
      }
      const of = { status, code: code ?? status };
      const remedy = standing === null ? remedyOf(run, row, of) : NO_REMEDY;
      group = { ...of, message, remedy, since: standing, payouts: 0, first: [] };
      groups.set(key, group);
    }
    group.payouts++;
    if (group.first.length < NAMED_MAX) group.first.push(namedRow(row, hide, cells[nameAt] ?? '', became));
  }
  const place = ({ status, since }: UnpaidGroup) => ORDER.indexOf(status) + (since === null ? 0 : ORDER.length);
  const sorted = [...groups.values()].sort((one, other) => place(one) - place(other));
  return { groups: sorted, others };
}

/** What helps with payouts that are not paid, each act once: most reasons have the same. */
export function actsOf(groups: readonly UnpaidGroup[]): RemedyAct[] {
  const acts = groups.flatMap(({ remedy }) => remedy.acts);
  return [...new Map(acts.map((act) => [`${act.act} ${act.runId}`, act])).values()];
}

/** What is completed, and what is in doubt: both are listed elsewhere. */
const LEFT_OUT: ReadonlySet<PayoutState['state']> = new Set([
  'completed',
  'sending',
  'in_doubt',
  'unresolved',
  'suspected',
]);

function isUnpaid({ state }: PayoutState): boolean {
  return !LEFT_OUT.has(state);
}

const ORDER: readonly ReportStatus[] = ['unresolved', 'failed', 'rejected', 'not_submitted', 'completed'];

/** Where the row has a problem the name is what stands in its cell. */
function namedRow(
  { row, order }: RunRow,
  hide: (text: string) => string,
  nameCell: string,
  since: Since | null,
): UnpaidRow {
  if (order === null) return { row, payee: nameCell, amount: null, currency: '', since };
  const { currency, amount_minor, payee } = order;
  const amount = formatMajor(BigInt(amount_minor), currency.decimals);
  return { row, payee: hide(payee.name), amount, currency: currencyLabel(currency), since };
}

function remedyOf(
  run: RunState,
  { problem }: RunRow,
  { status, code }: { status: ReportStatus; code: string },
): Remedy {
  const { run_id: runId, retries } = headerOf(run);
  const remedy = (advice: Advice | null, ...acts: RemedyAct['act'][]): Remedy => {
    return { advice, mustFinish: false, acts: acts.map((act) => ({ act, runId })) };
  };
  const isFinished = phaseOf(run) === 'finished';
  if (problem?.code === PAID_BEFORE) return remedy({ advice: 'paid_before' });
  if (problem !== null) return remedy({ advice: 'correct_rows' });
  if (OPEN_CODES.has(code)) return remedy(null, 'resume');
  if (code === CANCELLED && isPlannedOnly(run)) {
    if (retries === null) return remedy({ advice: 'plan_discarded' });
    const acts: RemedyAct[] = [{ act: 'retry_discarded', runId: retries }];
    return { advice: { advice: 'retry_discarded', retries }, mustFinish: false, acts };
  }
  if (code === CANCELLED) return remedy({ advice: 'cancelled' }, isFinished ? 'retry_rest' : 'resume');
  const isDecided = code === COOLING_OFF || code === ON_HOLD;
  if (!isDecided && status === 'not_submitted') return NO_REMEDY;
  const advice = adviceOf(status, code);
  if (!isFinished) return { ...remedy(advice, 'resume'), mustFinish: true };
  return isDecided ? remedy(advice, 'retry') : remedy(advice, 'retry', 'retry_corrected');
}

function adviceOf(status: ReportStatus, reason: string): Advice | null {
  if (status === 'failed') return { advice: 'failed', reason };
  return status === 'rejected' ? { advice: 'rejected' } : null;
}

const NO_REMEDY: Remedy = { advice: null, mustFinish: false, acts: [] };

/** What `resume` goes on with. */
const OPEN_CODES: ReadonlySet<string> = new Set(['not_sent_yet', 'not_final_yet', 'not_looked_up', 'outcome_unknown']);
