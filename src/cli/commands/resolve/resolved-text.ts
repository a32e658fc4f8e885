import type { PayoutState } from '../../../domain/run/payout.ts';
import type { RunState } from '../../../domain/run/run-state.ts';
import type { CommandLine } from '../../../report/command-line.ts';
import type { Doubt } from '../../../report/doubts/doubts.ts';
import { countsOf, REHEARSAL_BAND } from '../../../report/model/outcome.ts';
import type { Verdict } from '../../../runner/reconcile/resolve.ts';
import type { Where } from '../../../runner/reconcile/unknown-payments.ts';
import { EXIT } from '../../exit.ts';
import { printable } from '../../tables.ts';
import { verdictText } from './options.ts';

/** Rows that still wait for a person. */
function unresolvedRows(run: RunState): number[] {
  const isParked = ({ state }: PayoutState): boolean => state === 'unresolved' || state === 'suspected';
  return Array.from(run.payouts).flatMap(([row, payout]) => (isParked(payout) ? [row] : []));
}

/** Rows that the text names one by one. */
const NAMED_MAX = 20;

/** What a person reads after a payout was resolved: what is recorded, what remains, and what comes next. */
export function resolvedText(run: RunState, doubt: Doubt, verdict: Verdict, command: CommandLine): string {
  const rows = unresolvedRows(run);
  const { row, payee, amount, currency } = doubt;
  const lines = run.header?.rehearsal ? [REHEARSAL_BAND] : [];
  lines.push(printable(`Row ${row}, ${payee}, ${amount} ${currency}: recorded as ${verdictText(verdict)}.`));
  if (rows.length === 0) lines.push('No other payout of this run is in doubt.');
  else {
    const named = `${rows.slice(0, NAMED_MAX).join(', ')}${rows.length > NAMED_MAX ? ', …' : ''}`;
    lines.push(
      `Still in doubt: ${rows.length} ${rows.length === 1 ? `payout, row ${named}` : `payouts, rows ${named}`}.`,
    );
  }
  const sends = run.cancelled ? 'does not send it, since the run is cancelled' : 'sends it';
  const next = verdict.kind === 'sent' ? 'waits until it is final' : sends;
  lines.push(
    `go on with   ${command('resume', run.header?.run_id ?? '')}`,
    `             ${next}, and writes the report again`,
  );
  return `${lines.join('\n')}\n`;
}

/** What a person should compare: a service may show names and numbers in forms of its own, so that it is not refused. */
export function paidToText({ row, payee }: Doubt, { name, lastFour }: Where): string {
  const account = lastFour === null ? '' : `, account ••••${lastFour}`;
  return printable(
    `The service shows that it was paid to ${name ?? 'an account without a name'}${account}; row ${row} pays ${payee}. Compare them.`,
  ).concat('\n');
}

/** The same for programs. */
export function resolvedJson(run: RunState, row: number, verdict: Verdict, by: string): string {
  const result = {
    run_id: run.header?.run_id,
    row,
    verdict: verdict.kind,
    transaction_id: verdict.kind === 'sent' ? verdict.transactionId : null,
    by,
    unresolved: unresolvedRows(run),
    counts: countsOf(run),
    exit: EXIT.ok,
  };
  return `${JSON.stringify(result)}\n`;
}
