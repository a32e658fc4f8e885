import { currencyLabel } from '../domain/currencies.ts';
import type { RunCreated } from '../domain/entry.ts';
import { formatMajor, groupThousands } from '../domain/money.ts';
import type { PlanFacts } from '../domain/plan.ts';
import type { CommandLine } from '../messages/command-line.ts';
import { counted } from '../messages/text.ts';
import { type Notice, noticeOf, whoseOf } from './notice.ts';
import { columns, oneLine, ROWS_LISTED_MAX, rowsText } from './words.ts';

/** A plan that awaits approval. `who` are those that can approve it, in words; `needed` is how many of them. */
export type PlanWaits = {
  header: RunCreated;
  facts: PlanFacts;
  who: string;
  needed: number;
  changed: ChangedDetails;
};

/** How many payouts go elsewhere than where their payee was last paid, and the first of their rows. */
export type ChangedDetails = { count: number; rows: readonly number[] };

/** That a plan waits for approvals: whose account details changed, how much, who approves it, and the literal command. */
export function planNotice(
  { header, facts, who, needed, changed }: PlanWaits,
  { at, command }: { at: number; command: CommandLine },
): Notice {
  const { run_id, job, period, digest, rehearsal, payouts } = header;
  const whose = whoseOf(header);
  const approvers = oneLine(who);
  const preparer = oneLine(facts.approval?.preparer ?? '');
  const approve = command('approve', run_id, '--key', 'FILE');
  const totals = facts.totals.map(totalOf);
  const table = totals.map(({ currency, payouts, planned, fees }) => [
    currency,
    String(payouts),
    groupThousands(planned),
    fees === null ? 'unknown' : groupThousands(fees),
  ]);
  const input = oneLine(header.input.name);
  const alarm = changed.count === 0 ? '' : `, BANK DETAILS CHANGED of ${changed.count.toLocaleString('en')}`;
  return noticeOf({
    event: 'planned',
    id: `${run_id}-planned`,
    at,
    subject: `${whose} waits for approval: ${counted(payouts, 'payout')}${alarm}`,
    lines: [
      `Plan ${run_id} of ${whose} waits for ${counted(needed, 'approval')}: ${counted(payouts, 'payout')} from ${input}.`,
      'Nothing is sent before.',
      '',
      ...changedLines(changed, header),
      ...columns(table, ['currency', 'payouts', 'planned', 'fees']),
      '',
      `To be approved by ${approvers}; not by ${preparer}, who made the plan.`,
      `Digest: ${digest}`,
      `Approve it: ${approve}`,
      `Look at it first: ${command('show', run_id)}`,
    ],
    data: {
      run_id,
      job,
      period,
      rehearsal,
      state: 'planned',
      input: header.input.name,
      payouts,
      totals,
      warnings: facts.warnings,
      bank_details_changed: { count: changed.count, rows: changed.rows.slice(0, ROWS_LISTED_MAX) },
      approvals_needed: needed,
      approvers,
      preparer,
      digest,
      approve,
    },
  });
}

function totalOf({ currency, payouts, planned_minor, fees_minor }: PlanFacts['totals'][number]) {
  const shown = (minor: string) => formatMajor(BigInt(minor), currency.decimals);
  const fees = fees_minor === null ? null : shown(fees_minor);
  return { currency: currencyLabel(currency), payouts, planned: shown(planned_minor), fees };
}

/** Payments are diverted in this way. */
function changedLines({ count, rows }: ChangedDetails, { retries, corrections_sha256 }: RunCreated): string[] {
  if (count === 0) return [];
  const before = retries === null || corrections_sha256 === null ? '' : `it was to go in ${retries}, or where `;
  return [
    `BANK DETAILS CHANGED: ${counted(count, 'payout')} would not go where ${before}the payee was last paid (${rowsText(rows)}).`,
    'Ask each payee, by a way that you know, before you approve.',
    '',
  ];
}
