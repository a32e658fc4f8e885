import { currencyLabel } from '../domain/currencies.ts';
import type { RunCreated } from '../domain/entry.ts';
import { formatMajor, groupThousands } from '../domain/money.ts';
import type { PlanFacts } from '../domain/plan.ts';
import { counted } from '../messages/text.ts';
import type { CommandLine } from '../report/command-line.ts';
import { REHEARSAL_BAND } from '../report/model/outcome.ts';
import { type Notice, subjectOf, whoseOf } from './notice.ts';
import { columns, oneLine, rowsText } from './words.ts';

/** A plan that waits. `who` are those that can approve it, in words; `needed` is how many of them. */
export type PlanWaits = {
  header: RunCreated;
  facts: PlanFacts;
  who: string;
  needed: number;
  changed: ChangedDetails;
};

/** How many payouts go elsewhere than where their payee was last paid, and the first of their rows. */
export type ChangedDetails = { count: number; rows: readonly number[] };

/** Tells that a plan waits for approvals: whose bank details changed, how much, who approves it, and the literal command. */
export function planNotice(
  { header, facts, who, needed, changed }: PlanWaits,
  { at, command }: { at: number; command: CommandLine },
): Notice {
  const { run_id, digest, rehearsal } = header;
  const whose = whoseOf(header);
  const approve = command('approve', run_id, '--key', 'FILE');
  const totals = facts.totals.map(({ currency, payouts, planned_minor, fees_minor }) => {
    const shown = (minor: string) => formatMajor(BigInt(minor), currency.decimals);
    return {
      currency: currencyLabel(currency),
      payouts,
      planned: shown(planned_minor),
      fees: fees_minor === null ? null : shown(fees_minor),
    };
  });
  const rows = totals.map(({ currency, payouts, planned, fees }) => [
    currency,
    String(payouts),
    groupThousands(planned),
    fees === null ? 'not told' : groupThousands(fees),
  ]);
  const preparer = facts.approval?.preparer ?? '';
  const lines = [
    ...(rehearsal ? [`${REHEARSAL_BAND}.`, ''] : []),
    `Plan ${run_id} of ${whose} waits for ${counted(needed, 'approval')}: ${counted(header.payouts, 'payout')} from ${oneLine(header.input.name)}.`,
    'Nothing is sent before.',
    '',
    ...changedLines(changed, header),
    ...columns(rows, ['currency', 'payouts', 'planned', 'fees']),
    '',
    `To be approved by ${oneLine(who)}; not by ${oneLine(preparer)}, who made the plan.`,
    `Digest: ${digest}`,
    `Approve it: ${approve}`,
    `Look at it first: ${command('show', run_id)}`,
  ];
  const data = {
    run_id,
    job: header.job,
    period: header.period,
    rehearsal,
    state: 'planned',
    input: header.input.name,
    payouts: header.payouts,
    totals,
    warnings: facts.warnings,
    bank_details_changed: { count: changed.count, rows: changed.rows.slice(0, ROWS_MAX) },
    approvals_needed: needed,
    approvers: oneLine(who),
    preparer: oneLine(preparer),
    digest,
    approve,
  };
  const subject = subjectOf(
    header,
    `${whose} waits for approval: ${counted(header.payouts, 'payout')}${changed.count === 0 ? '' : `, BANK DETAILS CHANGED of ${changed.count.toLocaleString('en')}`}`,
  );
  return { event: 'planned', id: `${run_id}-planned`, at, subject, text: `${lines.join('\n')}\n`, data };
}

const ROWS_MAX = 100;

/** Payments are diverted in this way. */
function changedLines({ count, rows }: ChangedDetails, { retries, corrections_sha256 }: PlanWaits['header']): string[] {
  if (count === 0) return [];
  const before = retries === null || corrections_sha256 === null ? '' : `it was to go in ${retries}, or where `;
  return [
    `BANK DETAILS CHANGED: ${counted(count, 'payout')} would not go where ${before}the payee was last paid (${rowsText(rows)}).`,
    'Ask each payee, by a way that you know, before you approve.',
    '',
  ];
}
