import type { Resolved } from '../../../app/resolve/resolve.ts';
import type { Doubt } from '../../../domain/outcomes/doubt.ts';
import type { Decision } from '../../../domain/outcomes/resolve-outcome.ts';
import type { CommandLine } from '../../../messages/command-line.ts';
import { REHEARSAL_BAND } from '../../../messages/report/outcome-words.ts';
import { printable } from '../../../messages/text.ts';
import type { ShownAccount } from '../../../runner/reconcile/unknown-payments.ts';
import { EXIT } from '../../exit.ts';
import { jsonLine } from '../../json/line.ts';
import type { ResolveOutput } from './json.ts';
import { verdictText } from './options.ts';

/** Rows that the text names one by one. */
const NAMED_MAX = 20;

/** What a person reads after a payout was resolved: what is recorded, what remains, and what comes next. */
export function resolvedText(resolved: Resolved, verdict: Decision, command: CommandLine): string {
  const { runId, doubt, unresolved: rows, isRehearsal, isCancelled } = resolved;
  const { row, payee, amount, currency } = doubt;
  const lines = isRehearsal ? [REHEARSAL_BAND] : [];
  lines.push(printable(`Row ${row}, ${payee}, ${amount} ${currency}: recorded as ${verdictText(verdict)}.`));
  if (rows.length === 0) lines.push('No other payout of this run is in doubt.');
  else {
    const named = `${rows.slice(0, NAMED_MAX).join(', ')}${rows.length > NAMED_MAX ? ', …' : ''}`;
    lines.push(
      `Still in doubt: ${rows.length} ${rows.length === 1 ? `payout, row ${named}` : `payouts, rows ${named}`}.`,
    );
  }
  const sends = isCancelled ? 'does not send it, since the run is cancelled' : 'sends it';
  const next = verdict.kind === 'sent' ? 'waits until it is final' : sends;
  lines.push(`go on with   ${command('resume', runId)}`, `             ${next}, and writes the report again`);
  return `${lines.join('\n')}\n`;
}

/** What a person should compare: a service may show names and numbers in forms of its own, so that it is not refused. */
export function paidToText({ row, payee }: Doubt, { name, lastFour }: ShownAccount): string {
  const account = lastFour === null ? '' : `, account ••••${lastFour}`;
  return printable(
    `The service shows that it was paid to ${name ?? 'an account without a name'}${account}; row ${row} pays ${payee}. Compare them.`,
  ).concat('\n');
}

/** The same for programs. */
export function resolvedJson({ runId, doubt, unresolved, counts }: Resolved, verdict: Decision, by: string): string {
  return jsonLine<ResolveOutput>({
    run_id: runId,
    row: doubt.row,
    verdict: verdict.kind,
    transaction_id: verdict.kind === 'sent' ? verdict.transactionId : null,
    by,
    unresolved,
    counts,
    exit: EXIT.ok,
  });
}
