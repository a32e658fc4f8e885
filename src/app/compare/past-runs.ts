import { z } from 'zod';
import type { EntryKind } from '../../domain/entry.ts';
import { destination } from '../../domain/payee.ts';
import type { JournalReader } from '../../journal/sqlite/read-only.ts';

const text = z.string();

const currency = z.object({ code: text, chain: text.nullable(), decimals: z.int() });

/** What is compared of the payouts in an entry of rows. The journal has proven that the text is what was written. */
const rowsEntry = z.compile(
  z.object({
    rows: z.array(
      z.object({
        row: z.int(),
        order: z
          .object({
            payee: z.object({ payee_id: text.nullable(), name: text, email: text.nullable() }),
            destination,
            amount_minor: text.regex(/^\d+$/),
            currency,
            source: currency.nullable().default(null),
          })
          .nullable(),
      }),
    ),
  }),
  { strict: true },
);

const finalEntry = z.compile(z.object({ row: z.int(), status: text }), { strict: true });

const attemptEntry = z.compile(
  z.object({
    row: z.int(),
    attempt: z.int(),
    answered: z.boolean().optional(),
    spent: z.boolean().optional(),
    verdict: text.optional(),
  }),
  { strict: true },
);

const finishedEntry = z.compile(z.object({ counts: z.object({ rejected: z.int() }) }), { strict: true });

const rowEntry = z.compile(z.object({ row: z.int() }), { strict: true });

type Texts = Pick<JournalReader, 'textsOf'>;

/** A payout of an earlier run, as far as it is compared. */
export type PastOrder = NonNullable<z.output<typeof rowsEntry>['rows'][number]['order']> & { row: number };

/** The payable rows of a run, in order. */
export function* ordersOf(journal: Texts, runId: string): Iterable<PastOrder> {
  for (const { rows } of parsed(journal.textsOf(runId, 'rows'), rowsEntry))
    for (const { row, order } of rows) if (order !== null) yield { ...order, row };
}

/** The rows that the service says were paid. */
export function completedRows(journal: Texts, runId: string): Set<number> {
  return finalRows(journal, runId).completed;
}

/**
 * The rows of a run of `payouts` that were paid, those beside them of which nothing proves that they were not, and those
 * that it has not paid and never will. All others wait in it, and are paid once it goes on.
 */
export function paidRows(journal: Texts, runId: string, payouts: number) {
  const { completed, failed: unpaid } = finalRows(journal, runId);
  const perhaps = new Set<number>();
  for (const { row } of parsed(journal.textsOf(runId, 'surfaced'), rowEntry)) perhaps.add(row);
  const rest = () => ({ completed, perhaps: perhaps.difference(completed), unpaid: unpaid.difference(perhaps) });
  if (completed.size + unpaid.size >= payouts) return rest();
  const attempts = new Map<number, number>();
  for (const { row, attempt } of parsed(journal.textsOf(runId, 'intent'), attemptEntry)) attempts.set(row, attempt);
  const suspected = new Set<number>();
  for (const { row } of parsed(journal.textsOf(runId, 'suspected'), rowEntry)) suspected.add(row);
  const areLookedFor = areRefusedLookedFor(journal, runId, suspected.union(perhaps));
  for (const kind of WITHOUT_EFFECT)
    for (const one of parsed(journal.textsOf(runId, kind), attemptEntry)) {
      const { row, attempt, answered = true, spent = false, verdict = 'not_sent' } = one;
      if (verdict === 'sent') attempts.set(row, Number.POSITIVE_INFINITY);
      else if ((answered || spent) && attempt >= (attempts.get(row) ?? 0)) {
        if (kind === 'resolved') suspected.delete(row);
        // Before its run has looked once more, another copy of what was refused may be paid.
        const mayHaveCopy = kind === 'rejected' && attempts.has(row) && !spent && !areLookedFor;
        if (mayHaveCopy) continue;
        attempts.delete(row);
        if (kind === 'rejected') unpaid.add(row);
      }
    }
  for (const row of suspected) {
    unpaid.delete(row);
    if (!completed.has(row)) perhaps.add(row);
  }
  for (const { row } of parsed(journal.textsOf(runId, 'not_submitted'), rowEntry)) {
    attempts.delete(row);
    unpaid.add(row);
  }
  for (const row of attempts.keys()) if (!unpaid.has(row)) perhaps.add(row);
  return rest();
}

/**
 * Whether the last end of the run counts all its refused rows, less `others`, which are called otherwise. A run that was
 * resumed since may have refused ones that no look was for.
 */
function areRefusedLookedFor(journal: Texts, runId: string, others: ReadonlySet<number>): boolean {
  const last = [...parsed(journal.textsOf(runId, 'finished'), finishedEntry)].at(-1);
  if (last === undefined) return false;
  const refused = new Set<number>();
  for (const { row } of parsed(journal.textsOf(runId, 'rejected'), rowEntry)) if (!others.has(row)) refused.add(row);
  return refused.size <= last.counts.rejected;
}

/** What proves of an attempt that it paid nobody, or of `resolved`, what a person decided. */
const WITHOUT_EFFECT: readonly EntryKind[] = ['no_effect', 'rejected', 'absent', 'resolved'];

function finalRows(journal: Texts, runId: string): { completed: Set<number>; failed: Set<number> } {
  const found = { completed: new Set<number>(), failed: new Set<number>() };
  for (const { row, status } of parsed(journal.textsOf(runId, 'final'), finalEntry))
    (status === 'COMPLETED' ? found.completed : found.failed).add(row);
  return found;
}

/** The entries of these texts. No error has their values. */
function* parsed<Entry>(texts: Iterable<string>, schema: z.ZodType<Entry>): Iterable<Entry> {
  for (const each of texts) {
    const result = schema.safeParse(JSON.parse(each));
    if (!result.success) throw new Error('an entry is not well formed');
    yield result.data;
  }
}
