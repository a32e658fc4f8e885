import { maskIdentifier } from '../../domain/mask.ts';
import type { PayoutOrder } from '../../domain/payee.ts';
import type { PayoutState } from '../../domain/run/payout.ts';
import type { RunState } from '../../domain/run/run-state.ts';
import { isoUtc } from '../../domain/time.ts';
import { headerOf, type Report } from '../model/report.ts';
import { idText } from './iso-ids.ts';
import { type OriginalIds, originalIds } from './originals.ts';
import { codeElement, group, textElement } from './xml.ts';

/** Max140Text. */
export const NAME_MAX = 140;

/** Max34Text. */
const ACCOUNT_MAX = 34;

/** Ids by which a payout is known to its payer. */
export type PayoutIds = { message: string; group: string; instruction: string | null; payment: string };

/** By the payer's own ids where the input has them; else by the run and the row. */
export function payoutIds(run: RunState): (row: number, cells: readonly string[]) => PayoutIds {
  const { run_id: runId, input } = headerOf(run);
  const idsIn = originalIds(input);
  return (row, cells) => {
    const ids: OriginalIds = idsIn(cells);
    return {
      message: idText(ids.message ?? runId),
      group: idText(ids.group ?? runId),
      instruction: ids.instruction === null ? null : idText(ids.instruction),
      payment: idText(ids.payment ?? `${runId}-${row}`),
    };
  };
}

/**
 * The id of the message, and when it was made: both by the journal, so that the same journal gives the same bytes, and
 * what happens later another message.
 */
export function messageHead({ run, head }: Report, kind: string): string {
  const { run_id: runId } = headerOf(run);
  return `${textElement('MsgId', idText(`${runId}-${kind}-${head.n}`), NAME_MAX)}${createdAt(run)}`;
}

export function createdAt(run: RunState): string {
  return codeElement('CreDtTm', isoUtc(run.finishedAt ?? lastKnownAt(run)));
}

/** The last moment that the run notes. */
function lastKnownAt({ createdAt: created, startedAt, payouts }: RunState): number {
  let last = Math.max(created, startedAt ?? 0);
  for (const payout of payouts.values()) last = Math.max(last, momentOf(payout));
  return last;
}

function momentOf(payout: PayoutState): number {
  if ('finishedAt' in payout) return payout.finishedAt;
  if ('sent' in payout) return payout.sent.submittedAt;
  return 'intentAt' in payout ? payout.intentAt : 0;
}

/**
 * The account that is paid, masked as in every report: an IBAN has no form for that, so that all are `Othr`. Banks take no
 * bullets.
 */
export function creditorAccount({ destination }: Pick<PayoutOrder, 'destination'>): string {
  const id =
    destination.kind === 'existing'
      ? idText(destination.external_account_id, ACCOUNT_MAX)
      : maskIdentifier(destination.fields.account_number || destination.fields.wallet_address).replaceAll('•', 'X');
  return group('CdtrAcct', group('Id', group('Othr', textElement('Id', id, ACCOUNT_MAX))));
}
